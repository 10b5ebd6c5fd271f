package kit

import (
	"time"

	"github.com/leasetop/leasetop/internal/diagnose"
	"github.com/leasetop/leasetop/internal/tape"
	"github.com/leasetop/leasetop/model"
)

// Lately compares the last minute of a curve, of buckets each per long, with the
// one before; ok is false where one of the two is not known.
func Lately(bs []tape.Bucket, per time.Duration) (before, after float64, ok bool) {
	n := int(time.Minute / per)
	if len(bs) < 2*n {
		return 0, 0, false
	}
	before, okB := mean(bs[len(bs)-2*n : len(bs)-n])
	after, okA := mean(bs[len(bs)-n:])
	return before, after, okB && okA
}

func mean(bs []tape.Bucket) (m float64, ok bool) {
	n := 0.0
	for _, b := range bs {
		if !b.Gap {
			m, n = m+b.Mean, n+1
		}
	}
	return m / max(1, n), n > 0
}

// Drain is a forecast that is held still for a while: the rates that it is made of
// move with every poll, and a figure that flickers says nothing. What is a fact
// beside it, such as that nothing is ready, is never held. The zero Drain is "not
// known".
type Drain struct {
	diagnose.Forecast
	at time.Time
}

// stands is how long a forecast stands.
const stands = 5 * time.Second

// Take forecasts anew if it is time to, or if another thing is to be said. went is
// as in diagnose.Drain.
func (d *Drain) Take(s *model.Snapshot, p *model.Pulse, went float64) {
	now, f := s.Now(), diagnose.Drain(s, p, went)
	if since := now.Sub(d.at); since >= 0 && since < stands && f.Outlook == d.Outlook {
		return
	}
	d.Forecast, d.at = f, now
}

// Words are the forecast where there is room, or in a word.
func (d *Drain) Words(long bool) string {
	if long {
		return d.String()
	}
	return d.Word()
}
