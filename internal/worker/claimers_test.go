package worker_test

import (
	"context"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/leasetop/leasetop/internal/profile"
	"github.com/leasetop/leasetop/internal/worker"
	"github.com/leasetop/leasetop/model"
)

// TestClaimers: 64 claimers over four connections to one file, with lost replies,
// failing and poisoned jobs among them; every guarantee holds at the end.
func TestClaimers(t *testing.T) { claimers(t, 5_000) }

func claimers(t *testing.T, jobs int) {
	const pools, each = 4, 16
	path := filepath.Join(t.TempDir(), "queue.db")
	first := benchAt(t, path, profile.Lease)
	var keys []model.Key
	for len(keys) < jobs {
		keys = append(keys, first.enqueue(min(1000, jobs-len(keys)), func(j *model.NewJob) { j.MaxAttempts = model.NumberOf(3) })...)
	}
	faults := worker.Chances{Seed: 7, Poison: 0.01, Flaky: 0.02, LoseReply: 0.05}.Of
	ends := newEnds(jobs, first.ledger.Note)
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	var all sync.WaitGroup
	begun := time.Now()
	for range pools {
		q := worker.Faulty(benchAt(t, path, profile.Lease), faults)
		p := worker.New(q, hurried(worker.FaultyHandler(worker.Simulate{}.Handle, faults)), worker.Options{
			Workers: each, Lease: time.Minute, Backoff: model.Backoff{Base: time.Millisecond, Max: 4 * time.Millisecond},
			Recover: worker.RecoverOptions{Promote: 20 * time.Millisecond}, Events: ends.note,
		})
		all.Go(func() {
			if err := p.Run(ctx); err != nil {
				t.Error(err)
			}
		})
	}
	select {
	case <-ends.all:
	case <-t.Context().Done():
	}
	took := time.Since(begun)
	stop()
	all.Wait()
	r := first.check(keys)
	t.Logf("%d jobs in %v, %.0f a second\n%s", jobs, took.Round(time.Millisecond), float64(jobs)/took.Seconds(), r)
}

// hurried tells the handler of a lease without length: its failures take no time.
func hurried(h worker.Handler) worker.Handler {
	return func(ctx context.Context, c model.Claim) error {
		c.Granted = 0
		return h(ctx, c)
	}
}

// ends counts the jobs that came to their end and says when all have.
type ends struct {
	next func(worker.Event)
	all  chan struct{}

	mu   sync.Mutex
	over map[model.Key]bool
	n    int
}

func newEnds(n int, next func(worker.Event)) *ends {
	return &ends{next: next, all: make(chan struct{}), over: make(map[model.Key]bool, n), n: n}
}

func (e *ends) note(ev worker.Event) {
	e.next(ev)
	if ev.State != model.Done && ev.State != model.Failed {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.over[ev.Key] {
		e.over[ev.Key] = true
		if len(e.over) == e.n {
			close(e.all)
		}
	}
}
