package tape

import (
	"time"

	"github.com/leasetop/leasetop/model"
)

// rows takes the rates of a destructive queue. Where the server counts what came
// and went, both are estimates, since what was rolled back counts too. Elsewhere
// they are bounds: what has a time since the last pulse and is still there has
// arrived, and what is missing beyond that has left.
func (r *rates) rows(p *model.Pulse, over time.Duration) (in, out model.Rate) {
	arrived, ok := since(r.counter, p.Enqueued, over)
	left, gone := since(r.dequeued, p.Dequeued, over)
	held, known := p.Ready, r.held.Known && p.Ready.Known() && p.Ready.Trust != model.Capped
	grown := float64(held.N - r.held.N)
	switch {
	case over <= 0:
		r.in.gap()
		r.out.gap()
	case ok && gone:
		r.in.add(arrived, r.window)
		r.out.add(left, r.window)
	case p.Arrived.Known() && p.Arrived.Over > 0:
		came := max(float64(p.Arrived.N), grown)
		r.in.add(span{over, came, model.AtLeast}, r.window)
		if known {
			r.out.add(span{over, max(came-grown, 0), model.AtLeast}, r.window)
		} else {
			r.out.gap()
		}
	case known:
		r.in.add(span{over, max(grown, 0), model.AtLeast}, r.window)
		r.out.add(span{over, max(-grown, 0), model.AtLeast}, r.window)
	default:
		r.in.gap()
		r.out.gap()
	}
	r.counter, r.dequeued, r.held = p.Enqueued, p.Dequeued, model.Number{}
	if held.Known() && held.Trust != model.Capped {
		r.held = model.NumberOf(held.N)
	}
	return r.in.rate(), r.out.rate()
}
