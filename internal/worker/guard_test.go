package worker

import (
	"strings"
	"testing"
	"time"

	"github.com/leasetop/leasetop/model"
)

// look is one look at the queue: at a moment of own monotonic time, with
// the server's clock ahead by skew, and what the guard should say.
type look struct {
	at               time.Duration // own monotonic time
	skew             time.Duration // the server's clock against it
	took             time.Duration
	working, expired int64
	taken            int    // recovered after the look
	epoch            string // of the server
	trouble          bool   // a call before the look found no server
	why              string // part of the expected reason; empty: none
	wait             time.Duration
}

func (l look) sight(start time.Time) sight {
	exact := func(n int64) model.Count { return model.Count{N: n, Trust: model.Exact} }
	sent := start.Add(l.at)
	return sight{
		sent: sent, got: sent.Add(l.took), server: sent.Add(l.took / 2).Add(l.skew),
		working: exact(l.working), expired: exact(l.expired), epoch: l.epoch,
	}
}

func TestGuard(t *testing.T) {
	const lease = time.Minute
	for _, c := range []struct {
		name  string
		looks []look
	}{
		{"nothing happens", []look{{working: 20}, {at: 15 * time.Second, working: 20, expired: 2, taken: 2}, {at: 30 * time.Second, working: 20}}},
		{"a steady skew is no step", []look{{skew: -9 * time.Second}, {at: 15 * time.Second, skew: -9 * time.Second}}},
		{"drift below a second", []look{{}, {at: 15 * time.Second, skew: time.Second}}},
		{"the clock steps forward", []look{
			{},
			{at: 15 * time.Second, skew: 5 * time.Second, why: "stepped by 5s", wait: lease},
			{at: 30 * time.Second, skew: 5 * time.Second, wait: 45 * time.Second},
			{at: 75 * time.Second, skew: 5 * time.Second},
		}},
		{"the clock steps back", []look{{}, {at: 15 * time.Second, skew: -2 * time.Second, why: "stepped by -2s", wait: lease}}},
		{"a slow answer explains a second", []look{{}, {at: 15 * time.Second, took: 3 * time.Second, skew: 2 * time.Second}}},
		{"another server answers", []look{{epoch: "a"}, {at: 15 * time.Second, epoch: "b", why: "restarted", wait: lease}}},
		{"an outage longer than a beat bears", []look{
			{}, {at: 50 * time.Second, trouble: true, why: "could not be reached for 50s", wait: lease},
		}},
		{"a hiccup", []look{{}, {at: 15 * time.Second, trouble: true}}},
		{"a silence without trouble is only a long pause", []look{{}, {at: 50 * time.Second}}},
		{"ten of nineteen at once", []look{
			{working: 19}, {at: 15 * time.Second, working: 19, expired: 10, why: "10 of 19 leases", wait: lease},
			{at: 30 * time.Second, working: 19, expired: 10, wait: 45 * time.Second},
			{at: 80 * time.Second, working: 19, expired: 10, taken: 10},
			{at: 95 * time.Second, working: 9},
		}},
		{"ten of twenty is not over half", []look{{working: 20}, {at: 15 * time.Second, working: 20, expired: 10}}},
		{"nine of nine are too few", []look{{working: 9}, {at: 15 * time.Second, working: 9, expired: 9}}},
		{"one after the other", []look{
			{working: 20}, {at: 15 * time.Second, working: 20, expired: 8}, {at: 30 * time.Second, working: 20, expired: 16},
		}},
		{"many at the first look", []look{{working: 40, expired: 40, why: "40 of 40", wait: lease}}},
		{"a second wave during the wait starts it anew", []look{
			{working: 60, expired: 31, why: "31 of 60", wait: lease},
			{at: 15 * time.Second, working: 60, expired: 60, wait: 45 * time.Second},
			{at: 30 * time.Second, working: 100, expired: 120, why: "60 of 100", wait: lease},
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := guard{lease: lease}
			start := time.Now()
			for i, l := range c.looks {
				if l.trouble {
					g.trouble()
				}
				why, wait := g.look(l.sight(start))
				if l.why == "" && why != "" || !strings.Contains(why, l.why) {
					t.Errorf("look %d: reason %q, want %q", i, why, l.why)
				}
				if wait != l.wait {
					t.Errorf("look %d: waits %v, want %v", i, wait, l.wait)
				}
				g.left(l.taken)
			}
		})
	}
}

// TestGuardWithoutFigures holds that unknown counts are not read as zero or many.
func TestGuardWithoutFigures(t *testing.T) {
	g := guard{lease: time.Minute}
	s := look{working: 50, expired: 50}.sight(time.Now())
	s.expired.Trust = model.Unknown
	if why, wait := g.look(s); why != "" || wait != 0 {
		t.Errorf("an unknown figure makes recovery wait %v: %q", wait, why)
	}
}
