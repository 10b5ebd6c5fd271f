package sqlite_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/leasetop/leasetop/internal/profile"
	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqlite"
	"github.com/leasetop/leasetop/model"
)

// TestNoClaimAfterTheBrake races claimers, each with a connection of its own as
// another process has, against an operator who puts the brake and releases it. The
// clock ticks at every reading, so that no two statements are of one time.
func TestNoClaimAfterTheBrake(t *testing.T) {
	const claimers, rounds = 6, 8
	var ticks atomic.Int64
	base := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	options := sqlite.Options{Path: filepath.Join(t.TempDir(), "queue.db"), Create: true, Now: func() time.Time {
		return base.Add(time.Duration(ticks.Add(1)) * time.Millisecond)
	}}
	open := func() *store.Queue {
		db, err := sqlite.Open(options)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { db.Close() })
		m, err := profile.For(profile.Lease, "orders", model.Table{Name: "QueueDemo"})
		if err != nil {
			t.Fatal(err)
		}
		if err := db.MakeSchema(t.Context(), &m); err != nil {
			t.Fatal(err)
		}
		return db.Queue(m)
	}
	ops := open()
	jobs := make([]model.NewJob, 3000)
	for i := range jobs {
		jobs[i].Payload = "{}"
	}
	if _, err := ops.Enqueue(t.Context(), jobs); err != nil {
		t.Fatal(err)
	}

	ctx, stop := context.WithCancel(t.Context())
	var claimed atomic.Int64
	news := make(chan struct{}, 1) // something was claimed
	var all sync.WaitGroup
	for i := range claimers {
		q := open()
		all.Go(func() {
			for n := 0; ctx.Err() == nil; n++ {
				got, err := q.Claim(context.WithoutCancel(ctx), fmt.Sprintf("0E5E70B5-0000-4000-%04X-%012X", i, n), "racer", 1, time.Hour)
				var f *model.Fault
				if err != nil && (!errors.As(err, &f) || f.Brake == nil && f.Class != model.FaultBusy) {
					t.Errorf("claim: %v", err)
					return
				}
				claimed.Add(int64(len(got)))
				select {
				case news <- struct{}{}:
				default:
				}
			}
		})
	}
	type stopped struct{ from, to time.Time }
	var under []stopped
	act := func(a model.Action, n int) time.Time {
		i := model.Intent{Action: a, ActionID: fmt.Sprintf("0E5E70B5-0000-4000-8000-%06X%06X", n, a), Actor: "ops", Reason: "race"}
		for {
			done, _, at, err := ops.ApplyBrake(t.Context(), i)
			var f *model.Fault
			if errors.As(err, &f) && f.Class == model.FaultBusy && !f.Unsure {
				continue // on a slow machine the claimers may keep the lock for as long as an act waits
			}
			if err != nil || !done {
				t.Fatalf("%s: done %v, %v", a, done, err)
			}
			return at
		}
	}
	for n := range rounds {
		for before := claimed.Load(); claimed.Load() < before+20; { // let them race
			select {
			case <-news:
			case <-time.After(2 * time.Minute):
				t.Fatal("nobody claims")
			}
		}
		from := act(model.PutBrake, n)
		for range 20 { // time for those that would not see it
			if _, _, err := ops.Brake(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		under = append(under, stopped{from, act(model.FreeBrake, n)})
	}
	stop()
	all.Wait()

	rows, err := openRaw(t, options.Path).QueryContext(t.Context(), "SELECT ClaimedAt FROM QueueDemo WHERE ClaimedAt IS NOT NULL")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	seen := 0
	for rows.Next() {
		var ms int64
		if err := rows.Scan(&ms); err != nil {
			t.Fatal(err)
		}
		seen++
		at := time.UnixMilli(ms).UTC()
		for _, u := range under {
			if at.After(u.from) && at.Before(u.to) {
				t.Errorf("a claim of %s lies between the receipt %s and the release %s", at, u.from, u.to)
			}
		}
	}
	if err := rows.Err(); err != nil || int64(seen) != claimed.Load() {
		t.Errorf("%d rows were claimed, %d claims answered, %v", seen, claimed.Load(), err)
	}
}

// TestAnOlderTableIsGivenItsBrake holds that making the schema again adds what a
// table of an earlier release lacks and touches no row.
func TestAnOlderTableIsGivenItsBrake(t *testing.T) {
	s, ok := bench{}.Stand(t).(*stand)
	if !ok {
		t.Fatal("not a stand")
	}
	m := s.Make(t, bench{}.Shapes()[0])
	s.exec(t, "DROP TABLE QueueDemo_Control")
	s.exec(t, "DROP INDEX IX_QueueDemo_Operation")
	s.exec(t, "INSERT INTO QueueDemo (Payload, Attempts) VALUES ('mine', 3)")
	db := s.Open(t)
	q := db.Queue(m)
	caps, err := q.Probe(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if v := caps.Allows(model.CanBrake); v.OK || v.Fix == "" {
		t.Errorf("a table without a brake: %+v", v)
	}
	if got, err := q.Claim(t.Context(), "0E5E70B5-0000-4000-8000-000000000001", "w", 1, time.Minute); err != nil || len(got) != 1 {
		t.Errorf("a claim without a brake: %v, %v", got, err)
	}
	if f, _, err := q.FindOperation(t.Context(), "x"); err != nil || f.Whole {
		t.Errorf("a look-up without the index: %+v, %v: it must say that it did not see all", f, err)
	}
	if err := db.MakeSchema(t.Context(), &m); err != nil {
		t.Fatal(err)
	}
	caps, err = q.Probe(t.Context())
	if err != nil || !caps.Allows(model.CanBrake).OK {
		t.Errorf("after the schema: %+v, %v", caps.Allows(model.CanBrake), err)
	}
	var payload string
	var attempts int
	if err := s.raw.QueryRowContext(t.Context(), "SELECT Payload, Attempts FROM QueueDemo").Scan(&payload, &attempts); err != nil || payload != "mine" || attempts != 4 {
		t.Errorf("the row is %s with %d attempts, %v", payload, attempts, err)
	}
	if f, _, err := q.FindOperation(t.Context(), "x"); err != nil || !f.Whole {
		t.Errorf("a look-up with the index: %+v, %v", f, err)
	}
}
