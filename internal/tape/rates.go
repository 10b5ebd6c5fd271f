package tape

import (
	"time"
	"unsafe"

	"github.com/leasetop/leasetop/model"
)

// rates makes rows a second out of counters. Arrivals are the difference of the
// Enqueued counter. Departures are the flow of completions where the table
// records them; otherwise what arrived and is not there any more, which is an
// estimate and includes rows that were deleted.
type rates struct {
	window  time.Duration
	over    time.Duration // the span that the newest pulse speaks for; 0: none
	counter model.Counter

	dequeued model.Counter // of a destructive queue
	held     model.Number
	in, out  flow
}

// flow is one rate: the newest spans of it, as far back as the window reaches.
type flow struct {
	spans  []span
	newest float32 // of the newest span alone, for the chart
	alone  bool    // the one span is of a time that was not watched
}

type span struct {
	over  time.Duration
	n     float64
	trust model.Trust
}

const spanBytes = int(unsafe.Sizeof(span{}))

// observe takes in a pulse. over is the time since the pulse before it, zero when
// that one is missing or failed, which makes a gap.
func (r *rates) observe(p *model.Pulse, m *model.Mapping, over time.Duration) (in, out model.Rate) {
	r.over = over
	if m.IsDestructive() {
		return r.rows(p, over)
	}
	held := heldRows(p, m)
	arrived, ok := since(r.counter, p.Enqueued, over)
	if ok {
		r.in.add(arrived, r.window)
	} else {
		r.in.gap()
	}
	switch {
	case p.Completed.Known() && p.Completed.Over > 0:
		done := span{p.Completed.Over, float64(p.Completed.N), p.Completed.Trust}
		if over <= 0 {
			r.out.only(done)
		} else {
			r.out.add(done, r.window)
		}
	case ok && held.Known && r.held.Known:
		r.out.add(span{over, arrived.n - float64(held.N-r.held.N), model.Estimated}, r.window)
	default:
		r.out.gap()
	}
	r.counter, r.held = p.Enqueued, held
	return r.in.rate(), r.out.rate()
}

// since is the difference of two readings of a counter. A new epoch or a smaller number
// means that it began anew: a gap, and never a spike.
func since(before, now model.Counter, over time.Duration) (span, bool) {
	trust := model.Weakest(now.Trust, before.Trust)
	if over <= 0 || trust == model.Unknown || now.Epoch != before.Epoch || now.N < before.N {
		return span{}, false
	}
	return span{over, float64(now.N - before.N), trust}, true
}

// heldRows counts the rows that are not done, if all of them are counted. A state
// that the mapping does not have has no rows.
func heldRows(p *model.Pulse, m *model.Mapping) model.Number {
	var n int64
	for s, c := range map[model.State]model.Count{
		model.Scheduled: p.Scheduled, model.Ready: p.Ready, model.Working: p.Working, model.Failed: p.Failed,
	} {
		absent := false
		if m != nil {
			_, has := m.States[s]
			absent = !has
		}
		switch {
		case c.Known() && c.Trust != model.Capped:
			n += c.N
		case !absent:
			return model.Number{}
		}
	}
	return model.NumberOf(n)
}

// only takes in a span of a time that was not watched: it is better than no rate,
// until there is one of the watching itself. It is nothing for the chart.
func (f *flow) only(s span) {
	f.gap()
	f.spans, f.alone = append(f.spans, s), true
}

// add takes in a span and forgets those that lie before the window.
func (f *flow) add(s span, window time.Duration) {
	if f.alone {
		f.gap()
	}
	f.newest = float32(s.n / s.over.Seconds())
	f.spans = append(f.spans, s)
	var reach time.Duration
	for i := len(f.spans) - 1; i >= 0; i-- {
		if reach += f.spans[i].over; reach >= window {
			f.spans = append(f.spans[:0], f.spans[i:]...)
			return
		}
	}
}

// gap forgets everything: what lies before it is not the rate of now.
func (f *flow) gap() {
	f.spans, f.alone = f.spans[:0], false
	f.newest = unknown
}

// rate is the mean over the window, or over what there is of it.
func (f *flow) rate() model.Rate {
	var (
		n     float64
		over  time.Duration
		trust = model.Exact
	)
	for _, s := range f.spans {
		n += s.n
		over += s.over
		trust = model.Weakest(trust, s.trust)
	}
	if over <= 0 {
		return model.Rate{}
	}
	return model.Rate{PerSec: max(n/over.Seconds(), 0), Trust: trust}
}
