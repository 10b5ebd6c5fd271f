package drill

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/leasetop/leasetop/internal/worker"
	"github.com/leasetop/leasetop/model"
)

// crew is the workers of a scene that runs in real time: pools over connections
// of their own, as many processes would be.
type crew struct {
	r      *round
	place  place
	ledger Ledger
	ended  atomic.Int64 // ends that workers and recovery were told of

	pools []*worker.Pool
}

// hire adds a pool over a queue.
func (c *crew) hire(q worker.Queue, h worker.Handler, o worker.Options) {
	o.Events = c.note
	if o.Lease == 0 {
		o.Lease = c.r.o.Lease
	}
	if o.Backoff == (model.Backoff{}) {
		o.Backoff = model.Backoff{Base: time.Millisecond, Max: 4 * time.Millisecond}
	}
	o.Idle, o.Grace, o.Stop = c.r.o.Lease/20, -1, c.r.o.Patience
	o.Recover.Promote = c.r.o.Lease / 40
	c.pools = append(c.pools, worker.New(q, h, o))
}

func (c *crew) note(e worker.Event) {
	c.ledger.Note(e)
	if e.State == model.Done || e.State == model.Failed {
		c.ended.Add(1)
	}
}

// work lets the pools run until stop says so or the context ends.
func (c *crew) work(ctx context.Context, until func(ctx context.Context) error) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var (
		all  sync.WaitGroup
		mu   sync.Mutex
		errs error
	)
	for _, p := range c.pools {
		all.Go(func() {
			if err := p.Run(ctx); err != nil {
				mu.Lock()
				defer mu.Unlock()
				errs = errors.Join(errs, err)
				stop()
			}
		})
	}
	err := until(ctx)
	stop()
	all.Wait()
	if errs != nil {
		return errs
	}
	return err
}

// untilEnded waits until no job is open, or nothing has come to its end for the
// round's patience: then what is open is a fault that the facts will show. While the
// machine stands still nobody can work either, so that the time from one look to the
// next counts for a tenth of the patience at the most.
func (c *crew) untilEnded(jobs int) func(ctx context.Context) error {
	return func(ctx context.Context) error {
		q := c.place.Queue(0)
		look := time.NewTicker(max(c.r.o.Lease/40, 5*time.Millisecond))
		defer look.Stop()
		quiet, at, last := time.Duration(0), time.Now(), int64(-1)
		for {
			p, _, err := q.Pulse(ctx, model.PulseAsk{})
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if err != nil {
				return err
			}
			open := p.Scheduled.N + p.Ready.N + p.Working.N
			if open == 0 {
				return nil
			}
			c.r.at(float64(c.ended.Load()) / float64(jobs))
			quiet += min(time.Since(at), c.r.o.Patience/10)
			at = time.Now()
			if now := c.ended.Load() - open; now != last {
				quiet, last = 0, now
			}
			if quiet > c.r.o.Patience {
				return nil
			}
			select {
			case <-look.C:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
	}
}

// wait takes time, and says whether it came to its end.
func wait(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}
