package drill

import (
	"context"
	"strings"
	"time"

	"github.com/leasetop/leasetop/model"
)

// bounds tells what counts as an attempt, and what comes after the last.
func bounds(ctx context.Context, r *round) error {
	return r.on(ctx, Order{Name: "bounds"}, func(ctx context.Context, p place) error {
		s := newScript(ctx, r, p)
		released(s, r.of(releaseUncounted))
		bounded(s, r.of(poisonEnds), poisonEnds, "no such article 4711", func(c model.Claim) { s.fail(c, 0, "no such article 4711") })
		bounded(s, r.of(killerEnds), killerEnds, "lease expired", func(model.Claim) {
			s.over()
			s.recover(model.Backoff{})
		})
		return s.err
	})
}

// released gives a job back more often than its bound.
func released(s *script, t *tally) {
	const bound = 2
	k := s.enqueue(1, model.NewJob{MaxAttempts: model.NumberOf(bound)})
	times := 0
	for s.err == nil && times < 2*bound {
		c := s.claims("worker-a", 1)
		if len(c) == 0 {
			t.fault("after %d releases the job came to nobody", times)
			break
		}
		if c[0].Attempts.N != 1 {
			t.fault("the claim after %d releases is attempt %d", times, c[0].Attempts.N)
		}
		times++
		s.release(c[0])
	}
	if s.err != nil {
		return
	}
	j := s.row(k[0])
	if j.Attempts.N != 0 || j.TotalClaims.N != int64(times) {
		t.fault("the row counts %d attempts and %d claims", j.Attempts.N, j.TotalClaims.N)
	}
	t.say(releaseUncounted, "claimed and released %d times with a bound of %d: %d attempts, %d claims counted", times, bound, j.Attempts.N, j.TotalClaims.N)
	s.gone(k[0], j)
}

// gone takes a ready job out of the way.
func (s *script) gone(k model.Key, j *model.Job) {
	if s.err != nil {
		return
	}
	_, _, err := s.q.Apply(s.ctx, model.Intent{
		Action: model.DeadLetter, Key: k, ActionID: newToken(), Actor: "drill", Reason: "a drill",
		Seen: model.Seen{State: j.State, Token: j.Token},
	})
	s.keep("dead-letter", err)
}

// bounded lets every attempt of a job end badly until nobody gets it any more.
func bounded(s *script, t *tally, name, diagnostic string, end func(model.Claim)) {
	const bound = 3
	keys := s.enqueue(1, model.NewJob{MaxAttempts: model.NumberOf(bound)})
	claims := 0
	for s.err == nil && claims < 2*bound {
		s.pass(time.Millisecond)
		s.promote()
		c := s.claims("worker-a", 1)
		if len(c) == 0 {
			break
		}
		claims++
		end(c[0])
	}
	if s.err != nil {
		return
	}
	j := s.row(keys[0])
	if claims != bound {
		t.fault("it was claimed %d times", claims)
	}
	if j.State != model.Failed {
		t.fault("it is %s", j.State)
	}
	if !strings.Contains(j.Error, diagnostic) {
		t.fault("its diagnostic is %q", j.Error)
	}
	t.say(name, "claimed %d times with a bound of %d, then %s: %q", claims, bound, j.State, j.Error)
	if j.State != model.Failed {
		s.gone(keys[0], j)
	}
}
