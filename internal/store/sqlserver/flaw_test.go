package sqlserver

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/leasetop/leasetop/internal/profile"
	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/tdstest"
	"github.com/leasetop/leasetop/model"
)

// TestFlawsAreOneMistakeEach holds the statements with known mistakes to their
// text: each file beside its sound statement shows the one thing that differs.
func TestFlawsAreOneMistakeEach(t *testing.T) {
	m := mapping(t, profile.Lease)
	m.Table.Name = store.ScratchPrefix + "flaw"
	m.History.Name = store.ScratchPrefix + "flaw_History"
	want := map[string]string{}
	for _, f := range store.Flaws() {
		statements := 0
		for _, spec := range append(store.Specs(), store.TakeSpec()) {
			s, ok, err := Dialect{}.Wrong(f, spec.Op, m, &model.Caps{Engine: Engine, Ours: true, Form: map[string]string{}})
			if err != nil {
				t.Fatalf("%s %s: %v", f, spec.Op, err)
			}
			if !ok {
				continue
			}
			statements++
			want[filepath.Join("flaws", string(f)+"."+string(spec.Op)+".sql")] = s.Texts[0] + "\n"
			if s.Form != string(f) || s.Right == "" || s.Proved != "" {
				t.Errorf("%s %s: form %q, right %q, proved %q", f, spec.Op, s.Form, s.Right, s.Proved)
			}
			if sound, err := (Dialect{}).Statement(spec.Op, m, &model.Caps{Engine: Engine, Ours: true, Form: map[string]string{}}); err == nil && sound.Texts[0] == s.Texts[0] {
				t.Errorf("%s %s: it is the sound statement", f, spec.Op)
			}
		}
		if statements == 0 {
			t.Errorf("%s spoils no statement", f)
		}
	}
	rows := mapping(t, profile.Destructive)
	rows.Table.Name, rows.Lane.Dead.Name = store.ScratchPrefix+"flaw", store.ScratchPrefix+"flaw_Dead"
	for _, f := range store.RowFlaws() {
		for _, spec := range store.SpecsOf(model.Destructive) {
			s, ok, err := Dialect{}.Wrong(f, spec.Op, rows, &model.Caps{Engine: Engine, Form: map[string]string{}})
			if err != nil {
				t.Fatalf("%s %s: %v", f, spec.Op, err)
			}
			if ok {
				want[filepath.Join("flaws", string(f)+"."+string(spec.Op)+".sql")] = s.Texts[0] + "\n"
			}
		}
	}
	for name, s := range scratchStatements(t, m) {
		want[filepath.Join("scratch", name+".sql")] = s.Texts[0] + "\n"
	}
	checkTexts(t, want, "flaws", "scratch")
}

func scratchStatements(t *testing.T, m *model.Mapping) map[string]store.Stmt {
	t.Helper()
	list, err := Dialect{}.Scratches()
	if err != nil {
		t.Fatal(err)
	}
	drop, err := Dialect{}.DropScratch(m.Table)
	if err != nil {
		t.Fatal(err)
	}
	return map[string]store.Stmt{"list": list, "drop": drop}
}

// checkTexts compares texts with the files of some folders below testdata, which
// hold nothing else.
func checkTexts(t *testing.T, want map[string]string, folders ...string) {
	t.Helper()
	for _, folder := range folders {
		found, err := filepath.Glob(filepath.Join("testdata", folder, "*.sql"))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range found {
			if _, ok := want[filepath.Join(folder, filepath.Base(f))]; !ok {
				t.Errorf("%s belongs to no statement", f)
			}
		}
	}
	for file, text := range want {
		path := filepath.Join("testdata", file)
		if *update {
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		got, err := os.ReadFile(path)
		if err != nil {
			t.Errorf("%s: %v; go test ./internal/store/sqlserver -update writes it", file, err)
			continue
		}
		if d := cmp.Diff(string(got), text); d != "" {
			t.Errorf("%s is not what is sent (-file +sent):\n%s", file, d)
		}
	}
}

// What a scratch queue sends arrives to the letter: the second half of a claim in
// two statements, the list of scratch tables, and their end.
func TestScratchStatementsArriveToTheLetter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := *mapping(t, profile.Lease)
		m.Table = model.Table{Schema: "dbo", Name: store.ScratchPrefix + "flaw"}
		m.History = model.Table{Schema: "dbo", Name: store.ScratchPrefix + "flaw_History"}
		w := dial(t, facts{}, inTurn(
			tdstest.Reply{tdstest.Rows([]string{"now", "key", "token", "lease", "attempts", "max_attempts", "operation", "payload"},
				[]any{clock, int64(10421), tokenA, clock, int64(2), int64(5), tokenB, "{}"})},
			tdstest.Reply{tdstest.Rows([]string{"now", "schema", "name"},
				[]any{clock, "dbo", m.Table.Name}, []any{clock, "dbo", "LEASETOP_SCRATCH_OTHER"})},
		))
		q, err := w.db.Flawed(m, store.FlawSelectThenUpdate)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := q.Probe(t.Context()); err != nil {
			t.Fatal(err)
		}
		got, err := q.Take(t.Context(), key(), tokenA, "pick-07", time.Minute)
		if err != nil || len(got) != 1 || got[0].Token != token() || got[0].Attempts.N != 2 || got[0].Granted != time.Minute {
			t.Errorf("took %+v, %v", got, err)
		}
		tables, err := w.db.Scratches(t.Context())
		if err != nil || !slices.Equal(tables, []model.Table{m.Table}) {
			t.Errorf("listed %v, %v", tables, err)
		}
		if err := w.db.DropScratch(t.Context(), m.Table); err != nil {
			t.Fatal(err)
		}
		want := []struct {
			file   string
			params []tdstest.Param
		}{
			{"flaws/select-then-update.take.sql", []tdstest.Param{theKey, theToken, arg("lease_ms", "bigint", int64(60_000)), arg("worker", "nvarchar(max)", "pick-07"), workingP}},
			{"scratch/list.sql", nil},
			{"scratch/drop.sql", nil},
		}
		sent := w.sent(t)
		if len(sent) != len(want) {
			t.Fatalf("%d statements were sent, want %d", len(sent), len(want))
		}
		for i, s := range sent {
			text, err := os.ReadFile(filepath.Join("testdata", want[i].file))
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(string(text), s.Text+"\n"); d != "" {
				t.Errorf("%s (-file +sent):\n%s", want[i].file, d)
			}
			if len(s.Params) != len(want[i].params) || len(s.Params) > 0 && !reflect.DeepEqual(s.Params, want[i].params) {
				t.Errorf("%s: parameters\n%v\nwant\n%v", want[i].file, s.Params, want[i].params)
			}
		}
	})
}
