package worker_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/leasetop/leasetop/internal/drill"
	"github.com/leasetop/leasetop/internal/worker"
	"github.com/leasetop/leasetop/model"
)

func always(f worker.Fault) worker.Faults { return func(model.Claim) worker.Fault { return f } }

// TestLostReplies loses the reply of every end: completions, failures, releases.
// Each is confirmed by a re-read and no job runs more often than it has to.
func TestLostReplies(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		keys := b.enqueue(40, func(j *model.NewJob) { j.MaxAttempts = model.NumberOf(2) })
		bad := map[model.Key]bool{}
		for _, k := range keys[:10] {
			bad[k] = true
		}
		var mu sync.Mutex
		runs := map[model.Key]int{}
		faults := always(worker.LoseReply)
		r := b.start(worker.Faulty(b, faults), worker.FaultyHandler(func(_ context.Context, c model.Claim) error {
			mu.Lock()
			defer mu.Unlock()
			runs[c.Key]++
			if bad[c.Key] {
				return context.DeadlineExceeded
			}
			return nil
		}, faults), worker.Options{Workers: 4, Lease: testLease})
		b.ended(40)
		if err := r.end(); err != nil {
			t.Fatal(err)
		}
		for _, k := range keys {
			want := 1
			if bad[k] {
				want = 2
			}
			if runs[k] != want {
				t.Errorf("job %s ran %d times, want %d", k, runs[k], want)
			}
		}
		if n := len(b.of(worker.EventConfirmed)); n != 50 {
			t.Errorf("%d ends were confirmed, want all 50", n)
		}
		b.check(keys)
	})
}

// TestLostBeats loses one heartbeat's reply of each claim: the re-read finds the
// job still held and the work goes on.
func TestLostBeats(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		keys := b.enqueue(8)
		faults := always(worker.LoseBeat)
		r := b.start(worker.Faulty(b, faults), worker.Simulate{Mean: 3 * testLease}.Handle, worker.Options{Workers: 4, Lease: testLease})
		b.ended(8)
		if err := r.end(); err != nil {
			t.Fatal(err)
		}
		if c, l := len(b.of(worker.EventCompleted)), len(b.of(worker.EventLost)); c != 8 || l != 0 {
			t.Errorf("%d completed and %d lost, want 8 and none", c, l)
		}
		b.check(keys)
	})
}

// TestLostClaim loses the reply of a claim that was applied: nobody works on the
// row, its lease runs out, recovery returns it, the second attempt ends it.
func TestLostClaim(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		keys := b.enqueue(1)
		var calls atomic.Int32
		q := &tamper{Queue: b, claim: func(ctx context.Context, token, name string, n int, lease time.Duration) ([]model.Claim, error) {
			claims, err := b.Claim(ctx, token, name, n, lease)
			if calls.Add(1) == 1 {
				return nil, &model.Fault{Class: model.FaultNetwork, Text: "cut", Unsure: true}
			}
			return claims, err
		}}
		r := b.start(q, worker.Simulate{Mean: time.Second}.Handle, worker.Options{Lease: testLease})
		b.ended(1)
		if err := r.end(); err != nil {
			t.Fatal(err)
		}
		if j := b.job(keys[0]); j.State != model.Done || j.Attempts.N != 2 {
			t.Errorf("the job is %s after %d attempts, want done after two", j.State, j.Attempts.N)
		}
		b.check(keys)
	})
}

// TestNeverKnown cuts the worker off when it completes: no reply, no re-read. It
// must claim neither success nor failure, and send nothing past its fence.
func TestNeverKnown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		keys := b.enqueue(1)
		cut := &model.Fault{Class: model.FaultNetwork, Text: "no route", Unsure: true}
		var last time.Time
		begun := time.Now()
		q := &tamper{Queue: b,
			complete: func(context.Context, model.Key, model.Token) ([]model.Change, error) {
				last = time.Now()
				return nil, cut
			},
			inspect: func(context.Context, model.Key) (*model.Job, time.Time, error) { return nil, time.Time{}, cut },
		}
		r := b.start(q, worker.Simulate{Mean: time.Second}.Handle, worker.Options{Lease: testLease, Alone: true})
		wait(2 * testLease)
		if err := r.end(); err != nil {
			t.Fatal(err)
		}
		if n := len(b.of(worker.EventUnsure)); n != 1 {
			t.Errorf("%d unsure ends were told, want one", n)
		}
		if late := last.Sub(begun); late > testLease*9/10 || late < testLease/2 {
			t.Errorf("the last completion was sent after %v, want retries up to the fence and none beyond", late)
		}
		if j := b.job(keys[0]); j.State != model.Working {
			t.Errorf("the job is %s, want still working", j.State)
		}
	})
}

// TestStall lets a worker stand still past its lease. While nobody took the job
// back its late completion is accepted; once somebody did it is refused, and the
// job is done by the other's token only.
func TestStall(t *testing.T) {
	for name, recovered := range map[string]bool{"nobody recovers": false, "recovered meanwhile": true} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := newBench(t)
				keys := b.enqueue(1)
				faults := func(c model.Claim) worker.Fault {
					if c.Attempts.N == 1 {
						return worker.Stall
					}
					return worker.NoFault
				}
				h := worker.FaultyHandler(worker.Simulate{Mean: time.Second}.Handle, faults)
				r := b.start(worker.Faulty(b, faults), h, worker.Options{Workers: 2, Lease: testLease, Alone: !recovered})
				b.ended(1)
				wait(testLease)
				if err := r.end(); err != nil {
					t.Fatal(err)
				}
				wantTries, wantLost := int64(1), 0
				if recovered {
					wantTries, wantLost = 2, 1
				}
				if j := b.job(keys[0]); j.State != model.Done || j.Attempts.N != wantTries {
					t.Errorf("the job is %s after %d attempts, want done after %d", j.State, j.Attempts.N, wantTries)
				}
				if n := len(b.of(worker.EventLost)); n != wantLost {
					t.Errorf("%d losses were told, want %d", n, wantLost)
				}
				b.check(keys)
			})
		})
	}
}

// TestUnfencedIsCaught breaks the fence on purpose: a completion names whatever
// token the row carries. A stalled worker then ends its successor's attempt, and
// the invariants must say so.
func TestUnfencedIsCaught(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		keys := b.enqueue(1)
		q := &tamper{Queue: b, complete: func(ctx context.Context, k model.Key, _ model.Token) ([]model.Change, error) {
			return b.Complete(ctx, k, b.job(k).Token)
		}}
		faults := func(c model.Claim) worker.Fault {
			if c.Attempts.N == 1 {
				return worker.Stall
			}
			return worker.NoFault
		}
		h := worker.FaultyHandler(worker.Simulate{Mean: testLease}.Handle, faults)
		// Taken back and claimed again well before the stall of one and a half leases ends.
		r := b.start(worker.Faulty(q, faults), h, worker.Options{
			Workers: 2, Lease: testLease, Idle: 200 * time.Millisecond, Recover: worker.RecoverOptions{
				Every: 500 * time.Millisecond, Promote: 100 * time.Millisecond, Backoff: model.Backoff{Base: time.Millisecond, Max: time.Millisecond},
			},
		})
		wait(5 * testLease)
		if err := r.end(); err != nil {
			t.Fatal(err)
		}
		f, err := drill.Gather(t.Context(), b, keys)
		if err != nil {
			t.Fatal(err)
		}
		if r := drill.Check(&b.ledger, f); r.OK() {
			t.Errorf("a queue without a fence passes:\n%s", r)
		} else {
			t.Log("\n" + r.String())
		}
	})
}
