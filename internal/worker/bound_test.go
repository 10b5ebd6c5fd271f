package worker_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/leasetop/leasetop/internal/worker"
	"github.com/leasetop/leasetop/model"
)

// TestBound runs a poison job and one that kills its worker among good ones. Both
// are claimed exactly as often as their bound says and then lie in the dead
// letters with a diagnostic; everything else is done.
func TestBound(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		keys := b.enqueue(12, func(j *model.NewJob) { j.MaxAttempts = model.NumberOf(4) })
		poison, killer := keys[0], keys[1]
		var mu sync.Mutex
		handed := map[model.Key]int{}
		faults := func(c model.Claim) worker.Fault {
			switch c.Key {
			case poison:
				return worker.Poison
			case killer:
				return worker.Killer
			}
			return worker.NoFault
		}
		h := worker.FaultyHandler(worker.Simulate{Mean: time.Second}.Handle, faults)
		r := b.start(worker.Faulty(b, faults), func(ctx context.Context, c model.Claim) error {
			mu.Lock()
			handed[c.Key]++
			mu.Unlock()
			return h(ctx, c)
		}, worker.Options{Workers: 3, Lease: testLease})
		b.ended(12)
		if err := r.end(); err != nil {
			t.Fatal(err)
		}
		for k, text := range map[model.Key]string{
			poison: "the payload names an article that does not exist (operation ",
			killer: "lease expired, no word from the worker",
		} {
			j := b.job(k)
			if handed[k] != 4 || j.State != model.Failed || j.Attempts.N != 4 || !strings.HasPrefix(j.Error, text) {
				t.Errorf("job %s: handed out %d times, %s, %d attempts, %q", k, handed[k], j.State, j.Attempts.N, j.Error)
			}
		}
		for _, k := range keys[2:] {
			if j := b.job(k); j.State != model.Done || handed[k] != 1 {
				t.Errorf("job %s is %s after %d runs, want done after one", k, j.State, handed[k])
			}
		}
		b.check(keys)
	})
}

// TestBackoff holds the waits between the attempts of a failing job: a second,
// doubled, ± 20 %, and the wait for the next claim on top.
func TestBackoff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		keys := b.enqueue(1, func(j *model.NewJob) { j.MaxAttempts = model.NumberOf(6) })
		var at []time.Time
		r := b.start(b, func(context.Context, model.Claim) error {
			at = append(at, time.Now())
			return context.DeadlineExceeded
		}, worker.Options{Lease: testLease})
		b.ended(1)
		if err := r.end(); err != nil {
			t.Fatal(err)
		}
		if len(at) != 6 {
			t.Fatalf("%d attempts, want 6", len(at))
		}
		for i := 1; i < len(at); i++ {
			// Promotion runs once a second and an idle worker asks about once a second.
			base := time.Second << (i - 1)
			if d := at[i].Sub(at[i-1]); d < base*8/10 || d > base*12/10+2500*time.Millisecond {
				t.Errorf("attempt %d came %v after the one before, want about %v", i+1, d, base)
			}
		}
		b.check(keys)
	})
}
