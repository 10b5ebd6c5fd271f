package sqlserver

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/leasetop/leasetop/internal/profile"
	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/tdstest"
	"github.com/leasetop/leasetop/model"
)

// formed is the dialect on a server for which a probe has chosen a form.
type formed struct {
	Dialect
	op   store.Op
	form string
}

func (d formed) Probe(ctx context.Context, ask store.Ask, m *model.Mapping) (*model.Mapping, model.Caps, error) {
	m, c, err := d.Dialect.Probe(ctx, ask, m)
	if err == nil {
		c.Form[string(d.op)] = d.form
	}
	return m, c, err
}

// ofForm are parameters that only some forms of an operation have: those that look
// into the catalog, or among the jobs of certain states.
func ofForm() map[string]tdstest.Param {
	return map[string]tdstest.Param{
		"table": theTable, "history": theHistory, "scheduled": scheduledP, "ready": readyP, "working": workingP, "failed": failedP,
	}
}

// wanted are the parameters of a form, by what a call wants of its own form: each has
// the same name, type and value in all.
func wanted(t *testing.T, s store.Stmt, c call) []tdstest.Param {
	t.Helper()
	var out []tdstest.Param
	for _, p := range s.Params {
		i := slices.IndexFunc(c.want, func(w tdstest.Param) bool { return w.Name == p.Name })
		other, known := ofForm()[p.Name]
		switch {
		case i >= 0:
			out = append(out, c.want[i])
		case known:
			out = append(out, other)
		default:
			t.Errorf("nobody says what @%s is", p.Name)
		}
	}
	return out
}

// TestEveryFormArrivesToTheLetter holds each form of each operation to its golden file
// and to the typed parameters on the wire. A form without a call fails.
func TestEveryFormArrivesToTheLetter(t *testing.T) {
	lease, rows := store.Specs(), store.SpecsOf(model.Destructive)
	for _, tc := range []struct {
		facts facts
		specs []store.Spec
		calls []call
		nil   tdstest.Set
	}{
		{facts{}, lease, calls(), nothing()},
		{destructive(), rows, rowCalls(), noRow()},
	} {
		name := tc.facts.mapping(t).Family
		for _, spec := range tc.specs {
			i := slices.IndexFunc(tc.calls, func(c call) bool { return c.op == spec.Op })
			if i < 0 {
				if !elsewhere(spec.Op) {
					t.Errorf("%s %s: no call", name, spec.Op)
				}
				continue
			}
			for _, form := range formsOf(spec.Op) {
				t.Run(strings.Trim(string(spec.Op)+"."+form, "."), func(t *testing.T) {
					synctest.Test(t, func(t *testing.T) { arrives(t, tc.facts, tc.calls[i], form, tc.nil) })
				})
			}
		}
	}
}

// elsewhere are the operations that these two tables cannot have; they have tests of
// their own.
func elsewhere(op store.Op) bool {
	return op == store.OpPurgeKeys || op == store.OpDirty || op == store.OpBuryHeld || strings.HasPrefix(string(op), "hold")
}

// arrives sends an operation in a form, and looks at what arrived.
func arrives(t *testing.T, f facts, c call, form string, answer tdstest.Set) {
	t.Helper()
	s := tdstest.New(t, func(r tdstest.Request) tdstest.Reply {
		if a, ok := f.answer(t, r); ok {
			return a
		}
		return tdstest.Reply{answer}
	})
	cfg, sign, err := parse(tdstest.DSN, Options{})
	if err != nil {
		t.Fatal(err)
	}
	d := formed{Dialect{now: time.Now}, c.op, form}
	db := store.Open(d, store.Pools{
		Read: pool(cfg, sign, s.Dialer(), readers, false), Work: pool(cfg, sign, s.Dialer(), workers, true),
		Control: pool(cfg, sign, s.Dialer(), controls, true), Held: pool(cfg, sign, s.Dialer(), 1, true),
	})
	defer db.Close()
	w := &wire{s, db, db.Queue(*f.mapping(t))}
	if _, err := w.q.Probe(t.Context()); err != nil {
		t.Fatal(err)
	}
	caps, _ := w.q.Caps()
	stmt, err := d.Statement(c.op, w.q.Mapping(), &caps)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.do(t.Context(), w.q); err != nil {
		t.Fatal(err)
	}
	sent := w.sent(t)
	if len(sent) != 1 {
		t.Fatalf("%d statements were sent, want one", len(sent))
	}
	folder := profile.Lease
	if f.profile != "" {
		folder = f.profile
	}
	golden, err := os.ReadFile(filepath.Join(goldenDir, folder, strings.Trim(string(c.op)+"."+form, ".")+".sql"))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(golden), sent[0].Text+"\n"); d != "" {
		t.Errorf("sent (-golden +sent):\n%s", d)
	}
	if want := wanted(t, stmt, c); !reflect.DeepEqual(sent[0].Params, want) {
		t.Errorf("parameters\n%v\nwant\n%v", sent[0].Params, want)
	}
}

// TestEveryFormIsListed holds that whatever a server is like each word of a form that
// a probe chooses, and that changes the statement, is in a golden file.
func TestEveryFormIsListed(t *testing.T) {
	servers := map[string]facts{"row versions": {}, "none": {noRCSI: true}, "snapshot": {noRCSI: true, snapshot: true}, "Babelfish": {babelfish: "4.3.0"}}
	tables := map[string]func(*facts){
		"no index": func(f *facts) { f.noIndex = true }, "insisted": func(f *facts) { f.noIndex, f.rows, f.insist = true, small+1, true },
		"no index, and large": func(f *facts) { f.noIndex, f.rows = true, small+1 }, "another order": func(f *facts) { f.unordered = true },
		"little": func(f *facts) { f.noAtIndex, f.noBrake, f.state = true, 229, true },
	}
	for server, base := range servers {
		for table, change := range tables {
			for _, name := range profile.Names() {
				f := base
				f.profile = name
				change(&f)
				t.Run(server+"/"+table+"/"+name, func(t *testing.T) {
					synctest.Test(t, func(t *testing.T) { listed(t, probed(t, f, always(nothing()))) })
				})
			}
		}
	}
}

func listed(t *testing.T, w *wire) {
	t.Helper()
	caps, _ := w.q.Caps()
	for name, form := range caps.Form {
		op := store.Op(name)
		chosen, err := Dialect{}.Statement(op, w.q.Mapping(), &caps)
		if err != nil {
			continue // the table cannot have it
		}
		known := strings.Split(strings.Join(formsOf(op), "-"), "-")
		words := slices.DeleteFunc(strings.Split(form, "-"), func(word string) bool { return !slices.Contains(known, word) })
		caps.Form[name] = strings.Join(words, "-")
		if plain, err := (Dialect{}).Statement(op, w.q.Mapping(), &caps); err != nil || plain.Texts[0] != chosen.Texts[0] {
			t.Errorf("%s: what makes %q another statement than %q is in no golden file (%v)", op, form, caps.Form[name], err)
		}
	}
}
