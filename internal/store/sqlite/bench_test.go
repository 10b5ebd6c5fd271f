package sqlite_test

import (
	"database/sql"
	"flag"
	"fmt"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/leasetop/leasetop/internal/profile"
	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqlite"
	"github.com/leasetop/leasetop/model"
)

var manyRows = flag.Int("many", 1_000_000, "done rows of the large table in BenchmarkPulse")

// benchQueue is a shipped queue in a file of its own, on the real clock.
func benchQueue(b *testing.B) (*store.Queue, *sql.DB) {
	b.Helper()
	path := filepath.Join(b.TempDir(), "queue.db")
	db, err := sqlite.Open(sqlite.Options{Path: path, Create: true})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { db.Close() })
	m, err := profile.For(profile.Lease, "orders", model.Table{Name: "QueueDemo"})
	if err != nil {
		b.Fatal(err)
	}
	if err := db.MakeSchema(b.Context(), &m); err != nil {
		b.Fatal(err)
	}
	q := db.Queue(m)
	if _, err := q.Probe(b.Context()); err != nil {
		b.Fatal(err)
	}
	return q, openRaw(b, path)
}

// fill adds rows of a state in bulk.
func fill(b *testing.B, raw *sql.DB, n int, state string, available time.Time) {
	b.Helper()
	_, err := raw.ExecContext(b.Context(), `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
INSERT INTO QueueDemo (State, AvailableAt, EnqueuedAt, Payload) SELECT ?, ?, ?, '{"order": ' || i || '}' FROM n WHERE ? > 0`,
		n, state, available.UnixMilli(), available.UnixMilli(), n)
	if err != nil {
		b.Fatal(err)
	}
}

func guid(n int64) string { return fmt.Sprintf("0E5E70B5-0000-4000-8000-%012X", n) }

// BenchmarkPairs is a claim and its completion, by goroutines of one process that
// share its one writer.
func BenchmarkPairs(b *testing.B) {
	for _, claimers := range []int{1, 8, 64} {
		b.Run(strconv.Itoa(claimers), func(b *testing.B) {
			q, raw := benchQueue(b)
			fill(b, raw, b.N, "R", time.Now())
			b.ResetTimer()
			pairs(b, q, claimers)
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "pairs/s")
		})
	}
}

// pairs claims and completes b.N jobs.
func pairs(b *testing.B, q *store.Queue, claimers int) {
	b.Helper()
	var token, left atomic.Int64
	left.Store(int64(b.N))
	done := make(chan error, claimers)
	for range claimers {
		go func() {
			for left.Add(-1) >= 0 {
				if err := pair(b, q, token.Add(1)); err != nil {
					done <- err
					return
				}
			}
			done <- nil
		}()
	}
	for range claimers {
		if err := <-done; err != nil {
			b.Fatal(err)
		}
	}
}

func pair(b *testing.B, q *store.Queue, n int64) error {
	c, err := q.Claim(b.Context(), guid(n), "bench", 1, time.Minute)
	if err != nil || len(c) != 1 {
		return fmt.Errorf("claimed %d: %w", len(c), err)
	}
	done, err := q.Complete(b.Context(), c[0].Key, c[0].Token)
	if err == nil && len(done) != 1 {
		err = fmt.Errorf("completed %d", len(done))
	}
	return err
}

// BenchmarkClaimBehindScheduled is a claim with no scheduled job, and with
// 100,000 of them.
func BenchmarkClaimBehindScheduled(b *testing.B) {
	for _, scheduled := range []int{0, 100_000} {
		b.Run(strconv.Itoa(scheduled), func(b *testing.B) {
			q, raw := benchQueue(b)
			fill(b, raw, scheduled, "S", time.Now().Add(time.Hour))
			fill(b, raw, b.N, "R", time.Now())
			b.ResetTimer()
			for i := range b.N {
				if c, err := q.Claim(b.Context(), guid(int64(i)), "bench", 1, time.Minute); err != nil || len(c) != 1 {
					b.Fatalf("claimed %d: %v", len(c), err)
				}
			}
		})
	}
}

// BenchmarkPulse is the pulse beside ten thousand done rows, beside a million
// (-many), and what GROUP BY State costs there. 2,000 rows are ready in each.
func BenchmarkPulse(b *testing.B) {
	for _, rows := range []int{10_000, *manyRows} {
		q, raw := benchQueue(b)
		fill(b, raw, rows, "D", time.Now())
		fill(b, raw, 2000, "R", time.Now())
		b.Run("pulse/"+strconv.Itoa(rows), func(b *testing.B) {
			for b.Loop() {
				if p, _, err := q.Pulse(b.Context(), model.PulseAsk{}); err != nil || p.Ready.N != 2000 {
					b.Fatalf("ready %v: %v", p.Ready, err)
				}
			}
		})
		b.Run("group-by/"+strconv.Itoa(rows), func(b *testing.B) {
			for b.Loop() {
				var n int
				if err := raw.QueryRowContext(b.Context(), "SELECT count(*) FROM (SELECT State, count(*) FROM QueueDemo GROUP BY State)").Scan(&n); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkStart is from nothing open to the first figures of a queue that is
// there.
func BenchmarkStart(b *testing.B) {
	path := filepath.Join(b.TempDir(), "queue.db")
	m := mapping(b, profile.Lease, "QueueDemo")
	start := func(first func(*store.DB) error) {
		db, err := sqlite.Open(sqlite.Options{Path: path, Create: true})
		if err != nil {
			b.Fatal(err)
		}
		defer db.Close()
		if err := first(db); err != nil {
			b.Fatal(err)
		}
		if _, _, err := db.Queue(m).Pulse(b.Context(), model.PulseAsk{}); err != nil {
			b.Fatal(err)
		}
	}
	start(func(db *store.DB) error { return db.MakeSchema(b.Context(), &m) })
	for b.Loop() {
		start(func(*store.DB) error { return nil })
	}
}
