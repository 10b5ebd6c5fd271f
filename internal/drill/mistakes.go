package drill

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/leasetop/leasetop/model"
)

// The mistakes that a caller can make with statements that are sound. Each is the
// queue as such a caller uses it.

// between is how long such a caller takes from one statement to the next, as over any
// line: in that time the others read too.
const between = 5 * time.Millisecond

// selectThenUpdate claims in two statements, as if nobody stood between them.
func selectThenUpdate(q Queue, _ *round) Queue { return readThenTake{q} }

type readThenTake struct{ Queue }

func (q readThenTake) Claim(ctx context.Context, token, worker string, n int, lease time.Duration) ([]model.Claim, error) {
	jobs, err := q.First(ctx, n)
	if err != nil || len(jobs) > 0 && !wait(ctx, between) {
		return nil, errors.Join(err, context.Cause(ctx))
	}
	var out []model.Claim
	for _, j := range jobs {
		claims, err := q.Take(ctx, j.Key, token, worker, lease)
		if err != nil {
			return out, err
		}
		out = append(out, claims...)
	}
	return out, nil
}

// ahead is by how much the clock of a client goes wrong.
const ahead = 24 * time.Hour

// clientClock recovers by the clock of its own machine.
func clientClock(q Queue, _ *round) Queue { return ownClock{q} }

type ownClock struct{ Queue }

func (q ownClock) Recover(ctx context.Context, next string, limit int, grace time.Duration, _ model.Backoff, _ int) ([]model.Change, error) {
	page, _, err := q.Page(ctx, model.ViewWorking)
	if err != nil {
		return nil, err
	}
	var out []model.Change
	for _, j := range page.Jobs {
		if len(out) == limit || !j.Lease.At.Before(time.Now().Add(ahead-grace)) {
			continue
		}
		changes, _, err := q.Apply(ctx, model.Intent{
			Action: model.Force, Key: j.Key, ActionID: next, Seen: model.Seen{State: j.State, Token: j.Token},
		})
		if err != nil {
			return out, err
		}
		out = append(out, changes...)
	}
	return out, nil
}

// retryLost does a job's work again when its completion was not answered.
func retryLost(q Queue, r *round) Queue { return hasty{q, r} }

type hasty struct {
	Queue
	r *round
}

func (q hasty) Complete(ctx context.Context, k model.Key, t model.Token) ([]model.Change, error) {
	changes, err := q.Queue.Complete(ctx, k, t)
	if err == nil && len(changes) > 0 {
		return changes, nil
	}
	q.r.effects.happen(k)
	return q.Queue.Complete(ctx, k, t)
}

// noBackoff lets what went wrong come again at once.
func noBackoff(q Queue, _ *round) Queue { return eager{q} }

type eager struct{ Queue }

func (q eager) Fail(ctx context.Context, k model.Key, t model.Token, next string, _ time.Duration, diagnostic string) ([]model.Change, error) {
	return q.Queue.Fail(ctx, k, t, next, 0, diagnostic)
}

func (q eager) Recover(ctx context.Context, next string, limit int, grace time.Duration, _ model.Backoff, pct int) ([]model.Change, error) {
	return q.Queue.Recover(ctx, next, limit, grace, model.Backoff{}, pct)
}

// givesUp takes a heartbeat without an answer for a lost claim, without a second
// look.
func givesUp(q Queue, _ *round) Queue { return &timid{Queue: q, lost: map[model.Key]bool{}} }

type timid struct {
	Queue

	mu   sync.Mutex
	lost map[model.Key]bool
}

func (q *timid) Heartbeat(ctx context.Context, k model.Key, t model.Token, lease time.Duration) ([]model.Change, error) {
	changes, err := q.Queue.Heartbeat(ctx, k, t, lease)
	q.mu.Lock()
	defer q.mu.Unlock()
	q.lost[k] = q.lost[k] || err != nil
	return changes, err
}

func (q *timid) Inspect(ctx context.Context, k model.Key) (*model.Job, time.Time, error) {
	q.mu.Lock()
	lost := q.lost[k]
	q.mu.Unlock()
	if lost {
		return nil, time.Time{}, nil
	}
	return q.Queue.Inspect(ctx, k)
}

// purgeAhead purges by the clock of its own machine.
func purgeAhead(q Queue, _ *round) Queue { return ownCalendar{q} }

type ownCalendar struct{ Queue }

func (q ownCalendar) PurgeDone(ctx context.Context, until time.Time, n int, after model.Number) (int64, model.Number, bool, error) {
	return q.Queue.PurgeDone(ctx, until.Add(ahead), n, after)
}
