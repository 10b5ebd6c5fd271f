package worker_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/leasetop/leasetop/internal/worker"
	"github.com/leasetop/leasetop/model"
)

// guid makes a readable action id.
func guid(a, b int) string { return fmt.Sprintf("%08X-%04X-4000-8000-000000000000", a, b) }

// TestDrain stops a pool with work in hand: what ends within the grace is
// completed, what obeys is given back with its attempt not counted, what does not
// stop is left to its lease; nothing new is claimed.
func TestDrain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		keys := b.enqueue(6)
		release := make(chan struct{})
		defer close(release)
		r := b.start(b, func(ctx context.Context, c model.Claim) error {
			switch c.Key {
			case keys[0], keys[1]:
				wait(5 * time.Second)
				return nil
			case keys[2]:
				<-release
				return nil
			}
			<-ctx.Done()
			return context.Cause(ctx)
		}, worker.Options{Workers: 5, Lease: time.Minute, Grace: 10 * time.Second, Stop: 2 * time.Second})
		wait(time.Second)
		begun := time.Now()
		if err := r.end(); err != nil {
			t.Error(err)
		}
		if took := time.Since(begun); took != 12*time.Second {
			t.Errorf("the drain took %v, want the grace and the stop", took)
		}
		want := []model.State{model.Done, model.Done, model.Working, model.Ready, model.Ready, model.Ready}
		for i, k := range keys {
			j := b.job(k)
			if j.State != want[i] {
				t.Errorf("job %d is %s, want %s", i, j.State, want[i])
			}
			if j.State == model.Ready && j.Attempts.N != 0 {
				t.Errorf("job %d counts %d attempts after its release", i, j.Attempts.N)
			}
		}
		if b.job(keys[3]).TotalClaims.N != 1 {
			t.Error("a release must not undo the total of claims")
		}
		if n := len(b.of(worker.EventLeft)); n != 1 {
			t.Errorf("%d jobs were left to their lease, want one", n)
		}
	})
}

// TestReleaseIsNotCounted restarts the workers under a job more often than its
// bound: a deploy must not send innocent jobs to the dead letters.
func TestReleaseIsNotCounted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		keys := b.enqueue(1, func(j *model.NewJob) { j.MaxAttempts = model.NumberOf(2) })
		for range 7 {
			r := b.start(b, worker.Simulate{Mean: time.Hour}.Handle, worker.Options{Lease: testLease, Grace: -1})
			wait(time.Second)
			if err := r.end(); err != nil {
				t.Fatal(err)
			}
		}
		r := b.start(b, worker.Simulate{Mean: time.Second}.Handle, worker.Options{Lease: testLease})
		b.ended(1)
		if err := r.end(); err != nil {
			t.Fatal(err)
		}
		if j := b.job(keys[0]); j.State != model.Done || j.Attempts.N != 1 || j.TotalClaims.N != 8 {
			t.Errorf("the job is %s after %d attempts and %d claims, want done, 1, 8", j.State, j.Attempts.N, j.TotalClaims.N)
		}
		b.check(keys)
	})
}

// TestBatch claims four at once: the heartbeats cover those that wait, and a drain
// gives back those that were not begun.
func TestBatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		keys := b.enqueue(8)
		r := b.start(b, worker.Simulate{Mean: testLease}.Handle, worker.Options{Lease: testLease, Batch: 4})
		wait(4*testLease + 3*time.Second) // the second batch is in hand
		if err := r.end(); err != nil {
			t.Fatal(err)
		}
		for i, k := range keys {
			want := model.Done
			if i > 4 {
				want = model.Ready
			}
			if j := b.job(k); j.State != want {
				t.Errorf("job %d is %s, want %s", i, j.State, want)
			}
		}
		if n := len(b.of(worker.EventLost)); n != 0 {
			t.Errorf("%d claims were lost while they waited for their turn", n)
		}
	})
}

// TestPanic turns a panic, and a handler that ends its goroutine, into a failure
// with a diagnostic; the worker goes on.
func TestPanic(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		keys := b.enqueue(2, func(j *model.NewJob) { j.MaxAttempts = model.NumberOf(1) })
		good := b.enqueue(1)
		r := b.start(b, func(_ context.Context, c model.Claim) error {
			if c.Key == keys[0] {
				panic("out of paper")
			}
			if c.Key == keys[1] {
				return errors.New("two\nlines \x1b[31m" + strings.Repeat("ü", 4000))
			}
			return nil
		}, worker.Options{Lease: testLease})
		b.ended(3)
		if err := r.end(); err != nil {
			t.Fatal(err)
		}
		if j := b.job(keys[0]); j.State != model.Failed || !strings.HasPrefix(j.Error, "panic: out of paper") || !strings.Contains(j.Error, " in worker_test.TestPanic") {
			t.Errorf("the job is %s: %q", j.State, j.Error)
		}
		if j := b.job(keys[1]); !strings.HasPrefix(j.Error, "two⏎lines ü") || len([]rune(j.Error)) != 2000 {
			t.Errorf("the diagnostic has %d characters: %.40q", len([]rune(j.Error)), j.Error)
		}
		if j := b.job(good[0]); j.State != model.Done {
			t.Errorf("the job after a panic is %s", j.State)
		}
		b.check(append(keys, good...))
	})
}
