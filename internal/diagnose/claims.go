package diagnose

import (
	"fmt"
	"time"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
)

// A queue is stalled when rows are ready and no claim was seen for stallFactor
// times the usual gap between two, and for stallLeast at any rate.
const (
	stallFactor = 10
	stallLeast  = time.Minute
	learned     = 3 // gaps that must have been seen before there is a usual one
)

// claims watches for claims. None of the signs is there on every table, so all
// are taken: a row with a token that was not there before, completions, rows that
// left ready, another oldest row. Each may miss a claim and none invents many; a
// poll in which none of the signs could be read says nothing, and the quiet
// begins anew.
type claims struct {
	last  model.Pulse
	holds map[hold]bool // of the last whole list; nil: none was read then
	quiet time.Time     // no claim was seen since
	gap   time.Duration // the usual time between two claims, a moving mean
	gaps  int           // how many were seen
}

type hold struct {
	key   model.Key
	token model.Token
}

// observe takes in a good poll. joined is whether the one before was good too.
func (c *claims) observe(f facts, joined bool) (model.Finding, bool) {
	holds := holdsOf(f)
	n, readable := int64(0), false
	if joined {
		n, readable = c.seen(f, holds)
	}
	ready := f.figures.Ready
	switch {
	case !readable || !some(ready):
		c.quiet = f.now
	case n > 0:
		c.learn(f.now.Sub(c.quiet) / time.Duration(n))
		c.quiet = f.now
	}
	c.last, c.holds = f.s.Pulse.Data, holds
	quiet := f.now.Sub(c.quiet)
	if !some(ready) || quiet < c.limit(f) {
		return model.Finding{}, false
	}
	return c.finding(f, quiet), true
}

// limit is how long a quiet is usual. Before the usual gap is known, workers that
// hold live leases are taken to be busy.
func (c *claims) limit(f facts) time.Duration {
	if c.gaps >= learned {
		return max(stallLeast, stallFactor*c.gap)
	}
	if live(f) > 0 {
		return 1<<63 - 1
	}
	return stallLeast
}

// learn takes in the time between two claims. A long quiet counts for no more
// than the limit that it passed, or one stall would hide the next.
func (c *claims) learn(gap time.Duration) {
	c.gaps++
	if c.gaps <= 1 {
		return // it began when the watching did, not with a claim
	}
	if c.gap == 0 {
		c.gap = gap
		return
	}
	c.gap += (min(gap, stallFactor*max(c.gap, stallLeast/stallFactor)) - c.gap) / 5
}

func (c *claims) finding(f facts, quiet time.Duration) model.Finding {
	what := fmt.Sprintf("%s ready and no claim seen for %s", text.Count(f.figures.Ready), text.Short(quiet))
	switch {
	case c.gaps < learned:
	case c.gap < time.Second:
		what += "; usually several a second"
	default:
		what += "; usually one every " + text.Short(c.gap)
	}
	cure := "see whether any workers run"
	if n := live(f); n > 0 {
		cure = fmt.Sprintf("see what the workers do that hold %s", text.Plural(n, "live lease", "live leases"))
	}
	return model.Finding{Kind: KindStalled, Severity: model.Bad, Text: what, Cure: cure}
}

// live is how many leases have not run out, as far as is known.
func live(f facts) int64 {
	if !f.figures.Working.Known() {
		return 0
	}
	return max(0, f.figures.Working.N-f.figures.Expired.N)
}

// seen counts the claims since the poll before by whichever sign shows the most,
// and says whether there was any sign to read.
func (c *claims) seen(f facts, holds map[hold]bool) (n int64, readable bool) {
	p := &f.s.Pulse.Data
	sign := func(count int64, ok bool) {
		if ok {
			n, readable = max(n, count), true
		}
	}
	sign(p.Completed.N, p.Completed.Known())
	sign(c.taken(holds))
	sign(c.left(p))
	sign(c.passed(p))
	return n, readable
}

// taken counts rows that are held by a token that did not hold them before.
func (c *claims) taken(holds map[hold]bool) (n int64, ok bool) {
	if holds == nil || c.holds == nil {
		return 0, false
	}
	for h := range holds {
		if !c.holds[h] {
			n++
		}
	}
	return n, true
}

// left counts the rows that arrived and are neither ready nor scheduled now.
func (c *claims) left(p *model.Pulse) (n int64, ok bool) {
	if !p.Enqueued.Known() || !c.last.Enqueued.Known() || p.Enqueued.Epoch != c.last.Enqueued.Epoch {
		return 0, false
	}
	before, ok := waiting(&c.last)
	now, also := waiting(p)
	if !ok || !also {
		return 0, false
	}
	return max(0, p.Enqueued.N-c.last.Enqueued.N-(now-before)), true
}

// waiting counts the rows that are yet to be claimed, where they are counted to
// the end. A table without a scheduled state does not count it.
func waiting(p *model.Pulse) (int64, bool) {
	if !p.Ready.Known() || p.Ready.Trust == model.Capped || p.Scheduled.Trust == model.Capped {
		return 0, false
	}
	return p.Ready.N + p.Scheduled.N, true
}

// passed reports whether a job that was the oldest of its priority is so no more.
func (c *claims) passed(p *model.Pulse) (n int64, ok bool) {
	before, now := heads(&c.last), heads(p)
	for priority, was := range before {
		is, still := now[priority]
		ok = true
		if !still || is.Key != was.Key && !is.Waiting.Known() || is.Key != was.Key && is.Waiting.D <= was.Waiting.D {
			n++
		}
	}
	return n, ok
}

// heads are the oldest jobs of each priority, or of the queue.
func heads(p *model.Pulse) map[model.Number]model.Oldest {
	out := map[model.Number]model.Oldest{}
	if p.Oldest != nil && len(p.ByPriority) == 0 && !p.Oldest.Key.IsZero() {
		out[model.Number{}] = *p.Oldest
	}
	for _, o := range p.ByPriority {
		if !o.Key.IsZero() {
			out[o.Priority] = o
		}
	}
	return out
}

func holdsOf(f facts) map[hold]bool {
	if !f.whole {
		return nil
	}
	out := make(map[hold]bool, len(f.jobs))
	for _, j := range f.jobs {
		out[hold{j.Key, j.Token}] = true
	}
	return out
}
