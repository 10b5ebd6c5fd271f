package poller

import (
	"time"

	"github.com/leasetop/leasetop/model"
)

// The schedule's fixed spans.
const (
	backoffMax  = 30 * time.Second       // the longest wait after faults, and the wait where only a person can help
	busyMin     = 5 * time.Second        // the shortest after a server said that it is busy or moving
	latencyAge  = 15 * time.Second       // a latency younger than this is good enough
	dirtyAge    = 10 * time.Second       // and so is a look past all locks
	reprobeAge  = 5 * time.Minute        // a probe older than this is repeated: an index may have been made
	kickGap     = 100 * time.Millisecond // between the starts of two polls, however often they are asked for
	scanShare   = 3                      // of the time between two polls that read a whole table, for each statement: 1/3
	slowEnough  = 2                      // slow polls in a row before the interval is doubled
	quickEnough = 5                      // quick polls in a row before a slowed interval is halved again
	lateMin     = time.Second            // a poll that takes less is not called late
)

// pace is the schedule of one queue: how long from the start of one poll to the
// start of the next. It is plain arithmetic; the loop does the waiting.
type pace struct {
	base, idleMax time.Duration
	jitter        func() float64
	least         time.Duration // between two polls, whatever was asked for; 0: nothing forbids more

	slowed   time.Duration // the base, or a multiple of it while polls take too long
	idle     time.Duration // the idle interval while the queue is empty; 0: it is not
	slow     int           // slow polls in a row
	quick    int           // quick polls in a row
	failures int
}

func newPace(o Options) pace {
	return pace{base: o.Every, idleMax: o.IdleMax, jitter: o.Jitter, slowed: o.Every}
}

// rebase changes the interval that was asked for. One that was slowed down begins
// anew.
func (p *pace) rebase(base time.Duration) {
	if base != p.base {
		p.base, p.slowed, p.idle, p.slow, p.quick = base, base, 0, 0, 0
	}
}

// good is the interval after a poll that succeeded. took is the whole poll,
// waiting for a place included: that a server's places are taken is a reason to
// ask it less. A poll that probed says nothing about the next.
func (p *pace) good(took time.Duration, probed, idle bool) time.Duration {
	p.failures = 0
	if !probed {
		p.adapt(took)
	}
	if !idle || p.idleMax <= p.slowed {
		p.idle = 0
		return max(p.slowed, p.least)
	}
	p.idle = min(max(2*p.idle, 2*p.slowed), p.idleMax)
	return max(p.idle, p.least)
}

// adapt doubles the interval when polls in a row take more than a quarter of it;
// a single one may be a hiccup. It halves it again after polls in a row that would
// take less than an eighth of the half, so that the interval does not swing.
func (p *pace) adapt(took time.Duration) {
	if took > p.slowed/4 {
		p.slow++
	} else {
		p.slow = 0
	}
	if took < p.slowed/16 {
		p.quick++
	} else {
		p.quick = 0
	}
	if p.slow >= slowEnough {
		p.slowed = min(2*p.slowed, max(p.base, backoffMax))
	} else if p.quick >= quickEnough {
		p.slowed, p.quick = max(p.slowed/2, p.base), 0
	}
}

// bad is the wait after a poll that failed. Zero means: until a person asks.
func (p *pace) bad(c model.FaultClass) time.Duration {
	p.failures++
	p.idle, p.slow, p.quick = 0, 0, 0
	least := max(p.base, p.least)
	switch c {
	case model.FaultLogin:
		return 0
	case model.FaultDenied, model.FaultReshaped, model.FaultRefused, model.FaultTarget, model.FaultBraked:
		return max(least, backoffMax)
	case model.FaultRaced:
		return max(p.slowed, p.least) // the next one may well succeed
	case model.FaultBusy:
		least = max(least, busyMin)
	case model.FaultOther, model.FaultReadOnly, model.FaultNetwork, model.FaultHung:
	}
	top := max(least, backoffMax)
	wait := least
	for range p.failures - 1 {
		if wait = min(2*wait, top); wait == top {
			break
		}
	}
	return wait - time.Duration(p.jitter()*float64(wait)/4)
}

// healthOf says how a fault leaves the watching. failures counts this one; known
// is whether there was ever an answer.
func healthOf(c model.FaultClass, failures int, known bool) model.Health {
	switch c {
	case model.FaultLogin, model.FaultDenied, model.FaultReshaped, model.FaultRefused, model.FaultTarget, model.FaultBraked:
		return model.Broken
	case model.FaultNetwork, model.FaultBusy, model.FaultReadOnly:
		return model.Down
	case model.FaultHung:
		if !known || failures >= 3 {
			return model.Down
		}
	case model.FaultOther, model.FaultRaced:
	}
	return model.Stale
}

// probesAnew reports whether a fault means that what the probe found out may no
// longer hold: the shape or the rights changed, or the connection is a new one.
func probesAnew(c model.FaultClass) bool {
	switch c {
	case model.FaultOther, model.FaultRaced, model.FaultBraked:
		return false
	case model.FaultLogin, model.FaultBusy, model.FaultReadOnly, model.FaultNetwork, model.FaultHung, model.FaultTarget:
		return true
	case model.FaultDenied, model.FaultReshaped, model.FaultRefused:
	}
	return settled(c)
}

// settled reports whether a fault is an answer about the table or the statement:
// asking again changes nothing, but asking in another form may.
func settled(c model.FaultClass) bool {
	return c == model.FaultDenied || c == model.FaultReshaped || c == model.FaultRefused
}
