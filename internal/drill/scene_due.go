package drill

import (
	"context"
	"time"

	"github.com/leasetop/leasetop/model"
)

// due tells when a job that has to wait comes.
func due(ctx context.Context, r *round) error {
	for _, play := range []func(*script, *round){backedOff, promoted} {
		err := r.on(ctx, Order{Name: "due"}, func(ctx context.Context, p place) error {
			s := newScript(ctx, r, p)
			play(s, r)
			return s.err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// backedOff: two failures and two recoveries of one job, each followed by its
// wait. What is judged are the queue's own times, so that a slow line decides
// nothing.
func backedOff(s *script, r *round) {
	t := r.of(backoffKept)
	base := s.lease / 4
	w := model.Backoff{Base: base, Max: 8 * base}
	k := s.enqueue(1, model.NewJob{MaxAttempts: model.NumberOf(9)})
	waited := func(wait time.Duration, what string) {
		event, j := s.last(k), s.row(firstOf(k))
		if got := j.Available.At.Sub(event.At); s.err == nil && got < wait {
			t.fault("after %s the job is due in %v, not in %v", what, got, wait)
		}
		s.promote()
		for _, c := range s.claims("worker-b", 1) {
			if at := s.row(c.Key).Claimed.At; at.Before(event.At.Add(wait)) {
				t.fault("after %s the job came %v before its time", what, event.At.Add(wait).Sub(at))
			}
			s.release(c)
		}
		s.pass(wait + wait/10)
		s.promote()
		if s.err == nil && s.row(firstOf(k)).State != model.Ready {
			t.fault("after %s the job was not ready when its wait was over", what)
		}
	}
	for n := int64(1); n <= 2; n++ {
		c := s.claim("worker-a")
		s.fail(c, w.After(n), "the carrier answers 503")
		waited(w.After(n), "a failure")
	}
	for n := int64(3); n <= 4; n++ {
		s.claim("worker-a")
		s.over()
		s.recover(w)
		waited(w.After(n), "a recovery")
	}
	t.say(backoffKept, "after 2 failures and 2 recoveries due in %v, %v, %v, %v", w.After(1), w.After(2), w.After(3), w.After(4))
}

// last is the newest event of the first of the keys.
func (s *script) last(keys []model.Key) model.Event {
	if s.err != nil {
		return model.Event{}
	}
	events, _, err := s.q.History(s.ctx, firstOf(keys), 1)
	s.keep("history", err)
	if len(events) == 0 {
		return model.Event{}
	}
	return events[0]
}

func firstOf(keys []model.Key) model.Key {
	if len(keys) == 0 {
		return model.Key{}
	}
	return keys[0]
}

// promoted: jobs that are due one after the other.
func promoted(s *script, r *round) {
	t := r.of(promotedWhenDue)
	const jobs = 4
	step := s.lease / 4
	for i := range jobs {
		s.enqueue(1, model.NewJob{Delay: time.Duration(i+1) * step})
	}
	came := 0
	for range jobs + 2 {
		s.promote()
		for _, c := range s.claims("worker-a", jobs) {
			came++
			if j := s.row(c.Key); j.Claimed.At.Before(j.Available.At) {
				t.fault("job %s came %v before it was due", c.Key, j.Available.At.Sub(j.Claimed.At))
			}
		}
		s.pass(step)
	}
	if s.err == nil && came != jobs {
		t.fault("%d of %d scheduled jobs came when all were due", came, jobs)
	}
	t.say(promotedWhenDue, "%d scheduled jobs, due one after the other: %d came, looked for %d times", jobs, came, jobs+2)
}
