package drill

import (
	"context"
	"fmt"
	"time"

	"github.com/leasetop/leasetop/model"
)

// skew is by how much the queue's clock and this machine's differ, where the lab
// sets it.
const skew = 6 * time.Hour

// clocks lets a queue run under a clock that is far from this machine's.
func clocks(ctx context.Context, r *round) error {
	t := r.of(serverClock)
	skews := []time.Duration{-skew, skew}
	what := fmt.Sprintf("the queue's clock %v behind and %v ahead of this machine's", skew, skew)
	if !r.lab.Engine().Clock {
		skews, what = []time.Duration{0}, "the server's clock as it is"
	}
	for _, d := range skews {
		err := r.on(ctx, Order{Name: "clock", Skew: d}, func(ctx context.Context, p place) error {
			s := newScript(ctx, r, p)
			byTheServersClock(s, t)
			return s.err
		})
		if err != nil {
			return err
		}
	}
	t.say(serverClock, "%s: no live lease was taken, no job came early, every lease that ended was", what)
	return nil
}

func byTheServersClock(s *script, t *tally) {
	s.enqueue(2, model.NewJob{})
	later := s.enqueue(1, model.NewJob{Delay: s.lease * 3})
	a, b := s.claim("worker-a"), s.claim("worker-b")
	taken := map[model.Key]bool{}
	if n := s.takenEarly(taken); n > 0 {
		t.fault("recovery took %d leases that had just begun", n)
	}
	s.pass(s.lease * 7 / 10)
	if !s.beat(a) && !taken[a.Key] {
		t.fault("a live worker's heartbeat was refused")
	}
	s.pass(s.lease * 4 / 10)
	if n := s.takenEarly(taken); n > 0 {
		t.fault("recovery took %d leases that were not over", n)
	}
	if s.err == nil && !taken[b.Key] {
		t.fault("recovery left a lease that was over")
	}
	s.promote()
	for _, c := range s.claims("worker-c", 3) {
		if j := s.row(c.Key); len(later) > 0 && c.Key == later[0] && j.Claimed.At.Before(j.Available.At) {
			t.fault("a scheduled job came before it was due")
		}
	}
	if !s.complete(a) && !taken[a.Key] {
		t.fault("a live worker's completion was refused")
	}
}

// takenEarly recovers, notes what was taken, and counts the leases among it that were
// not over. It judges by the server's times: where a lease has to be waited for, a
// machine that stands still lets more of them end.
func (s *script) takenEarly(taken map[model.Key]bool) (early int) {
	for _, c := range s.recover(model.Backoff{}) {
		if c.OldLease.At.IsZero() || c.At.Before(c.OldLease.At) {
			early++
			continue
		}
		taken[c.Key] = true
	}
	return early
}
