package worker_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/leasetop/leasetop/internal/worker"
	"github.com/leasetop/leasetop/model"
)

const testLease = 6 * time.Second

// TestFence cuts every heartbeat: the handler's context ends a tenth of the lease
// before the lease does, with the cause ErrLost, and nothing is completed although
// the handler says that it is done.
func TestFence(t *testing.T) {
	for name, beat := range map[string]func(context.Context, model.Key, model.Token, time.Duration) ([]model.Change, error){
		"no answer": func(ctx context.Context, _ model.Key, _ model.Token, _ time.Duration) ([]model.Change, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		},
		"an error": func(context.Context, model.Key, model.Token, time.Duration) ([]model.Change, error) {
			return nil, &model.Fault{Class: model.FaultNetwork, Text: "broken pipe", Unsure: true}
		},
	} {
		t.Run(name, func(t *testing.T) { synctest.Test(t, func(t *testing.T) { fence(t, beat) }) })
	}
}

func fence(t *testing.T, beat func(context.Context, model.Key, model.Token, time.Duration) ([]model.Change, error)) {
	b := newBench(t)
	var completions atomic.Int32
	q := &tamper{Queue: b, beat: beat, complete: func(ctx context.Context, k model.Key, tk model.Token) ([]model.Change, error) {
		completions.Add(1)
		return b.Complete(ctx, k, tk)
	}}
	keys := b.enqueue(1)
	begun := make(chan time.Time, 9)
	ended := make(chan error, 9)
	r := b.start(q, func(ctx context.Context, _ model.Claim) error {
		begun <- time.Now()
		<-ctx.Done()
		ended <- context.Cause(ctx)
		return nil // it does not care
	}, worker.Options{Lease: testLease, Alone: true})
	at := <-begun
	if cause := <-ended; !errors.Is(cause, worker.ErrLost) {
		t.Errorf("the context ended with %v, want ErrLost", cause)
	}
	if after := time.Since(at); after > testLease*9/10 || after < testLease*8/10 {
		t.Errorf("the worker fenced itself %v after its claim, want just below %v", after, testLease*9/10)
	}
	if err := r.end(); err != nil {
		t.Error(err)
	}
	if n := completions.Load(); n != 0 {
		t.Errorf("%d completions were sent past the fence", n)
	}
	if j := b.job(keys[0]); j.State != model.Working {
		t.Errorf("the job is %s, want still working", j.State)
	}
	if got := len(b.of(worker.EventLost)); got != 1 {
		t.Errorf("the worker said %d times that its claim is lost, want once", got)
	}
}

// TestBeatsMoveTheFence runs a job ten times as long as its lease, over heartbeats
// of which every second one loses its reply.
func TestBeatsMoveTheFence(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		var beats atomic.Int32
		q := &tamper{Queue: b, beat: func(ctx context.Context, k model.Key, tk model.Token, lease time.Duration) ([]model.Change, error) {
			changes, err := b.Heartbeat(ctx, k, tk, lease)
			if beats.Add(1)%2 == 0 {
				return nil, &model.Fault{Class: model.FaultNetwork, Text: "cut", Unsure: true}
			}
			return changes, err
		}}
		keys := b.enqueue(1)
		r := b.start(q, worker.Simulate{Mean: 10 * testLease}.Handle, worker.Options{Lease: testLease, Alone: true})
		b.ended(1)
		if err := r.end(); err != nil {
			t.Error(err)
		}
		if j := b.job(keys[0]); j.State != model.Done || j.Attempts.N != 1 {
			t.Errorf("the job is %s after %d attempts, want done after one", j.State, j.Attempts.N)
		}
		if beats.Load() < 25 {
			t.Errorf("%d heartbeats over ten leases, want three a lease", beats.Load())
		}
		b.check(keys)
	})
}

// TestHungButBeating is the case for force: the work hangs, the heartbeats go on.
// A plain reclaim finds a live lease each time; force, given the token and a lease
// that many heartbeats have overtaken, is applied at the first try; the worker
// says lost within one heartbeat.
func TestHungButBeating(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		const beat = time.Second
		hung := make(chan model.Claim)
		lost := make(chan time.Time)
		r := b.start(b, func(ctx context.Context, c model.Claim) error {
			hung <- c
			<-ctx.Done()
			if !errors.Is(context.Cause(ctx), worker.ErrLost) {
				return context.Cause(ctx)
			}
			lost <- time.Now()
			return nil
		}, worker.Options{Lease: testLease, Beat: beat, Grace: -1})
		act := func(a model.Action, j *model.Job, id string) []model.Change {
			changes, _, err := b.Apply(context.Background(), model.Intent{
				Action: a, Key: j.Key, Seen: model.Seen{State: j.State, Token: j.Token, Lease: j.Lease}, ActionID: id, Actor: "test", Reason: "hangs",
			})
			if err != nil {
				t.Fatal(err)
			}
			return changes
		}
		for round := range 20 {
			b.enqueue(1, func(j *model.NewJob) { j.Priority = model.NumberOf(int64(100 - round)) })
			c := <-hung
			seen := b.job(c.Key)
			wait(3 * testLease)
			now := b.job(c.Key)
			if left, ok := now.Left(time.Now()); !ok || left <= testLease-2*beat {
				t.Fatalf("round %d: the lease has %v left, want a live one", round, left)
			}
			if got := act(model.Reclaim, seen, guid(round, 1)); len(got) != 0 {
				t.Fatalf("round %d: a live lease was reclaimed: %+v", round, got)
			}
			pressed := time.Now()
			if got := act(model.Force, seen, guid(round, 2)); len(got) != 1 || got[0].NewState != model.Ready {
				t.Fatalf("round %d: force was not applied: %+v", round, got)
			}
			// The same worker takes the job again once it has noticed.
			if late := (<-lost).Sub(pressed); late > beat*11/10 {
				t.Errorf("round %d: the worker noticed after %v, want within one heartbeat", round, late)
			}
			again := <-hung
			act(model.Force, b.job(again.Key), guid(round, 3))
			<-lost
		}
		r.stop()
		for done := false; !done; {
			select {
			case <-hung:
			case err := <-r.done:
				if err != nil {
					t.Error(err)
				}
				done = true
			}
		}
		if got := len(b.of(worker.EventLost)); got != 40 {
			t.Errorf("%d losses were told, want 40", got)
		}
	})
}
