package poller

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/leasetop/leasetop/model"
)

// TestAScanIsRareAndHasItsTime holds that a table which is read from end to end is
// looked at as seldom as its size asks, in view or not, also after a failure, and
// that its statements have the time for it.
func TestAScanIsRareAndHasItsTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var given time.Duration
		var broken error
		s := &script{
			probe: func(context.Context) (model.Caps, error) {
				return model.Caps{ProbedAt: time.Now(), Scan: model.Scan{On: true, Rows: model.NumberOf(50_000)}}, nil
			},
			pulse: func(ctx context.Context, _ model.PulseAsk) (model.Pulse, time.Time, error) {
				at, _ := ctx.Deadline()
				given = time.Until(at)
				return model.Pulse{}, time.Now(), broken
			},
		}
		p, stop := start(t, one(s), Options{})
		defer stop()
		time.Sleep(5*time.Minute + time.Second)
		if n := s.count("pulse"); n != 11 {
			t.Errorf("%d pulses in five minutes, want one every 30 s", n)
		}
		if given != 10*time.Second {
			t.Errorf("a statement has %v", given)
		}
		if got := p.Board().Queue("q").Watch.Every; got != 30*time.Second {
			t.Errorf("the board says that it is polled every %v", got)
		}
		broken = &model.Fault{Class: model.FaultOther, Text: "no"}
		before := s.count("pulse")
		time.Sleep(2 * time.Minute)
		if n := s.count("pulse") - before; n < 2 || n > 5 {
			t.Errorf("%d pulses in two minutes of failures", n)
		}
	})
}
