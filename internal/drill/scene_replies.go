package drill

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/leasetop/leasetop/internal/worker"
	"github.com/leasetop/leasetop/model"
)

// replyJobs is how many jobs lose a reply in each story.
const replyJobs = 6

// lostCompletions loses the reply of each first completion, and then the
// completion itself.
func lostCompletions(ctx context.Context, r *round) error {
	work := func(_ context.Context, c model.Claim) error { r.effects.happen(c.Key); return nil }
	err := r.replies(ctx, completionReply, &lossy{step: worker.StepComplete}, work, worker.EventConfirmed)
	if err != nil {
		return err
	}
	return r.replies(ctx, completionUnsent, &lossy{step: worker.StepComplete, before: true}, work, worker.EventCompleted)
}

// lostReplies loses the reply of each first heartbeat, failure and release.
func lostReplies(ctx context.Context, r *round) error {
	way := &lossy{step: worker.StepBeat}
	slow := func(ctx context.Context, c model.Claim) error {
		r.effects.happen(c.Key)
		for begun := time.Now(); !way.again(c); { // by then the worker did what it does about the lost one
			if time.Since(begun) > r.o.Patience {
				return errors.New("no heartbeat got through after the lost one")
			}
			if !wait(ctx, r.o.Lease/40) {
				return context.Cause(ctx)
			}
		}
		return nil
	}
	if err := r.replies(ctx, heartbeatReply, way, slow, worker.EventCompleted); err != nil {
		return err
	}
	sour := func(_ context.Context, c model.Claim) error {
		r.effects.happen(c.Key)
		return errors.New("no such article 4711")
	}
	if err := r.replies(ctx, failureReply, &lossy{step: worker.StepFail}, sour, worker.EventConfirmed); err != nil {
		return err
	}
	stuck := func(ctx context.Context, c model.Claim) error {
		r.effects.happen(c.Key)
		<-ctx.Done()
		return context.Cause(ctx)
	}
	return r.replies(ctx, releaseReply, &lossy{step: worker.StepRelease}, stuck, worker.EventConfirmed)
}

// replies works on jobs with one attempt each while replies get lost, and wants
// every claim to end as it should, every job to have run once, and nothing lost.
func (r *round) replies(ctx context.Context, name string, way *lossy, work worker.Handler, want worker.Kind) error {
	r.effects = &effects{}
	return r.on(ctx, Order{Name: "replies"}, func(ctx context.Context, p place) error {
		t := r.of(name)
		keys, err := enqueued(ctx, p.Queue(0), replyJobs, func(int) model.NewJob { return model.NewJob{MaxAttempts: model.NumberOf(1)} })
		if err != nil {
			return err
		}
		c := &crew{r: r, place: p}
		// No lease has to run out here, so none may on a machine that is short of breath.
		c.hire(p.through(0, way.on), work, worker.Options{Workers: replyJobs, Beat: r.o.Lease / 10, Lease: 50 * r.o.Lease})
		until := c.untilEnded(len(keys))
		if way.step == worker.StepRelease {
			until = c.untilBegun(keys)
		}
		if err := c.work(ctx, until); err != nil {
			return err
		}
		runs := 0
		for _, k := range keys {
			n := r.effects.of(k)
			runs += n
			if n != 1 {
				t.fault("job %s ran %d times", k, n)
			}
		}
		if n := c.ledger.Count(want); n != len(keys) {
			t.fault("%d workers were told %q, %d of them lost", n, want, c.ledger.Count(worker.EventLost))
		}
		if n := way.count(); n != len(keys) {
			t.fault("only %d replies got lost: nothing was shown", n)
		}
		t.say(name, "%d of %d lost, %d told %q; %d jobs ran %d times", way.count(), len(keys), c.ledger.Count(want), want, len(keys), runs)
		return nil
	})
}

// untilBegun waits until the work on every job has begun: a job that is only in hand
// when the drain comes is given back unworked.
func (c *crew) untilBegun(keys []model.Key) func(context.Context) error {
	idle := func(k model.Key) bool { return c.r.effects.of(k) == 0 }
	return func(ctx context.Context) error {
		for begun := time.Now(); slices.ContainsFunc(keys, idle); {
			if !wait(ctx, time.Millisecond) || time.Since(begun) > c.r.o.Patience {
				return ctx.Err()
			}
		}
		return nil
	}
}

// lossy is a way on which one message of each claim gets lost, once.
type lossy struct {
	step   worker.Step
	before bool // the call never arrives; otherwise its reply does not

	mu    sync.Mutex
	gone  map[claimID]bool
	after map[claimID]bool // the same step of the claim got through later
}

func (l *lossy) on(q Queue) Queue { return onTheWay{q, l} }

// again reports whether the claim has lost its message and got the next one through.
func (l *lossy) again(c model.Claim) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.after[claimID{c.Key, c.Token}]
}

func (l *lossy) count() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.gone)
}

// send carries a step over the way.
func (l *lossy) send(s worker.Step, k model.Key, t model.Token, step func() ([]model.Change, error)) ([]model.Change, error) {
	l.mu.Lock()
	lose := s == l.step && !l.gone[claimID{k, t}]
	if lose {
		if l.gone == nil {
			l.gone, l.after = map[claimID]bool{}, map[claimID]bool{}
		}
		l.gone[claimID{k, t}] = true
	}
	l.mu.Unlock()
	fault := &model.Fault{Class: model.FaultNetwork, Op: string(s), Text: "the line broke (on purpose)", Unsure: true}
	if lose && l.before {
		return nil, fault
	}
	changes, err := step()
	if lose && err == nil {
		return nil, fault
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if lose { // it came to nothing by itself: the next one is lost in its place
		delete(l.gone, claimID{k, t})
	} else if s == l.step && len(changes) > 0 {
		l.after[claimID{k, t}] = true
	}
	return changes, err
}

type onTheWay struct {
	Queue
	l *lossy
}

func (q onTheWay) Heartbeat(ctx context.Context, k model.Key, t model.Token, lease time.Duration) ([]model.Change, error) {
	return q.l.send(worker.StepBeat, k, t, func() ([]model.Change, error) { return q.Queue.Heartbeat(ctx, k, t, lease) })
}

func (q onTheWay) Complete(ctx context.Context, k model.Key, t model.Token) ([]model.Change, error) {
	return q.l.send(worker.StepComplete, k, t, func() ([]model.Change, error) { return q.Queue.Complete(ctx, k, t) })
}

func (q onTheWay) Fail(ctx context.Context, k model.Key, t model.Token, next string, delay time.Duration, diagnostic string) ([]model.Change, error) {
	return q.l.send(worker.StepFail, k, t, func() ([]model.Change, error) { return q.Queue.Fail(ctx, k, t, next, delay, diagnostic) })
}

func (q onTheWay) Release(ctx context.Context, k model.Key, t model.Token, next string) ([]model.Change, error) {
	return q.l.send(worker.StepRelease, k, t, func() ([]model.Change, error) { return q.Queue.Release(ctx, k, t, next) })
}
