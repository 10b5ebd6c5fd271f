package sqlite_test

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/leasetop/leasetop/actions"
	"github.com/leasetop/leasetop/internal/profile"
	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqlite"
	"github.com/leasetop/leasetop/model"
)

// noted is a journal that keeps nothing.
type noted struct{}

func (noted) Sent(model.Plan, time.Time) error { return nil }
func (noted) Done(model.Receipt) error         { return nil }
func (noted) Place() string                    { return "nowhere" }

// TestReceiptsOnOddTables takes a dead letter to tables that others have made: with
// a trigger behind the act, with rows that carry no token or no lease.
func TestReceiptsOnOddTables(t *testing.T) {
	const table = `CREATE TABLE Odd (JobId INTEGER PRIMARY KEY, State TEXT NOT NULL, ClaimToken TEXT, LeaseUntil INTEGER, Payload TEXT NOT NULL DEFAULT '');
CREATE INDEX IX_Odd ON Odd (State, JobId);
INSERT INTO Odd (JobId, State, ClaimToken, LeaseUntil) VALUES (1, 'W', NULL, 1000), (2, 'W', '6F9619FF-8B86-4011-B42D-00C04FC964FF', NULL), (3, 'R', NULL, NULL),
  (4, 'W', '6F9619FF-8B86-4011-B42D-00C04FC96404', 1000);`
	for name, tc := range map[string]struct {
		trigger string
		want    model.State // of the rows afterwards
	}{
		"without a trigger":               {"", model.Failed},
		"with one that notes":             {"CREATE TABLE Notes (n); CREATE TRIGGER T AFTER UPDATE ON Odd BEGIN INSERT INTO Notes VALUES (1); END;", model.Failed},
		"with one that changes it anew":   {"CREATE TRIGGER T AFTER UPDATE ON Odd WHEN NEW.State = 'F' BEGIN UPDATE Odd SET State = 'D' WHERE JobId = NEW.JobId; END;", model.Done},
		"with one that refuses the state": {"CREATE TRIGGER T BEFORE UPDATE ON Odd BEGIN SELECT RAISE(ABORT, 'not here'); END;", model.StateUnknown},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "odd.db")
			if _, err := openRaw(t, path).Exec(table + tc.trigger); err != nil {
				t.Fatal(err)
			}
			q := oddQueue(t, path)
			desk := actions.New(map[string]actions.Target{"Odd": {Store: q, Control: true}}, noted{}, "ops")
			for i := range int64(4) {
				k := model.KeyOf(model.IntValue(i + 1))
				before, at, err := q.Inspect(t.Context(), k)
				if err != nil {
					t.Fatal(err)
				}
				p, err := desk.Plan(t.Context(), "Odd", actions.Ask{Action: model.DeadLetter, Row: before, At: at, Reason: "given up"})
				if err != nil {
					t.Fatal(err)
				}
				r := desk.Apply(t.Context(), p, "")
				after, _, err := q.Inspect(t.Context(), k)
				if err != nil {
					t.Fatal(err)
				}
				if tc.want == model.StateUnknown {
					if r.Outcome != model.Refused || after.State != before.State || after.Token != before.Token {
						t.Errorf("job %s: %s %q, the row is %s", k, r.Outcome, r.Message, after.State)
					}
					continue
				}
				if r.Outcome != model.Applied || after.State != tc.want || r.After == nil || r.After.State != after.State {
					t.Errorf("job %s: %s %q with %+v, the row is %s", k, r.Outcome, r.Message, r.After, after.State)
				}
			}
		})
	}
}

func oddQueue(t *testing.T, path string) *store.Queue {
	t.Helper()
	db, err := sqlite.Open(sqlite.Options{Path: path})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	m, err := profile.For(profile.Bare, "Odd", model.Table{Name: "Odd"})
	if err != nil {
		t.Fatal(err)
	}
	q := db.Queue(m)
	if _, err := q.Probe(t.Context()); err != nil {
		t.Fatal(err)
	}
	return q
}
