package sqlserver

import (
	"os"
	"path/filepath"
	"reflect"
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

// passing are the facts of a database whose readers pass over locked rows.
func passing() facts { return facts{noRCSI: true} }

// TestTheDirtyReadArrives holds the read past all locks to the wire, to the letter,
// and to what is made of its answer.
func TestTheDirtyReadArrives(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		columns := []string{"now", "key", "priority", "available"}
		w := probed(t, passing(), inTurn(
			tdstest.Reply{tdstest.Rows(columns, []any{clock, 7, 100, "2026-03-01T11:54:00.123"}, []any{clock, 9, 100, nil})},
			tdstest.Reply{nothing()},
		))
		got, at, err := w.q.Dirty(t.Context())
		if err != nil || !at.Equal(serverNow) {
			t.Fatalf("%v, %v", at, err)
		}
		number := func(id int64) model.Key { return model.KeyOf(model.IntValue(id)) }
		want := []model.Oldest{
			{Key: number(7), Priority: model.NumberOf(100), Waiting: model.Age{D: 6*time.Minute + 456700*time.Nanosecond, Trust: model.Exact}},
			{Key: number(9), Priority: model.NumberOf(100)},
		}
		if d := cmp.Diff(want, got, unpacked); d != "" {
			t.Error(d)
		}
		if got, _, err := w.q.Dirty(t.Context()); len(got) != 0 || err != nil {
			t.Errorf("of no ready job: %v, %v", got, err)
		}
		sent := w.sent(t)[0]
		golden, err := os.ReadFile(filepath.Join(goldenDir, profile.Lease, "dirty.dirty.sql"))
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(string(golden), sent.Text+"\n"); d != "" {
			t.Errorf("sent (-golden +sent):\n%s", d)
		}
		if want := []tdstest.Param{arg("limit", "bigint", int64(20)), readyP}; !reflect.DeepEqual(sent.Params, want) {
			t.Errorf("parameters %v, want %v", sent.Params, want)
		}
	})
}

// TestTheDirtyReadGivesWay holds that what moves under it is told as a race, which
// the next poll repeats: 601 when the data did, 1222 when the table is being altered.
func TestTheDirtyReadGivesWay(t *testing.T) {
	for _, number := range []int32{601, 1222} {
		synctest.Test(t, func(t *testing.T) {
			w := probed(t, passing(), always(tdstest.Error{Number: number, State: 1, Class: 12, Message: "it moved"}))
			_, _, err := w.q.Dirty(t.Context())
			if f := faultOf(t, err); f.Class != model.FaultRaced || f.Code != int(number) {
				t.Errorf("%+v", f)
			}
		})
	}
}

// TestTheDirtyReadIsSentWhereItTells holds where it can be sent, how it is shown,
// and why it is not sent elsewhere.
func TestTheDirtyReadIsSentWhereItTells(t *testing.T) {
	for name, tc := range map[string]struct {
		facts facts
		form  string // empty: it is never sent
		why   string
	}{
		"readers pass over locked rows": {passing(), "dirty", ""},
		"of a small table":              {facts{noRCSI: true, noIndex: true, rows: 9}, "dirty-scan", ""},
		"row versions":                  {facts{}, "", "keeps row versions"},
		"snapshots":                     {facts{noRCSI: true, snapshot: true}, "", "keeps row versions"},
		"an index in another order":     {facts{noRCSI: true, unordered: true, rows: 1e6}, "", "order of claims"},
		"no index":                      {facts{noRCSI: true, noIndex: true, rows: 1e6}, "", "no index"},
		"Babelfish":                     {facts{babelfish: "4.3.0", noRCSI: true}, "", "Babelfish"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := probed(t, tc.facts, always(nothing()))
				sendable, absent, err := w.q.Statements(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				var form, why string
				for _, s := range sendable {
					if s.Op == string(store.OpDirty) {
						form = s.Form
						if !strings.Contains(s.Locks, "dirty read") || s.Proved == onBabelfish || s.Right != "SELECT on dbo.QueueDemo" {
							t.Errorf("it is shown with %q, %q, %q", s.Locks, s.Proved, s.Right)
						}
					}
				}
				for _, s := range absent {
					if s.Op == string(store.OpDirty) {
						why = s.Text
					}
				}
				if form != tc.form || !strings.Contains(why, tc.why) || (why == "") != (tc.why == "") {
					t.Errorf("form %q, and %q; want %q, %q", form, why, tc.form, tc.why)
				}
			})
		})
	}
}
