package worker

import (
	"fmt"
	"time"

	"github.com/leasetop/leasetop/model"
)

// The bounds of the guard against mass expiry.
const (
	maxStep  = time.Second // a step of the server's clock beyond this is no drift
	massFrom = 10          // leases that must have run out before they count as many
)

// sight is one look at the queue. sent and got are this process's own monotonic
// times around the call; the rest is what the server said.
type sight struct {
	sent, got        time.Time
	server           time.Time
	working, expired model.Count
	epoch            string
}

// guard decides when recovery has to wait. After an outage, a failover or a clock
// step every lease looks expired while its worker lives: one full lease gives
// them the time to beat again.
type guard struct {
	lease    time.Duration
	last     sight
	late     int64 // expired rows that the last look left behind
	until    time.Time
	answered time.Time // when the server last answered anything
	troubled bool      // a call has not reached it since
	outage   time.Duration
}

// trouble notes that a call did not reach the server.
func (g *guard) trouble() { g.troubled = true }

// answer notes that the server answered. An outage counts once it is long enough
// for a lease to run out under a worker that beats every third of it; a shorter one
// takes nothing from anybody, and must not put recovery off again and again.
func (g *guard) answer(at time.Time) {
	if gap := at.Sub(g.answered); g.troubled && !g.answered.IsZero() && gap > g.lease*3/5 {
		g.outage = gap
	}
	g.answered, g.troubled = at, false
}

// look judges a fresh sight. A non-empty reason starts a wait of one full lease;
// wait is what is left of the one that runs.
func (g *guard) look(s sight) (why string, wait time.Duration) {
	g.answer(s.got)
	why = g.reason(s)
	if why != "" {
		g.until = s.got.Add(g.lease)
	}
	g.last, g.late, g.outage = s, s.expired.N, 0
	return why, max(g.until.Sub(s.got), 0)
}

// left notes how many of the expired rows of the last look were not taken back.
func (g *guard) left(taken int) { g.late = max(g.late-int64(taken), 0) }

func (g *guard) reason(s sight) string {
	first := g.last.got.IsZero()
	switch {
	case g.outage > 0:
		return fmt.Sprintf("the server could not be reached for %v, so no worker could beat", g.outage.Round(time.Second))
	case !first && s.epoch != "" && g.last.epoch != "" && s.epoch != g.last.epoch:
		return "the server was restarted or the table replaced"
	}
	if step := g.step(s); !first && step != 0 {
		return fmt.Sprintf("the server's clock stepped by %v", step.Round(time.Millisecond))
	}
	return g.mass(s)
}

// step is by how much the server's clock left this process's monotonic one since
// the last look; 0 within what the two calls' own duration and a second explain.
func (g *guard) step(s sight) time.Duration {
	own := s.middle().Sub(g.last.middle())
	step := s.server.Sub(g.last.server) - own
	blur := (s.got.Sub(s.sent) + g.last.got.Sub(g.last.sent)) / 2
	if step.Abs() <= maxStep+blur {
		return 0
	}
	return step
}

func (s sight) middle() time.Time { return s.sent.Add(s.got.Sub(s.sent) / 2) }

// mass reports many leases that ran out since the last look, over half of all. At
// the first look nobody knows since when: all of them count.
func (g *guard) mass(s sight) string {
	if !s.working.Known() || !s.expired.Known() {
		return ""
	}
	fresh := s.expired.N - g.late
	if fresh < massFrom || 2*fresh <= s.working.N {
		return ""
	}
	return fmt.Sprintf("%d of %d leases ran out at once", fresh, s.working.N)
}
