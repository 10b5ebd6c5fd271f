package diagnose

import (
	"fmt"
	"time"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
)

// The kinds of findings about a destructive queue.
const (
	KindStarving     = "starving"      // last-in-first-out: the oldest row ages while others are taken
	KindStuckHead    = "stuck-head"    // the head does not move while rows are taken and come back
	KindFutureRow    = "future-row"    // a row's time lies in the future: a clock is off, or another than mapped
	KindHeap         = "heap"          // no index gives the order
	KindTrigger      = "trigger"       // a trigger stands on the table
	KindNoDeadLetter = "no-dead-table" // the dead letters' table is missing or of another shape
)

// Limits of the rules about a destructive queue.
const (
	starvesAfter = 5 * time.Minute // the oldest is that much older than the newest waits
	stuckAfter   = time.Minute     // so long the same head
	futureBegins = time.Second     // clocks differ by less
)

// rows is what is remembered of a destructive queue.
type rows struct {
	head  model.Key
	since time.Time // since when it is the head
	tail  model.Key
	grown time.Duration // how long the oldest row has only aged, while others went
	at    time.Time
}

// observe applies the rules that compare a pulse with those before it.
func (r *rows) observe(s *model.Snapshot, joined bool) []model.Finding {
	p, now := s.Figures(), s.Now()
	var found []model.Finding
	if p.Head != nil && (!joined || p.Head.Key != r.head) {
		r.head, r.since = p.Head.Key, now
	}
	if p.Head == nil {
		r.head, r.since = model.Key{}, time.Time{}
	}
	if x, ok := r.starving(s, &p, joined); ok {
		found = append(found, x)
	}
	if x, ok := r.stuck(s, &p, now); ok {
		found = append(found, x)
	}
	for _, o := range []*model.Oldest{p.Head, p.Tail} {
		if o != nil && o.Waiting.Known() && o.Waiting.D < -futureBegins {
			found = append(found, model.Finding{
				Kind: KindFutureRow, Severity: model.Warn, Key: o.Key,
				Text: "a row's time lies " + text.Short(-o.Waiting.D) + " in the future: its writer's clock is off, or is not " + s.Mapping.Lane.Clock.String(),
				Cure: "map clock: utc, local or offset as the writer has it; nothing in the table tells",
			})
			break
		}
	}
	r.at = now
	return found
}

// starving is the sign of last-in-first-out: rows are taken, and the oldest only
// grows older.
func (r *rows) starving(s *model.Snapshot, p *model.Pulse, joined bool) (model.Finding, bool) {
	if s.Mapping.Lane.Order != model.LIFO || p.Tail == nil || !p.Tail.Waiting.Known() {
		r.grown, r.tail = 0, model.Key{}
		return model.Finding{}, false
	}
	moving := s.Out.Known() && s.Out.PerSec > 0
	switch {
	case !joined || p.Tail.Key != r.tail:
		r.grown = 0
	case moving:
		r.grown += s.Now().Sub(r.at)
	}
	r.tail = p.Tail.Key
	if p.Tail.Waiting.D < starvesAfter || r.grown < 30*time.Second {
		return model.Finding{}, false
	}
	return model.Finding{
		Kind: KindStarving, Severity: model.Warn, Key: p.Tail.Key,
		Text: fmt.Sprintf("the oldest row waits %s and only ages, while %s rows a second are taken: last in, first out starves it",
			text.Short(p.Tail.Waiting.D), text.Rate(s.Out)),
		Cure: "take more than arrives, or dequeue first in, first out",
	}, true
}

// stuck is a head that stays although rows are being taken: its work fails and
// rolls back, and no count of attempts bounds that.
func (r *rows) stuck(s *model.Snapshot, p *model.Pulse, now time.Time) (model.Finding, bool) {
	if s.Mapping.Lane.Order != model.FIFO || r.since.IsZero() || now.Sub(r.since) < stuckAfter {
		return model.Finding{}, false
	}
	locked := p.Working.Known() && p.Working.N > 0
	if moving := s.Out.Known() && s.Out.PerSec > 0; !locked && !moving {
		return model.Finding{}, false
	}
	return model.Finding{
		Kind: KindStuckHead, Severity: model.Warn, Key: r.head,
		Text: "the head has not moved for " + text.Short(now.Sub(r.since)) + " while rows are taken: its work fails and rolls back, or somebody holds it",
		Cure: "inspect it, and dead-letter it if its work can never succeed: no count of attempts bounds it",
	}, true
}

// rowServer are the rules about what the last probe found out about a destructive
// queue.
func rowServer(s *model.Snapshot) []model.Finding {
	c := &s.Caps
	if c.ProbedAt.IsZero() || !s.Mapping.IsDestructive() {
		return nil
	}
	var found []model.Finding
	if v, probed := c.Can[model.CanOrder]; probed && !v.OK {
		found = append(found, model.Finding{Kind: KindHeap, Severity: model.Warn, Text: v.Why, Cure: v.Fix})
	}
	if v, probed := c.Can[model.CanBury]; probed && !v.OK {
		found = append(found, model.Finding{Kind: KindNoDeadLetter, Severity: model.Warn, Text: "nothing can be dead-lettered: " + v.Why, Cure: v.Fix})
	}
	if c.Triggers.After || c.Triggers.Instead {
		x := model.Finding{Kind: KindTrigger, Severity: model.Warn, Text: "a trigger stands on the table: it runs with every dequeue", Cure: "look at what it does"}
		if c.Engine != "sqlite" {
			x.Text += ", and OUTPUT INTO refuses such a table as its target"
			x.Cure += "; a dead letter cannot be requeued as long as it stands"
		}
		found = append(found, x)
	}
	return found
}
