package worker

import (
	"context"
	"math/rand/v2"
	"time"
)

// jitter spreads d by ± pct percent, so that many workers do not move in step.
func jitter(d time.Duration, pct int) time.Duration {
	if d <= 0 || pct <= 0 {
		return d
	}
	span := int64(d) / 100 * int64(pct)
	return d - time.Duration(span) + time.Duration(rand.Int64N(2*span+1)) //nolint:gosec // spreads callers, guards nothing
}

// jitterPct is a percentage for a back-off that a statement computes: 80 to 120.
func jitterPct() int { return 80 + rand.IntN(41) } //nolint:gosec // spreads jobs, guards nothing

// pause waits, and says whether it waited to the end.
func pause(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// ramp is a pause that doubles each time it is asked for, from first to most,
// until it is reset.
type ramp struct{ first, most, next time.Duration }

func (r *ramp) wait() time.Duration {
	d := max(r.next, r.first)
	r.next = min(2*d, r.most)
	return jitter(min(d, r.most), 20)
}

func (r *ramp) reset() { r.next = 0 }
