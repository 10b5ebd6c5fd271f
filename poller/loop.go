package poller

import (
	"context"
	"slices"
	"sync/atomic"
	"time"

	"github.com/leasetop/leasetop/model"
)

// The reasons for which a loop is asked to poll before its time.
const (
	byWant uint32 = 1 << iota
	byKick
	byPace
)

// loop is one queue's watching. Everything below the line belongs to the loop's
// own goroutine.
type loop struct {
	p      *Poller
	index  int
	target Target
	server *server

	wake   chan struct{} // capacity 1
	asked  atomic.Uint32 // reasons, taken when a poll starts
	view   atomic.Uint32 // the list that is on the screen, a model.View
	inView atomic.Bool
	every  atomic.Int64 // the interval that was asked for, in nanoseconds
	hung   atomic.Int64

	// ---
	pace      pace
	last      *model.Snapshot
	next      time.Time // when to poll again; zero: when a person asks
	probed    time.Time // when the last good probe came; zero: probe before the next poll
	listAfter time.Time // the list is not asked for before; zero: ask
	lagAfter  time.Time // the latency is not asked for before
	pastAfter time.Time // nor the jobs past their locks
	polls     int
	cost      model.Cost // of the poll under way
}

func newLoop(p *Poller, i int, t Target, s *server) *loop {
	l := &loop{
		p: p, index: i, target: t, server: s,
		wake: make(chan struct{}, 1),
		pace: newPace(p.options),
		last: &model.Snapshot{
			Queue: t.Queue, Server: t.Server, Mapping: t.Source.Mapping(),
			Watch: model.Watch{Health: model.Connecting, Every: p.options.Every},
		},
	}
	l.every.Store(int64(p.options.Every))
	return l
}

// show says that the queue is in view with one of its lists.
func (l *loop) show(v model.View) {
	was := l.inView.Swap(true)
	if model.View(l.view.Swap(uint32(v))) != v || !was {
		l.ask(byWant)
	}
}

func (l *loop) hide() {
	l.inView.Store(false)
	l.view.Store(uint32(model.ViewNone))
}

func (l *loop) ask(why uint32) {
	l.asked.Or(why)
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

func (l *loop) run(ctx context.Context) {
	for ctx.Err() == nil {
		start := time.Now()
		late := time.AfterFunc(max(l.pace.slowed, lateMin), l.late(l.last))
		why := l.asked.Swap(0)
		l.pace.rebase(time.Duration(l.every.Load()))
		if why&byKick != 0 {
			l.server.forgive()
			l.listAfter = time.Time{}
		}
		s := l.poll(ctx)
		late.Stop()
		if ctx.Err() != nil {
			return
		}
		l.p.shelf.put(l.index, s, l.polls == 1 || why != 0)
		if !l.wait(ctx, start) {
			return
		}
	}
}

// late marks the queue's picture as old when a poll takes too long to be called
// live, long before its deadline says so.
func (l *loop) late(shown *model.Snapshot) func() {
	return func() {
		if shown.Watch.Health != model.Live {
			return
		}
		s := *shown
		s.Watch.Health = model.Stale
		l.p.shelf.swap(l.index, shown, &s)
	}
}

// wait sleeps until the next poll is due or somebody asks for one. It is false
// when ctx ended.
func (l *loop) wait(ctx context.Context, start time.Time) bool {
	gap := time.NewTimer(time.Until(start.Add(kickGap)))
	defer gap.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-gap.C:
	}
	var due <-chan time.Time
	if !l.next.IsZero() {
		t := time.NewTimer(time.Until(l.next))
		defer t.Stop()
		due = t.C
	}
	for {
		select {
		case <-ctx.Done():
			return false
		case <-due:
			return true
		case <-l.wake:
			why := l.asked.Load()
			if why&byKick != 0 || why&(byWant|byPace) != 0 && l.pace.failures == 0 {
				return true
			}
		}
	}
}

// spread shortens the first interval of a server's queues differently, so that
// from then on their polls are spread over it instead of coming all at once.
func (l *loop) spread(every time.Duration) time.Duration {
	i := slices.Index(l.server.loops, l)
	if l.polls > 1 || i < 0 {
		return every
	}
	return every - every*time.Duration(i)/time.Duration(len(l.server.loops))
}
