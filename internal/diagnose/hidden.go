package diagnose

import (
	"fmt"
	"time"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
)

// Where the figures pass over locked rows they cannot tell of a ready row that is
// locked. A look past all locks can, and is a dirty read: what it sees may be an
// insert that nobody committed, or a row that was claimed since. So a job is said to
// be hidden only when two such looks in a row had it, each before the first job that
// the figures of its poll had; and no longer once the figures have it.
type hidden struct {
	at    time.Time          // of the last look past all locks
	seen  map[model.Key]bool // hidden in it
	found []model.Oldest     // hidden in the last two, the next to be claimed first
}

func (h *hidden) observe(f facts, joined bool) (model.Finding, bool) {
	d, p := &f.s.Dirty, &f.s.Pulse
	switch {
	case !f.s.Caps.LowCounts || !joined || d.Err != nil && d.Err.Class != model.FaultRaced:
		*h = hidden{}
		return model.Finding{}, false
	case d.Known() && !d.At.Equal(h.at) && !d.At.Before(p.At):
		h.look(d, p)
	}
	first := heads(&p.Data)
	for _, o := range h.found {
		if x, ok := first[o.Priority]; !ok || x.Key != o.Key {
			return h.finding(o, f.now), true
		}
	}
	return model.Finding{}, false
}

// look takes in a look past all locks beside the figures of its poll.
func (h *hidden) look(d *model.Part[[]model.Oldest], p *model.Part[model.Pulse]) {
	now := passedOver(d, p)
	seen := make(map[model.Key]bool, len(now))
	h.found = nil
	for _, o := range now {
		seen[o.Key] = true
		if h.seen[o.Key] {
			h.found = append(h.found, o)
		}
	}
	h.seen, h.at = seen, d.At
}

func (h *hidden) finding(o model.Oldest, now time.Time) model.Finding {
	name := text.Brief(o.Key.String())
	words := name + " is ready"
	if o.Waiting.Known() {
		a := o.Waiting
		a.D += max(0, now.Sub(h.at))
		words += " for " + text.Age(a)
	}
	words += " but locked by another session"
	if n := len(h.found) - 1; n > 0 {
		words += fmt.Sprintf(", and so are %s behind it", text.Plural(int64(n), "job", "jobs"))
	}
	return model.Finding{
		Kind: KindHidden, Severity: model.Warn, Key: o.Key,
		Text: words + ": claims pass over it, and so do the figures here (dirty read: a change of it may not be committed)",
		Cure: ":job " + name + ", then w says who holds it",
	}
}

// passedOver are the jobs that a look past all locks has before the first job that
// the figures have of their priority.
func passedOver(d *model.Part[[]model.Oldest], p *model.Part[model.Pulse]) []model.Oldest {
	var out []model.Oldest
	first, last, known := heads(&p.Data), model.Number{}, 0
	for k := range first {
		if k.Known {
			known++
		}
		if comesFirst(last, k) {
			last = k
		}
	}
	whole := known < mostPriorities
	for _, o := range d.Data {
		head, ok := first[o.Priority]
		switch {
		case ok && before(o, d.At, head, p.At),
			// None of its priority is to be seen, though they were looked for.
			!ok && (whole || comesFirst(o.Priority, last)) && !cameAfter(o, d.At, p.At):
			out = append(out, o)
		}
	}
	return out
}

// mostPriorities is how many priorities a pulse tells of.
const mostPriorities = 8

// before reports whether a job is surely claimed before another of its priority: it
// is due for longer, or as long with the lower number. The ages are of two moments.
func before(a model.Oldest, at time.Time, b model.Oldest, bt time.Time) bool {
	if a.Key == b.Key {
		return false
	}
	if a.Waiting.Known() && b.Waiting.Trust == model.Exact {
		if by := at.Add(-a.Waiting.D).Sub(bt.Add(-b.Waiting.D)); by.Abs() >= time.Millisecond {
			return by < 0
		}
	}
	x, ok := number(a.Key)
	y, also := number(b.Key)
	return ok && also && x < y
}

// cameAfter reports whether a job became ready after a moment.
func cameAfter(o model.Oldest, at, moment time.Time) bool {
	return o.Waiting.Known() && at.Add(-o.Waiting.D).After(moment)
}
