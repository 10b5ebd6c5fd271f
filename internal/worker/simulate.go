package worker

import (
	"context"
	"math"
	"time"

	"github.com/leasetop/leasetop/model"
)

// Simulate is work that only takes time: most jobs somewhat less than Mean, a few
// much longer, as real work does. The same seed takes the same time for the same
// attempt.
type Simulate struct {
	Seed   uint64
	Mean   time.Duration
	Spread float64 // sigma of the log-normal curve: 0 always Mean, 0.5 lively, 1 wild
}

// Handle is the Handler.
func (s Simulate) Handle(ctx context.Context, c model.Claim) error {
	if !pause(ctx, s.takes(c)) {
		return context.Cause(ctx)
	}
	return nil
}

// takes is how long an attempt works, at most six times the mean.
func (s Simulate) takes(c model.Claim) time.Duration {
	r := dice(s.Seed, c.Key.String(), attemptOf(c), "work")
	x := math.Exp(s.Spread*r.NormFloat64() - s.Spread*s.Spread/2)
	return time.Duration(float64(s.Mean) * min(x, 6))
}
