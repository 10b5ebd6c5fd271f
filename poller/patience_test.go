package poller

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/leasetop/leasetop/model"
)

// TestASlowServerHasMoreTime holds that what a probe says of a server's slowness is
// heeded, and that nothing else is waited for longer.
func TestASlowServerHasMoreTime(t *testing.T) {
	for name, tc := range map[string]struct {
		patience time.Duration
		live     bool
	}{
		"usual": {0, false},
		"slow":  {10 * time.Second, true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &script{
					probe: func(context.Context) (model.Caps, error) {
						return model.Caps{Engine: "script", Patience: tc.patience, ProbedAt: time.Now()}, nil
					},
					pulse: func(ctx context.Context, _ model.PulseAsk) (model.Pulse, time.Time, error) {
						select {
						case <-time.After(6 * time.Second):
							return model.Pulse{}, time.Now(), nil
						case <-ctx.Done():
							return model.Pulse{}, time.Now(), ctx.Err()
						}
					},
				}
				p, stop := start(t, one(s), Options{})
				defer stop()
				time.Sleep(time.Minute)
				if got := p.Board().Queue("q").Pulse.Known(); got != tc.live {
					t.Errorf("its pulse is known: %v, want %v", got, tc.live)
				}
			})
		})
	}
}
