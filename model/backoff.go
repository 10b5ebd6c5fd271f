package model

import "time"

// Backoff is the wait before a failed attempt is due again: Base after the
// first, doubled after each further one, at most Max.
type Backoff struct{ Base, Max time.Duration }

// DefaultBackoff is one second, doubled up to five minutes.
func DefaultBackoff() Backoff { return Backoff{Base: time.Second, Max: 5 * time.Minute} }

// After is the wait after the n-th attempt, counted from one. A table that counts
// no attempts says 0 and waits as after the first.
func (b Backoff) After(n int64) time.Duration {
	d := b.Base
	for ; n > 1 && d < b.Max; n-- {
		d *= 2
	}
	return min(d, b.Max)
}
