package sqlserver

import (
	"maps"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/tdstest"
	"github.com/leasetop/leasetop/model"
)

// lockRow is a session in the answer of holders, with the columns that the views
// document.
func lockRow(change map[string]any) map[string]any {
	row := map[string]any{
		"key": 10421, "optimized": 0, "session": 61, "level": "row", "mode": "X", "waiting": 0, "ours": 0,
		"program": "Billing\x1b[2J", "host": "APP-3", "login": "svc_billing", "status": "sleeping",
		"held_ms": 252_000, "blocker": 0, "running": "UPDATE dbo.QueueDemo SET State = 'R' WHERE JobId = 10421", "busy": 0,
	}
	maps.Copy(row, change)
	return row
}

// answers gives a reply to each of the two statements that look for locks.
func answers(locked, holders tdstest.Reply) tdstest.Handler { return inTurn(locked, holders) }

// TestLocks holds what is made of every answer about locks: who holds them, and
// what can still be said without the right or the lock itself.
func TestLocks(t *testing.T) {
	skipped := tdstest.Reply{row(map[string]any{"key": 10421, "skipped": 1, "state": nil})}
	free := tdstest.Reply{row(map[string]any{"key": 10421, "skipped": 0, "state": "R"})}
	none := tdstest.Reply{row(map[string]any{"key": 10421, "optimized": 1, "session": nil})}
	denied := tdstest.Reply{tdstest.Error{Number: 300, Class: 14, Message: "VIEW SERVER PERFORMANCE STATE permission was denied on object 'server', database 'master'."}}
	billing := model.Holder{
		Session: 61, Level: model.LockRow, Mode: "X", Program: "Billing", Host: "APP-3", Login: "svc_billing", Status: "sleeping",
		Held: model.Age{D: 252 * time.Second, Trust: model.Exact}, Running: "UPDATE dbo.QueueDemo SET State = 'R' WHERE JobId = 10421",
	}
	for name, tc := range map[string]struct {
		locked, holders tdstest.Reply
		want            model.Locks
		rowErr, holdErr model.FaultClass // 0: none
	}{
		"a session holds the row":           {skipped, tdstest.Reply{row(lockRow(nil))}, model.Locks{Skipped: model.NumberOf(1), Holders: []model.Holder{billing}}, 0, 0},
		"nobody does":                       {free, none, model.Locks{Skipped: model.NumberOf(0), Optimized: true}, 0, 0},
		"the row is gone":                   {tdstest.Reply{nothing()}, none, model.Locks{Optimized: true}, 0, 0},
		"a lock that cannot be passed over": {tdstest.Reply{tdstest.TimedOut()}, none, model.Locks{Blocked: true, Optimized: true}, 0, 0},
		"no right to see sessions":          {skipped, denied, model.Locks{Skipped: model.NumberOf(1)}, 0, model.FaultDenied},
		"no right to read":                  {tdstest.Reply{tdstest.Denied("SELECT", "QueueDemo")}, denied, model.Locks{}, model.FaultDenied, model.FaultDenied},
		"its schema is being changed":       {tdstest.Reply{tdstest.TimedOut()}, tdstest.Reply{tdstest.TimedOut()}, model.Locks{Blocked: true}, 0, model.FaultRaced},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := probed(t, facts{}, answers(tc.locked, tc.holders))
				got, err := w.q.Locks(t.Context(), key())
				if err != nil {
					t.Fatal(err)
				}
				class := func(f *model.Fault) model.FaultClass {
					if f == nil {
						return 0
					}
					return f.Class
				}
				if class(got.RowErr) != tc.rowErr || class(got.HoldErr) != tc.holdErr {
					t.Errorf("the row: %v, the sessions: %v", got.RowErr, got.HoldErr)
				}
				got.RowErr, got.HoldErr = nil, nil
				if d := cmp.Diff(tc.want, got, unpacked); d != "" {
					t.Error(d)
				}
			})
		})
	}
}

// TestLocksWithoutAnAnswer holds that silence is an error, and the second statement
// is not sent after it.
func TestLocksWithoutAnAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := probed(t, facts{}, always(tdstest.Silence{}))
		_, err := w.q.Locks(t.Context(), key())
		if f := faultOf(t, err); f.Class != model.FaultHung {
			t.Errorf("%+v", f)
		}
		if n := len(w.sent(t)); n != 1 {
			t.Errorf("%d statements were sent", n)
		}
	})
}

// TestLocksCannotBeHad holds where nothing is asked about locks, and why.
func TestLocksCannotBeHad(t *testing.T) {
	for name, tc := range map[string]struct {
		facts   facts
		holders string // its form; empty: it is never sent
		locked  bool
	}{
		"the clustered index has the key": {facts{}, formByRow, true},
		"the key is no clustered one":     {facts{unclustered: true}, formByTable, true},
		"memory-optimised":                {facts{memory: true}, "", false},
		"Babelfish":                       {facts{babelfish: "4.3.0"}, "", false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := probed(t, tc.facts, always(nothing()))
				sendable, absent, err := w.q.Statements(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				form, sent := "", map[string]bool{}
				for _, s := range sendable {
					sent[s.Op] = true
					if s.Op == string(store.OpHolders) {
						form = s.Form
					}
				}
				if sent[string(store.OpLocked)] != tc.locked || form != tc.holders {
					t.Errorf("locked %v, holders %q; never sent %v", sent[string(store.OpLocked)], form, absent)
				}
			})
		})
	}
}
