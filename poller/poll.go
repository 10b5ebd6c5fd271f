package poller

import (
	"context"
	"time"

	"github.com/leasetop/leasetop/model"
)

// poll reads the queue once and makes its next snapshot. Where a fault says that
// the table or the rights are not what the last probe found, it probes and reads
// once more.
func (l *loop) poll(ctx context.Context) *model.Snapshot {
	s := *l.last
	start := time.Now()
	l.cost = model.Cost{}
	l.polls++

	probed := l.stale()
	f := l.read(ctx, &s)
	if f != nil && settled(f.Class) && !probed {
		probed, l.probed = true, time.Time{}
		f = l.read(ctx, &s)
	}
	if f != nil && settled(f.Class) && f == s.Page.Err && s.Pulse.Err == nil {
		f, l.listAfter = nil, time.Now().Add(backoffMax) // the figures are good: only the list waits
	}
	if f == nil && ctx.Err() == nil {
		l.dirty(ctx, &s)
		l.latency(ctx, &s)
	}
	s.Mapping = l.target.Source.Mapping()
	s.Cost = l.cost
	s.Watch = l.watch(&s, f, start, probed)
	if l.p.options.Enrich != nil && ctx.Err() == nil {
		l.p.options.Enrich(&s)
	}
	l.last = &s
	return &s
}

// stale reports whether the poll has to probe first.
func (l *loop) stale() bool {
	return l.probed.IsZero() || time.Since(l.probed) >= reprobeAge
}

// wanted is the list to read: the one on the screen, or while a finding names a job
// the jobs in work, so that it can be seen afterwards what was wrong.
func (l *loop) wanted() model.View {
	v := model.View(l.view.Load())
	if v != model.ViewNone || l.inView.Load() {
		return v
	}
	for _, f := range l.last.Findings {
		if f.Severity >= model.Warn && !f.Key.IsZero() {
			return model.ViewWorking
		}
	}
	return v
}

// read asks for what is due: the probe, the pulse, the list. What was not read
// keeps its last good data and says why it is old.
func (l *loop) read(ctx context.Context, s *model.Snapshot) *model.Fault {
	view := l.wanted()
	if s.Page.Data.View != view {
		s.Page = model.Part[model.Page]{Data: model.Page{View: view}}
		l.listAfter = time.Time{}
	}
	f := l.probe(ctx, s)
	if f == nil {
		f = l.pulse(ctx, s)
	}
	if f != nil {
		s.Pulse.Err = f
		if view != model.ViewNone {
			s.Page.Err = f
		}
		return f
	}
	return l.list(ctx, s, view)
}

func (l *loop) probe(ctx context.Context, s *model.Snapshot) *model.Fault {
	if !l.stale() {
		return nil
	}
	part, f := call(ctx, l, "probe", ProbeBudgets*l.p.options.Budget, func(ctx context.Context) (model.Caps, time.Time, error) {
		caps, err := l.target.Source.Probe(ctx)
		return caps, caps.ProbedAt, err
	})
	if f == nil {
		s.Caps, l.probed = part.Data, time.Now()
		l.pace.least = s.Caps.Scan.Every()
	}
	return f
}

// budget is how long a statement may take: longer on a server that is known to be
// slow, and one that reads the whole table, as was insisted on, has a share of the
// time until the next. Where no poll follows, a source that asks a question once more,
// since its process stood still, is waited for.
func (l *loop) budget(c *model.Caps) time.Duration {
	b := max(l.p.options.Budget, l.pace.least/scanShare, c.Patience)
	if l.p.once {
		b = 2*b + time.Second
	}
	return b
}

// flowMax is how far back the flow since the last pulse is asked for at the most.
const flowMax = time.Minute

func (l *loop) pulse(ctx context.Context, s *model.Snapshot) *model.Fault {
	var ask model.PulseAsk
	if s.Pulse.Known() && time.Since(s.Pulse.Got) <= max(flowMax, 3*l.pace.slowed) {
		ask.Since = s.Pulse.At
	}
	part, f := call(ctx, l, "pulse", l.budget(&s.Caps), func(ctx context.Context) (model.Pulse, time.Time, error) {
		return l.target.Source.Pulse(ctx, ask)
	})
	if f == nil {
		s.Pulse = part
	}
	return f
}

func (l *loop) list(ctx context.Context, s *model.Snapshot, v model.View) *model.Fault {
	if v == model.ViewNone || time.Now().Before(l.listAfter) {
		return nil
	}
	part, f := call(ctx, l, v.String(), l.budget(&s.Caps), func(ctx context.Context) (model.Page, time.Time, error) {
		return l.target.Source.Page(ctx, v)
	})
	if f != nil {
		s.Page.Err = f
		return f
	}
	s.Page, l.listAfter = part, time.Time{}
	return nil
}

// dirty reads the first ready jobs past all locks, where the figures do not have
// those that are locked. One such look says nothing: the first poll sends none. That
// it fails is said in its part and fails no poll; where it met a change of the table
// or of the data under it, the next poll asks again.
func (l *loop) dirty(ctx context.Context, s *model.Snapshot) {
	if l.target.Dirty == nil || !s.Caps.LowCounts || l.polls < 2 || time.Now().Before(l.pastAfter) {
		return
	}
	part, f := call(ctx, l, "dirty", l.p.options.Budget, l.target.Dirty)
	switch {
	case f == nil:
		s.Dirty, l.pastAfter = part, time.Now().Add(dirtyAge)
	case f.Class == model.FaultRaced:
		s.Dirty.Err = f
	default:
		s.Dirty.Err, l.pastAfter = f, time.Now().Add(backoffMax)
	}
}

// latency reads what changes slowly and costs more than the figures. That it fails
// is said in its part and fails no poll.
func (l *loop) latency(ctx context.Context, s *model.Snapshot) {
	if l.target.Latency == nil || !l.inView.Load() && !l.p.options.Latency || !s.Caps.Allows(model.CanHistory).OK || time.Now().Before(l.lagAfter) {
		return
	}
	part, f := call(ctx, l, "latency", max(l.p.options.Budget, s.Caps.Patience), l.target.Latency)
	if f != nil {
		s.Latency.Err, l.lagAfter = f, time.Now().Add(backoffMax)
		return
	}
	s.Latency, l.lagAfter = part, time.Now().Add(latencyAge)
}

// watch says how the watching goes after a poll and plans the next one.
func (l *loop) watch(s *model.Snapshot, f *model.Fault, start time.Time, probed bool) model.Watch {
	if f == nil {
		idle := !l.inView.Load() && empty(&s.Pulse.Data)
		w := model.Watch{Health: model.Live, Every: l.pace.good(time.Since(start), probed, idle)}
		l.next = start.Add(l.spread(w.Every))
		return w
	}
	if probesAnew(f.Class) {
		l.probed = time.Time{}
	}
	w := model.Watch{Every: l.pace.bad(f.Class), Err: f}
	w.Failures = l.pace.failures
	w.Health = healthOf(f.Class, w.Failures, s.Pulse.Known())
	l.next = time.Time{}
	if w.Every > 0 {
		l.next = time.Now().Add(w.Every)
	}
	w.RetryAt = l.next
	return w
}

// empty reports whether there is nothing in the queue that could move.
func empty(p *model.Pulse) bool {
	none := func(c model.Count) bool { return c.Trust == model.Exact && c.N == 0 }
	return none(p.Ready) && none(p.Working) && (none(p.Scheduled) || !p.Scheduled.Known())
}
