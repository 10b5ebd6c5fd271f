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

// abandon claims n jobs as a worker that dies at once.
func (b *bench) abandon(n int, lease time.Duration) []model.Claim {
	b.t.Helper()
	claims, err := b.Claim(context.Background(), guid(n, 99), "gone", n, lease)
	if err != nil || len(claims) != n {
		b.t.Fatalf("%d of %d jobs claimed: %v", len(claims), n, err)
	}
	for _, c := range claims {
		b.note(worker.Event{Kind: worker.EventClaimed, Worker: "gone", Key: c.Key, Token: c.Token, Attempts: c.Attempts})
	}
	return claims
}

// TestRecoverFromEightPlaces lets eight recoverers race for the same expired rows:
// each row is taken back once.
func TestRecoverFromEightPlaces(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		keys := b.enqueue(1200)
		b.abandon(1200, time.Second)
		wait(2 * time.Second)
		var all sync.WaitGroup
		total, failed := make(chan int, 8), make(chan int, 8)
		for range 8 {
			all.Go(func() {
				// Every lease has run out: each of them waits one full lease first.
				got, err := worker.NewRecoverer(b, worker.RecoverOptions{Lease: testLease, Events: b.note}).Once(context.Background())
				if err != nil || !strings.Contains(got.Waited, "1200 of 1200 leases") {
					t.Errorf("%+v, %v", got, err)
				}
				total <- got.Recovered
				failed <- got.Failed
			})
		}
		all.Wait()
		sum := 0
		for range 8 {
			sum += <-total
			<-failed
		}
		if sum != 1200 {
			t.Errorf("%d rows were taken back in all, want each of 1200 once", sum)
		}
		seen := map[model.Key]bool{}
		for _, e := range b.of(worker.EventRecovered) {
			if seen[e.Key] {
				t.Errorf("job %s was recovered twice", e.Key)
			}
			seen[e.Key] = true
		}
		r := b.start(b, worker.Simulate{}.Handle, worker.Options{Workers: 4, Lease: testLease})
		b.ended(1200)
		if err := r.end(); err != nil {
			t.Fatal(err)
		}
		b.check(keys)
	})
}

// TestMassExpiry is an outage: the server is out of reach for ten leases, so that
// every lease looks expired although every worker lives. Recovery waits one lease,
// the workers beat again, and no job runs twice.
func TestMassExpiry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		keys := b.enqueue(12)
		var mu sync.Mutex
		down := false
		cut := func() error {
			mu.Lock()
			defer mu.Unlock()
			if down {
				return &model.Fault{Class: model.FaultNetwork, Text: "no route"}
			}
			return nil
		}
		q := &tamper{Queue: b}
		q.promote = func(ctx context.Context, n int) ([]model.Change, error) {
			if err := cut(); err != nil {
				return nil, err
			}
			return b.Promote(ctx, n)
		}
		q.pulse = func(ctx context.Context, ask model.PulseAsk) (model.Pulse, time.Time, error) {
			if err := cut(); err != nil {
				return model.Pulse{}, time.Time{}, err
			}
			return b.Pulse(ctx, ask)
		}
		const lease = time.Minute
		b.abandon(12, lease)
		ctx, stop := context.WithCancel(context.Background())
		done := make(chan error, 1)
		go func() { done <- worker.NewRecoverer(q, worker.RecoverOptions{Lease: lease, Events: b.note}).Run(ctx) }()
		wait(lease / 2)
		mu.Lock()
		down = true
		mu.Unlock()
		wait(10 * lease)
		mu.Lock()
		down = false
		mu.Unlock()
		wait(lease * 9 / 10)
		if n := len(b.of(worker.EventRecovered)); n != 0 {
			t.Errorf("%d rows were taken back within a lease of the reconnect", n)
		}
		waits := b.of(worker.EventWaiting)
		if len(waits) != 1 || !strings.Contains(waits[0].Text, "could not be reached for 10m") || waits[0].For != lease {
			t.Errorf("waits were told as %+v", waits)
		}
		wait(lease)
		if n := len(b.of(worker.EventRecovered)); n != 12 {
			t.Errorf("%d rows were taken back after the wait, want all 12", n)
		}
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
		_ = keys
	})
}

// TestRecoverOnce recovers, promotes and says what it did, at once when only a few
// leases ran out.
func TestRecoverOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		b.enqueue(3, func(j *model.NewJob) { j.MaxAttempts = model.NumberOf(1) })
		b.abandon(3, time.Second)
		b.enqueue(2, func(j *model.NewJob) { j.Delay = time.Second })
		b.enqueue(1, func(j *model.NewJob) { j.Delay = time.Hour })
		rec := worker.NewRecoverer(b, worker.RecoverOptions{Lease: testLease, Events: b.note})
		wait(1500 * time.Millisecond)
		begun := time.Now()
		got, err := rec.Once(context.Background())
		if want := (worker.Recovery{Recovered: 3, Failed: 3, Promoted: 2}); err != nil || got != want {
			t.Errorf("%+v, %v, want %+v", got, err, want)
		}
		if took := time.Since(begun); took != 0 {
			t.Errorf("it took %v, want no wait", took)
		}
		if got, err := rec.Once(context.Background()); err != nil || got != (worker.Recovery{}) {
			t.Errorf("the second round: %+v, %v, want nothing to do", got, err)
		}
	})
}

// TestRecoverManyAtOnce takes more rows back than one statement may touch, and
// promotes as many, in one round.
func TestRecoverManyAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		const many = 2*worker.RecoverLimit + 7
		b.enqueue(many)
		b.abandon(many, time.Second)
		b.enqueue(many, func(j *model.NewJob) { j.Delay = time.Second })
		wait(2 * time.Second)
		got, err := worker.NewRecoverer(b, worker.RecoverOptions{Lease: testLease, Backoff: model.Backoff{Base: time.Hour, Max: time.Hour}}).Once(t.Context())
		if err != nil || got.Recovered != many || got.Promoted != many {
			t.Errorf("%+v, %v, want %d recovered and promoted", got, err, many)
		}
	})
}

// TestWavesAreJudgedApart lets a few leases run out and be taken back, again and
// again: what was taken back does not hide a later wave.
func TestWavesAreJudgedApart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		rec := worker.NewRecoverer(b, worker.RecoverOptions{
			Lease: testLease, Backoff: model.Backoff{Base: time.Hour, Max: time.Hour},
		})
		for _, wave := range []struct {
			n      int
			waited string
		}{{9, ""}, {9, ""}, {12, "12 of 12 leases ran out at once"}} {
			b.enqueue(wave.n)
			b.abandon(wave.n, time.Second)
			wait(1500 * time.Millisecond)
			got, err := rec.Once(t.Context())
			if err != nil || got.Recovered != wave.n || got.Waited != wave.waited {
				t.Errorf("a wave of %d: %+v, %v", wave.n, got, err)
			}
		}
	})
}

// TestRecoverEndsWithContext stops a recovery that waits for its lease.
func TestRecoverEndsWithContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		b.enqueue(20)
		b.abandon(20, time.Second)
		wait(2 * time.Second)
		ctx, stop := context.WithTimeout(context.Background(), time.Second)
		defer stop()
		got, err := worker.NewRecoverer(b, worker.RecoverOptions{Lease: time.Hour}).Once(ctx)
		if err == nil || got.Recovered != 0 {
			t.Errorf("%+v, %v, want the context's error and nothing recovered", got, err)
		}
	})
}
