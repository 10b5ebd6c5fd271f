package sqlite_test

import (
	"context"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/leasetop/leasetop/internal/profile"
	"github.com/leasetop/leasetop/internal/store/sqlite"
	"github.com/leasetop/leasetop/model"
)

// TestVirtualTime is a queue in a bubble: leases end, and waiting for a lock
// passes, in virtual time.
func TestVirtualTime(t *testing.T) {
	path := filepath.Join(t.TempDir(), "q.db")
	raw := openRaw(t, path)
	if _, err := raw.ExecContext(t.Context(), "PRAGMA user_version = 1"); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	synctest.Test(t, func(t *testing.T) {
		db, err := sqlite.Open(sqlite.Options{Path: path, Create: true})
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		m := mapping(t, profile.Lease, "QueueDemo")
		if err := db.MakeSchema(t.Context(), &m); err != nil {
			t.Fatal(err)
		}
		q := db.Queue(m)
		if _, err := q.Enqueue(t.Context(), []model.NewJob{{Payload: "a"}}); err != nil {
			t.Fatal(err)
		}
		c, err := q.Claim(t.Context(), guid(1), "w", 1, time.Hour)
		if err != nil || len(c) != 1 {
			t.Fatal(c, err)
		}
		if !c[0].Lease.At.Equal(time.Now().Add(time.Hour)) {
			t.Errorf("the lease ends at %s, an hour from %s is wanted", c[0].Lease.At, time.Now())
		}
		time.Sleep(time.Hour + time.Millisecond)
		back, err := q.Recover(t.Context(), guid(2), 10, 0, model.DefaultBackoff(), 100)
		if err != nil || len(back) != 1 {
			t.Errorf("recovered %v after the hour: %v", back, err)
		}
	})
	if took := time.Since(began); took > time.Minute {
		t.Errorf("an hour took %s", took)
	}
}

// TestVirtualLock is a writer that waits for another's lock in virtual time.
func TestVirtualLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "q.db")
	raw := openRaw(t, path)
	if _, err := raw.ExecContext(t.Context(), bareDDL); err != nil {
		t.Fatal(err)
	}
	if _, err := raw.ExecContext(t.Context(), "BEGIN IMMEDIATE"); err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		db, err := sqlite.Open(sqlite.Options{Path: path})
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		q := db.Queue(mapping(t, profile.Bare, "QueueDemo"))
		if _, err := q.Probe(t.Context()); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		began := time.Now()
		_, err = q.Claim(ctx, guid(1), "w", 1, time.Minute)
		if f := fault(t, err); f.Class != model.FaultBusy {
			t.Error(f)
		}
		if took := time.Since(began); took < 100*time.Millisecond || took > 110*time.Millisecond {
			t.Errorf("it gave up after %s, at its deadline is wanted", took)
		}
	})
}
