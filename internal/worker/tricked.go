package worker

import (
	"context"
	"time"

	"github.com/leasetop/leasetop/model"
)

// tricked is a queue between which and its workers a trainer's tricks stand.
type tricked struct {
	Queue
	mischief *Mischief
}

func (q *tricked) Claim(ctx context.Context, token, worker string, n int, lease time.Duration) ([]model.Claim, error) {
	claims, err := q.Queue.Claim(ctx, token, worker, n, lease)
	q.mischief.mu.Lock()
	defer q.mischief.mu.Unlock()
	for _, c := range claims {
		q.mischief.out[claimID{c.Key, c.Token}] = &victim{claim: c, worker: worker, struck: make(chan struct{})}
	}
	return claims, err
}

func (q *tricked) Heartbeat(ctx context.Context, k model.Key, t model.Token, lease time.Duration) ([]model.Change, error) {
	switch q.mischief.of(k, t) {
	case Kill:
		<-ctx.Done() // the dead send nothing and hear nothing
		return nil, context.Cause(ctx)
	case Stall:
		return []model.Change{{Key: k, OldToken: t, NewToken: t, OldState: model.Working, NewState: model.Working}}, nil
	default:
	}
	return q.Queue.Heartbeat(ctx, k, t, lease)
}

func (q *tricked) Complete(ctx context.Context, k model.Key, t model.Token) ([]model.Change, error) {
	lose := q.mischief.of(k, t) == LoseReply
	changes, err := q.Queue.Complete(ctx, k, t)
	q.mischief.forget(k, t)
	if err == nil && lose {
		return nil, &model.Fault{Class: model.FaultNetwork, Op: string(StepComplete), Text: "the reply was lost (a trick)", Unsure: true}
	}
	return changes, err
}

func (q *tricked) Fail(ctx context.Context, k model.Key, t model.Token, next string, delay time.Duration, diagnostic string) ([]model.Change, error) {
	q.mischief.forget(k, t)
	return q.Queue.Fail(ctx, k, t, next, delay, diagnostic)
}

func (q *tricked) Release(ctx context.Context, k model.Key, t model.Token, next string) ([]model.Change, error) {
	q.mischief.forget(k, t)
	return q.Queue.Release(ctx, k, t, next)
}

// Recover does nothing while nobody recovers.
func (q *tricked) Recover(ctx context.Context, next string, limit int, grace time.Duration, w model.Backoff, jitterPct int) ([]model.Change, error) {
	q.mischief.mu.Lock()
	blind := q.mischief.blind
	q.mischief.mu.Unlock()
	if blind {
		return nil, nil
	}
	return q.Queue.Recover(ctx, next, limit, grace, w, jitterPct)
}

// handler lets a trick interrupt the work in hand.
func (m *Mischief) handler(h Handler) Handler {
	return func(ctx context.Context, c model.Claim) error {
		v := m.victim(c.Key, c.Token)
		if v == nil {
			return h(ctx, c)
		}
		inner, stop := context.WithCancelCause(ctx)
		defer stop(nil)
		ended := make(chan error, 1)
		go func() { ended <- h(inner, c) }()
		select {
		case err := <-ended:
			if ctx.Err() != nil { // lost: no end will be sent
				m.forget(c.Key, c.Token)
			}
			return err
		case <-v.struck:
			stop(ErrLost)
			<-ended //nolint:errcheck // what the work said no longer matters: its worker is struck
		}
		if m.of(c.Key, c.Token) == Stall {
			if !pause(ctx, c.Granted*5/2) {
				return context.Cause(ctx)
			}
			return nil
		}
		<-ctx.Done()
		m.forget(c.Key, c.Token)
		return ErrLost
	}
}
