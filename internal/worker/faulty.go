package worker

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/leasetop/leasetop/model"
)

// Faulty is a queue between which and its workers something goes wrong: heartbeats
// of killed and stalled workers never leave, replies of applied steps get lost.
// The handler needs FaultyHandler with the same faults.
func Faulty(q Queue, f Faults) Queue {
	return &faulty{Queue: q, faults: f, plans: map[claimID]*plan{}}
}

type claimID struct {
	key   model.Key
	token model.Token
}

// plan is what goes wrong with one claim that is out.
type plan struct {
	fault Fault
	until time.Time // nothing asks about it any more
	lost  bool      // the one reply has been lost
}

type faulty struct {
	Queue
	faults Faults

	mu    sync.Mutex
	plans map[claimID]*plan
}

func (q *faulty) Claim(ctx context.Context, token, worker string, n int, lease time.Duration) ([]model.Claim, error) {
	claims, err := q.Queue.Claim(ctx, token, worker, n, lease)
	q.mu.Lock()
	defer q.mu.Unlock()
	now := time.Now()
	for id, p := range q.plans {
		if now.After(p.until) {
			delete(q.plans, id)
		}
	}
	for _, c := range claims {
		if f := q.faults(c); f != NoFault {
			q.plans[claimID{c.Key, c.Token}] = &plan{fault: f, until: now.Add(10 * lease)}
		}
	}
	return claims, err
}

func (q *faulty) fault(k model.Key, t model.Token) Fault {
	q.mu.Lock()
	defer q.mu.Unlock()
	if p := q.plans[claimID{k, t}]; p != nil {
		return p.fault
	}
	return NoFault
}

// lose reports whether this reply is the one that gets lost.
func (q *faulty) lose(k model.Key, t model.Token, f Fault) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	p := q.plans[claimID{k, t}]
	if p == nil || p.fault != f || p.lost {
		return false
	}
	p.lost = true
	return true
}

func (q *faulty) Heartbeat(ctx context.Context, k model.Key, t model.Token, lease time.Duration) ([]model.Change, error) {
	switch q.fault(k, t) {
	case Kill, Killer:
		<-ctx.Done() // the dead send nothing and hear nothing
		return nil, context.Cause(ctx)
	case Stall:
		// A process that stands still has no timers either: it believes that it holds.
		return []model.Change{{Key: k, OldToken: t, NewToken: t, OldState: model.Working, NewState: model.Working}}, nil
	default:
	}
	changes, err := q.Queue.Heartbeat(ctx, k, t, lease)
	return q.reply(k, t, LoseBeat, StepBeat, changes, err)
}

func (q *faulty) Complete(ctx context.Context, k model.Key, t model.Token) ([]model.Change, error) {
	changes, err := q.Queue.Complete(ctx, k, t)
	return q.reply(k, t, LoseReply, StepComplete, changes, err)
}

func (q *faulty) Fail(ctx context.Context, k model.Key, t model.Token, next string, delay time.Duration, diagnostic string) ([]model.Change, error) {
	changes, err := q.Queue.Fail(ctx, k, t, next, delay, diagnostic)
	return q.reply(k, t, LoseReply, StepFail, changes, err)
}

func (q *faulty) Release(ctx context.Context, k model.Key, t model.Token, next string) ([]model.Change, error) {
	changes, err := q.Queue.Release(ctx, k, t, next)
	return q.reply(k, t, LoseReply, StepRelease, changes, err)
}

// reply hands on what a step that was sent said, or loses it.
func (q *faulty) reply(k model.Key, t model.Token, f Fault, s Step, changes []model.Change, err error) ([]model.Change, error) {
	if err == nil && q.lose(k, t, f) {
		return nil, &model.Fault{Class: model.FaultNetwork, Op: string(s), Text: "the reply was lost (a fault on purpose)", Unsure: true}
	}
	return changes, err
}

// FaultyHandler is a handler that hangs, stalls or fails where the faults say so.
func FaultyHandler(h Handler, f Faults) Handler {
	return func(ctx context.Context, c model.Claim) error {
		switch f(c) {
		case Kill, Killer:
			<-ctx.Done()
			return ErrLost
		case Stall:
			if !pause(ctx, c.Granted*3/2) {
				return context.Cause(ctx)
			}
			return nil
		case Poison:
			return sour(ctx, c, "the payload names an article that does not exist")
		case Flaky:
			if c.Attempts.N <= 1 {
				return sour(ctx, c, "the carrier's API answered 503 twice")
			}
		default:
		}
		return h(ctx, c)
	}
}

// sour fails after a tenth of the lease, as work that finds its mistake does.
func sour(ctx context.Context, c model.Claim, text string) error {
	if !pause(ctx, c.Granted/10) {
		return context.Cause(ctx)
	}
	if c.Operation == "" {
		return errors.New(text)
	}
	return fmt.Errorf("%s (operation %s)", text, c.Operation)
}
