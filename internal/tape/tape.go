// Package tape remembers what the polls of the last hour said, in bounded bytes:
// the points of the charts, the rates of the header, since when a row has been
// seen that its own table does not date, and every look itself, so that a board of
// the past can be shown, saved, recorded and replayed; and, only where it is asked to,
// the payloads that somebody read. One codec does it all.
//
// Nothing here is interpolated or invented. A poll that failed leaves a gap, a
// figure that was not known leaves a gap, and a gap is never a zero. All times
// are the server's, but for one: the looks at different servers are ordered by our
// own clock, and that is the time in which one walks back.
package tape

import (
	"sync"
	"time"

	"github.com/leasetop/leasetop/model"
)

// Options bound a tape. The zero Options are the defaults.
type Options struct {
	Span  time.Duration // how far back it reaches; 0: DefaultSpan
	Every time.Duration // the interval of the polls it is made for; 0: DefaultEvery

	// Window is the least span over which the rates of a snapshot are taken; 0:
	// DefaultWindow. Shorter ones make a header that jitters with every poll.
	Window time.Duration

	// Bytes bounds what a look into the past may take; 0: DefaultBytes. When it is
	// used up, the oldest is forgotten before its time.
	Bytes int

	// Now is our own clock, by which looks are ordered; nil: time.Now.
	Now func() time.Time
}

// The defaults of Options.
const (
	DefaultSpan   = time.Hour
	DefaultEvery  = 2 * time.Second
	DefaultWindow = 15 * time.Second
	DefaultBytes  = 16 << 20
)

// Tape is the memory of all queues. Its methods are safe for use by several
// goroutines.
type Tape struct {
	capacity int
	window   time.Duration

	mu     sync.Mutex
	queues map[string]*queue

	past past
}

// queue is what is remembered of one queue.
type queue struct {
	ring   ring
	rates  rates
	sights sights
	at     time.Time // of the last good pulse
	got    time.Time // when it came, by our own clock
	listed time.Time // of the last good list
	broken bool      // the poll before this one failed
}

// New makes an empty tape.
func New(o Options) *Tape {
	if o.Span <= 0 {
		o.Span = DefaultSpan
	}
	if o.Every <= 0 {
		o.Every = DefaultEvery
	}
	if o.Window <= 0 {
		o.Window = DefaultWindow
	}
	if o.Bytes <= 0 {
		o.Bytes = DefaultBytes
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	n := 2*int(o.Span/o.Every) + 16 // twice the polls of the span: kicks poll out of turn
	return &Tape{
		capacity: n, window: o.Window, queues: map[string]*queue{},
		past: past{span: o.Span, most: o.Bytes, now: o.Now, last: map[string]*still{}},
	}
}

// Observe remembers a snapshot that is not yet published and completes it: its
// rates, and the ages of rows and figures that the table does not date, which are
// then "at least" from the first sight of them. Jobs that it completes are copies.
//
// After a poll that failed the snapshot keeps the figures that it came with, and
// the chart and the rates begin anew.
func (t *Tape) Observe(s *model.Snapshot) {
	t.mu.Lock()
	defer t.mu.Unlock()
	q := t.queues[s.Queue]
	if q == nil {
		q = &queue{ring: ring{max: t.capacity}, rates: rates{window: t.window}}
		t.queues[s.Queue] = q
	}
	if s.Pulse.Err != nil || !s.Pulse.Known() {
		q.broken = true
		return
	}
	if s.Pulse.At.Equal(q.at) {
		return
	}
	q.pulse(s)
	if s.Page.Err == nil && s.Page.Known() && !s.Page.At.Equal(q.listed) {
		q.listed = s.Page.At
		q.sights.list(&s.Page, s.Caps.LowCounts)
	}
	q.sights.settle(s)
	q.ring.add(q.point(s))
}

// pulse takes the rates of a new pulse. A clock that was set back makes what is
// remembered of the times after it worthless.
func (q *queue) pulse(s *model.Snapshot) {
	joined := !q.broken && !q.at.IsZero() && !q.stepped(s)
	if s.Pulse.At.Before(q.at) {
		q.ring.cut(s.Pulse.At)
		joined = false
	}
	var over time.Duration
	if joined {
		over = s.Pulse.At.Sub(q.at)
	}
	s.In, s.Out = q.rates.observe(&s.Pulse.Data, s.Mapping, over)
	q.sights.pulse(s, joined)
	q.at, q.got, q.broken = s.Pulse.At, s.Pulse.Got, false
}

// stepped reports whether the server's clock was set since the last pulse: then
// the span between the two is none.
func (q *queue) stepped(s *model.Snapshot) bool {
	if q.got.IsZero() || s.Pulse.Got.IsZero() {
		return false
	}
	off := s.Pulse.At.Sub(q.at) - s.Pulse.Got.Sub(q.got)
	return off.Abs() > time.Second+s.Pulse.Took
}

// point is the chart's share of a snapshot.
func (q *queue) point(s *model.Snapshot) point {
	return pointOf(&s.Pulse, float32(q.rates.over.Seconds()), q.rates.in.newest, q.rates.out.newest)
}

func pointOf(p *model.Part[model.Pulse], over, in, out float32) point {
	pt := point{at: p.At.UnixMilli(), over: over}
	pt.v[Ready] = figure(p.Data.Ready)
	pt.v[Working] = figure(p.Data.Working)
	pt.v[OldestReady] = oldest(&p.Data)
	pt.v[In], pt.v[Out] = in, out
	return pt
}

// oldest is the age of the oldest ready job in seconds: nothing where none is
// ready, unknown where one is and its age is not known.
func oldest(p *model.Pulse) float32 {
	switch {
	case p.Oldest != nil && p.Oldest.Waiting.Known():
		return float32(p.Oldest.Waiting.D.Seconds())
	case p.Oldest == nil && p.Ready.Known() && p.Ready.N == 0:
		return 0
	}
	return unknown
}

func figure(c model.Count) float32 {
	if !c.Known() {
		return unknown
	}
	return float32(c.N)
}

// Size is about how many bytes the tape holds.
func (t *Tape) Size() int {
	t.past.mu.Lock()
	n := t.past.bytes
	if b := t.past.open; b != nil {
		n += b.raw.Cap()
	}
	t.past.mu.Unlock()
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, q := range t.queues {
		n += cap(q.ring.points)*pointBytes + len(q.sights.rows)*sightBytes + len(q.rates.in.spans)*spanBytes + len(q.rates.out.spans)*spanBytes
	}
	return n
}
