package sqlite_test

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/leasetop/leasetop/internal/profile"
	"github.com/leasetop/leasetop/internal/store/sqlite"
	"github.com/leasetop/leasetop/model"
)

// TestTimeForms is a table whose leases are text: they are written as the table's
// own workers write them, to the millisecond, and read however they stand.
func TestTimeForms(t *testing.T) {
	for _, form := range []string{
		"2006-01-02T15:04:05.000", "2006-01-02T15:04:05.000Z", "2006-01-02 15:04:05.000", "2006-01-02 15:04:05.000Z",
	} {
		t.Run(form, func(t *testing.T) {
			clock := newClock()
			path := filepath.Join(t.TempDir(), "q.db")
			raw := openRaw(t, path)
			lease := func(d time.Duration) string { return clock.Now().Add(d).Format(form) }
			script := fmt.Sprintf(`CREATE TABLE QueueDemo (JobId INTEGER PRIMARY KEY, State TEXT, ClaimToken TEXT, LeaseUntil DATETIME, Payload TEXT);
INSERT INTO QueueDemo VALUES (1, 'W', 'a', '%s', ''), (2, 'W', 'b', '%s', ''), (3, 'R', NULL, NULL, '')`, lease(-time.Millisecond), lease(time.Millisecond))
			if _, err := raw.ExecContext(t.Context(), script); err != nil {
				t.Fatal(err)
			}
			q := open(t, sqlite.Options{Path: path, Now: clock.Now}).Queue(mapping(t, profile.Bare, "QueueDemo"))
			p, _, err := q.Pulse(t.Context(), model.PulseAsk{})
			if err != nil || p.Expired.N != 1 || p.WorstKey != model.KeyOf(model.IntValue(1)) || p.WorstOverdue.D != time.Millisecond {
				t.Errorf("expired %v, worst %s by %s: %v", p.Expired, p.WorstKey, p.WorstOverdue.D, err)
			}
			c, err := q.Claim(t.Context(), guid(1), "w", 1, 90*time.Second)
			if err != nil || len(c) != 1 {
				t.Fatal(c, err)
			}
			var stored string
			if err := raw.QueryRowContext(t.Context(), "SELECT CAST(LeaseUntil AS TEXT) FROM QueueDemo WHERE JobId = 3").Scan(&stored); err != nil {
				t.Fatal(err)
			}
			if stored != lease(90*time.Second) || c[0].Lease.Raw.Text != stored {
				t.Errorf("the lease is %s, the claim says %s, want %s", stored, c[0].Lease.Raw, lease(90*time.Second))
			}
		})
	}
}
