package drill

import (
	"context"
	"fmt"
	"time"

	"github.com/leasetop/leasetop/model"
)

// script is one scene told step by step by one caller. The first step that fails
// is kept and ends it: all later steps do nothing.
type script struct {
	ctx   context.Context
	q     Queue
	b     place
	lease time.Duration
	err   error
}

func newScript(ctx context.Context, r *round, b place) *script {
	return &script{ctx: ctx, q: b.Queue(0), b: b, lease: r.lab.Engine().Lease}
}

// enqueue adds n jobs like j.
func (s *script) enqueue(n int, j model.NewJob) []model.Key {
	if s.err != nil {
		return nil
	}
	jobs := make([]model.NewJob, n)
	for i := range jobs {
		jobs[i] = j
		if j.Payload == "" {
			jobs[i].Payload = fmt.Sprintf(`{"order":%d}`, i+1)
		}
	}
	keys, err := s.q.Enqueue(s.ctx, jobs)
	s.keep("enqueue", err)
	return keys
}

// claims takes up to n jobs.
func (s *script) claims(worker string, n int) []model.Claim {
	if s.err != nil {
		return nil
	}
	claims, err := s.q.Claim(s.ctx, newToken(), worker, n, s.lease)
	s.keep("claim", err)
	return claims
}

// claim takes the one job that must be there.
func (s *script) claim(worker string) model.Claim {
	c := s.claims(worker, 1)
	if len(c) != 1 {
		s.keep("claim", fmt.Errorf("%d jobs came, not one", len(c)))
		return model.Claim{}
	}
	return c[0]
}

// done is whether a step captured its row.
func (s *script) done(what string, step func() ([]model.Change, error)) bool {
	if s.err != nil {
		return false
	}
	changes, err := step()
	s.keep(what, err)
	return len(changes) > 0
}

func (s *script) complete(c model.Claim) bool {
	return s.done("complete", func() ([]model.Change, error) { return s.q.Complete(s.ctx, c.Key, c.Token) })
}

func (s *script) beat(c model.Claim) bool {
	return s.done("heartbeat", func() ([]model.Change, error) { return s.q.Heartbeat(s.ctx, c.Key, c.Token, s.lease) })
}

func (s *script) fail(c model.Claim, delay time.Duration, text string) bool {
	return s.done("fail", func() ([]model.Change, error) { return s.q.Fail(s.ctx, c.Key, c.Token, newToken(), delay, text) })
}

func (s *script) release(c model.Claim) bool {
	return s.done("release", func() ([]model.Change, error) { return s.q.Release(s.ctx, c.Key, c.Token, newToken()) })
}

// act sends an operator's act about a claim as it was seen.
func (s *script) act(a model.Action, c model.Claim) bool {
	return s.done(a.String(), func() ([]model.Change, error) {
		changes, _, err := s.q.Apply(s.ctx, model.Intent{
			Action: a, Key: c.Key, ActionID: newToken(), Actor: "drill", Reason: "a drill", By: 4 * s.lease,
			Seen: model.Seen{State: model.Working, Token: c.Token, Lease: c.Lease, Attempts: c.Attempts},
		})
		return changes, err
	})
}

// recover takes back what is over.
func (s *script) recover(w model.Backoff) []model.Change {
	if s.err != nil {
		return nil
	}
	changes, err := s.q.Recover(s.ctx, newToken(), 500, 0, w, 100)
	s.keep("recover", err)
	return changes
}

// promote makes ready what is due.
func (s *script) promote() {
	if s.err == nil {
		_, err := s.q.Promote(s.ctx, 500)
		s.keep("promote", err)
	}
}

// pass lets time pass.
func (s *script) pass(d time.Duration) {
	if s.err == nil {
		s.keep("waiting", s.b.Pass(s.ctx, d))
	}
}

// row reads a job that must be there; never nil.
func (s *script) row(k model.Key) *model.Job {
	if s.err != nil {
		return &model.Job{}
	}
	j, _, err := s.q.Inspect(s.ctx, k)
	if err == nil && j == nil {
		err = fmt.Errorf("job %s is gone", k)
	}
	s.keep("inspect", err)
	if s.err != nil {
		return &model.Job{}
	}
	return j
}

// kinds are the kinds of a job's history, oldest first.
func (s *script) kinds(k model.Key) []model.EventKind {
	if s.err != nil {
		return nil
	}
	events, _, err := s.q.History(s.ctx, k, historyCap)
	s.keep("history", err)
	out := make([]model.EventKind, len(events))
	for i, e := range events {
		out[len(events)-1-i] = e.Kind
	}
	return out
}

func (s *script) keep(what string, err error) {
	if s.err == nil && err != nil {
		s.err = fmt.Errorf("%s: %w", what, err)
	}
}
