package drill

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/leasetop/leasetop/model"
)

// brakeJobs bounds the jobs of the scene: more than are counted exactly show
// nothing more.
const brakeJobs = 4000

// braked lets an operator stop the claims of a queue while many claim, and let them
// go on again.
func braked(ctx context.Context, r *round) error {
	return r.on(ctx, Order{Name: "brake", Processes: (r.o.Claimers+3)/4 + 1}, func(ctx context.Context, p place) error {
		jobs := min(r.o.Jobs, brakeJobs)
		if err := fill(ctx, p.Queue(0), jobs, model.NewJob{}); err != nil {
			return err
		}
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		c := &claimLog{jobs: jobs}
		var all sync.WaitGroup
		for i := range r.o.Claimers {
			all.Go(func() { c.claim(ctx, p.Queue(i+1), claimer(i), r.o.Lease*100) })
		}
		err := c.brake(ctx, r, p.Queue(0))
		stop()
		all.Wait()
		return errors.Join(err, c.err())
	})
}

// claimLog is what claimers were given, and when they had asked for it.
type claimLog struct {
	jobs int

	mu      sync.Mutex
	got     []asked
	braked  int       // claims that the brake refused
	receipt time.Time // of the brake; zero: it is not put yet
	since   int       // claims that were asked for after it, and answered
	errs    error
}

type asked struct {
	claim model.Claim
	at    time.Time // before the claim was sent
}

// claim claims one job after the other until the context ends. However late the brake
// comes, some jobs are left for it to stop.
func (c *claimLog) claim(ctx context.Context, q Queue, name string, lease time.Duration) {
	for ctx.Err() == nil {
		if c.few() {
			wait(ctx, time.Millisecond)
			continue
		}
		at := time.Now()
		claims, err := q.Claim(context.WithoutCancel(ctx), newToken(), name, 1, lease)
		var f *model.Fault
		c.mu.Lock()
		switch {
		case errors.As(err, &f) && f.Brake != nil:
			c.braked++
		case err != nil:
			c.errs = err
		}
		for _, claim := range claims {
			c.got = append(c.got, asked{claim, at})
		}
		if !c.receipt.IsZero() && at.After(c.receipt) {
			c.since++
		}
		over := c.errs != nil || len(c.got) >= c.jobs
		c.mu.Unlock()
		if over || !wait(ctx, time.Millisecond) {
			return
		}
	}
}

// few reports whether so many jobs are gone before the brake that it gets the rest.
func (c *claimLog) few() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.receipt.IsZero() && len(c.got) > c.jobs*3/4
}

func (c *claimLog) err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.errs
}

// claimed is how many jobs came.
func (c *claimLog) claimed() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.got)
}

// until waits until the log says yes, or the patience is over.
func (c *claimLog) until(ctx context.Context, patience time.Duration, yes func() bool) bool {
	for begun := time.Now(); time.Since(begun) < patience; {
		c.mu.Lock()
		ok := yes()
		c.mu.Unlock()
		if ok {
			return true
		}
		if !wait(ctx, time.Millisecond) {
			return false
		}
	}
	return false
}

// brake puts the brake in the midst of it, looks, and releases it.
func (c *claimLog) brake(ctx context.Context, r *round, q Queue) error {
	t := r.of(brakeStops)
	c.until(ctx, r.o.Patience, func() bool { return len(c.got) > c.jobs/4 || c.errs != nil })
	if c.claimed() == 0 {
		return errors.New("no claim got a job, so a brake would show nothing")
	}
	done, _, _, err := q.ApplyBrake(ctx, act(model.PutBrake))
	if err != nil {
		return err
	}
	c.mu.Lock()
	c.receipt = time.Now()
	c.mu.Unlock()
	if !done {
		t.fault("the brake was not put")
	}
	before, err := working(ctx, q)
	if err != nil {
		return err
	}
	if !c.until(ctx, r.o.Patience, func() bool { return c.since >= r.o.Claimers || len(c.got) >= c.jobs || c.errs != nil }) {
		return errors.New("nobody asked for a job after the brake, so it would show nothing")
	}
	after, err := working(ctx, q)
	if err != nil {
		return err
	}
	if after != before {
		t.fault("%d jobs were in work at the receipt, %d a moment later", before, after)
	}
	c.mu.Lock()
	held, refused := c.got[0].claim, c.braked
	for _, a := range c.got {
		if a.at.After(c.receipt) {
			t.fault("job %s was claimed by a claim sent after the receipt", a.claim.Key)
		}
	}
	c.mu.Unlock()
	if changes, err := q.Complete(ctx, held.Key, held.Token); err != nil || len(changes) == 0 {
		t.fault("a worker could not end its job under the brake: %v", err)
	}
	if done, _, _, err = q.ApplyBrake(ctx, act(model.FreeBrake)); err != nil {
		return err
	}
	if !done || !c.until(ctx, r.o.Patience, func() bool { return len(c.got) >= c.jobs || c.errs != nil }) {
		t.fault("claims did not go on when it was released")
	}
	t.say(brakeStops, "put after %d claims by %d claimers: none began after its receipt, %d were refused; a worker could still complete; claims went on after its release", before, r.o.Claimers, refused)
	return nil
}

func act(a model.Action) model.Intent {
	return model.Intent{Action: a, ActionID: newToken(), Actor: "drill", Reason: "a drill"}
}

// working is how many jobs are in work.
func working(ctx context.Context, q Queue) (int64, error) {
	p, _, err := q.Pulse(ctx, model.PulseAsk{})
	return p.Working.N, err
}
