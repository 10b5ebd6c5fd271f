package sqlite_test

import (
	"database/sql"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/leasetop/leasetop/internal/profile"
	"github.com/leasetop/leasetop/internal/store/sqlite"
	"github.com/leasetop/leasetop/model"
)

// hostile are reasons that want out of their literal.
func hostile() []string {
	return []string{
		"plain", "it's", "'); DROP TABLE Orders; --", "a\n.shell touch pwned\n", "\x00';--", "@key", "\"@now\"", "naïve 😀", "ends in \\", "''", ";COMMIT;",
	}
}

// ran runs a script and says how.
func ran(t *testing.T, how string, raw *sql.DB, path, script string) {
	t.Helper()
	if how == "engine" {
		if _, err := raw.Exec(script); err != nil {
			t.Fatalf("%v\n%s", err, script)
		}
		return
	}
	shell, err := exec.LookPath("sqlite3")
	if err != nil {
		t.Skip("the sqlite3 shell is not installed")
	}
	cmd := exec.Command(shell, "-bail", path)
	cmd.Stdin = strings.NewReader(script)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s\n%s", err, out, script)
	}
}

// TestAScriptDoesWhatTheActDoes prints a reclaim with reasons that want out of
// their literal, runs it with other tools, and holds the row and the history to
// what the act itself would have left.
func TestAScriptDoesWhatTheActDoes(t *testing.T) {
	for _, how := range []string{"engine", "shell"} {
		t.Run(how, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "orders.db")
			db, err := sqlite.Open(sqlite.Options{Path: path, Create: true})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { db.Close() })
			m, err := profile.For(profile.Lease, "orders", model.Table{Name: "Or'de\"rs"})
			if err == nil {
				err = db.MakeSchema(t.Context(), &m)
			}
			if err != nil {
				t.Fatal(err)
			}
			q, raw := db.Queue(m), openRaw(t, path)
			for i, reason := range hostile() {
				_, err := q.Enqueue(t.Context(), []model.NewJob{{Payload: "{}"}, {Payload: "{}"}})
				if err != nil {
					t.Fatal(err)
				}
				token := fmt.Sprintf("6F9619FF-8B86-D011-B42D-00C04FC9%04X", i)
				claims, err := q.Claim(t.Context(), token, "pick-07", 2, time.Millisecond)
				if err != nil || len(claims) != 2 {
					t.Fatal(claims, err)
				}
				time.Sleep(5 * time.Millisecond) // the engine's own clock must pass the lease
				id := fmt.Sprintf("0E5E70B5-0000-4000-8000-00000000%04X", i)
				s, err := q.Render(t.Context(), model.Intent{
					Action: model.Reclaim, Key: claims[0].Key, ActionID: id, Actor: "ops'@jump", Reason: reason,
					Seen: model.Seen{State: model.Working, Token: claims[0].Token},
				})
				if err != nil || s.Script == "" {
					t.Fatalf("%q: %v, script %q", reason, err, s.Script)
				}
				for range 2 { // the second time it matches nothing
					ran(t, how, raw, path, s.Script)
				}
				j, _, err := q.Inspect(t.Context(), claims[0].Key)
				if err != nil || j.State != model.Ready || j.Token.String() != id {
					t.Fatalf("%q left %+v, %v", reason, j, err)
				}
				e, err := q.Audit(t.Context(), claims[0].Key, id)
				if err != nil || e == nil || e.Actor != "ops'@jump" {
					t.Fatalf("%q: history %+v, %v", reason, e, err)
				}
				var stored string
				if err := raw.QueryRow(`SELECT Reason FROM "Or'de""rs_History" WHERE ActionId = ?`, id).Scan(&stored); err != nil || stored != reason {
					t.Errorf("the reason is %q, %v, went in as %q", stored, err, reason)
				}
				other, _, err := q.Inspect(t.Context(), claims[1].Key)
				if err != nil || other.State != model.Working {
					t.Errorf("%q: the other row is %+v, %v", reason, other, err)
				}
			}
		})
	}
}
