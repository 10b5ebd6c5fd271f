// Package poller decides when a queue is read. Each queue has one loop, which is
// what keeps it to one statement in flight; the queues of one server share a small
// number of places, the queue in view first. What the loops learn is published as
// one immutable board, and a bell with room for one ring says that there is a new
// one, so that neither side ever waits for the other.
//
// A source that fails, hangs or lies about its deadline costs its own queue its
// freshness and nothing else: the board, the other queues and the end of Run do
// not wait for it.
//
// The clock of this process is used for scheduling only. What is known about jobs
// carries the server's time.
package poller

import (
	"context"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"github.com/leasetop/leasetop/model"
)

// Source is one bound queue. Pulse and Page are one statement each; their times
// are the server's, of that statement. Errors are *model.Fault where the source
// can classify them.
type Source interface {
	Probe(ctx context.Context) (model.Caps, error)
	Pulse(ctx context.Context, ask model.PulseAsk) (model.Pulse, time.Time, error)
	Page(ctx context.Context, v model.View) (model.Page, time.Time, error)
	Mapping() *model.Mapping
}

// Target is a queue to watch. Targets with the same Server share its places.
type Target struct {
	Queue  string
	Server string // a name that holds no secret
	Source Source

	// Latency reads how long the newest completed jobs had been in work: a third
	// statement, sent only while the queue is in view and at most every 15 s.
	// Nil: nobody asks for it.
	Latency func(context.Context) (model.Latency, time.Time, error)

	// Dirty reads the first ready jobs past all locks: a statement more, sent at most
	// every 10 s and only where the other readers pass over locked rows. Nil: nobody
	// asks for it.
	Dirty func(context.Context) ([]model.Oldest, time.Time, error)
}

// Want is what is on the screen: the queue in view and which of its lists. The
// zero Want is a screen that shows figures only.
type Want struct {
	Queue string
	View  model.View
}

// Options tune the watching. The zero Options are the defaults.
type Options struct {
	Every    time.Duration // between the starts of two polls; 0: DefaultEvery
	IdleMax  time.Duration // how far an empty queue that is not in view slows down; 0: not at all
	Budget   time.Duration // for one statement; 0: DefaultBudget. A probe has ProbeBudgets of them
	InFlight int           // statements at once on one server; 0: DefaultInFlight
	Pace     time.Duration // between two rings of the bell; 0: DefaultPace
	Latency  bool          // the latency is read of queues that are not in view too

	// Enrich, if there is one, completes each snapshot before it is published. It
	// is called on the queue's own goroutine, also after a poll that failed.
	Enrich func(*model.Snapshot)

	// Jitter gives numbers in [0, 1) that spread retries; nil: random.
	Jitter func() float64
}

// The defaults of Options.
const (
	DefaultEvery    = 2 * time.Second
	DefaultBudget   = 2 * time.Second
	DefaultInFlight = 2
	DefaultPace     = time.Second
)

// ProbeBudgets is how many statements' budgets a probe has: it connects, it asks
// several things, and a server that wakes up is slow at each of them once. A
// question that gets no answer at all ends it long before.
const ProbeBudgets = 15

func (o Options) withDefaults() Options {
	if o.Every <= 0 {
		o.Every = DefaultEvery
	}
	if o.Budget <= 0 {
		o.Budget = DefaultBudget
	}
	if o.InFlight <= 0 {
		o.InFlight = DefaultInFlight
	}
	if o.Pace <= 0 {
		o.Pace = DefaultPace
	}
	if o.Jitter == nil {
		o.Jitter = rand.Float64
	}
	return o
}

// Poller watches queues. Its methods are safe for use by several goroutines.
type Poller struct {
	options Options
	loops   []*loop
	shelf   *shelf
	sent    atomic.Int64
	hung    atomic.Int64
	once    bool // for a single look
}

// New makes a poller. Its board is there at once, every queue on it connecting;
// nothing is sent before Run.
func New(targets []Target, o Options) *Poller {
	p := &Poller{options: o.withDefaults()}
	servers := map[string]*server{}
	first := make([]*model.Snapshot, len(targets))
	for i, t := range targets {
		s := servers[t.Server]
		if s == nil {
			s = &server{limit: p.options.InFlight}
			servers[t.Server] = s
		}
		l := newLoop(p, i, t, s)
		s.loops = append(s.loops, l)
		p.loops = append(p.loops, l)
		first[i] = l.last
	}
	p.shelf = newShelf(p.options.Pace, first)
	return p
}

// Run polls until ctx ends. It returns when all loops have ended, which no source
// can delay; the error is always nil.
func (p *Poller) Run(ctx context.Context) error {
	var all sync.WaitGroup
	for _, l := range p.loops {
		all.Go(func() { l.run(ctx) })
	}
	all.Wait()
	p.shelf.close()
	return nil
}

// Bell rings when there is a new board: at most once per Pace, and at once for
// first answers, kicks and a changed want. A ring that nobody took is not
// repeated: the board is always the newest.
func (p *Poller) Bell() <-chan struct{} { return p.shelf.bell }

// Board is the newest board. It and all that it holds are immutable.
func (p *Poller) Board() *model.Board { return p.shelf.board.Load() }

// Want says what is on the screen now. The lists of other queues are no longer
// read, unless something is wrong with one of their jobs. A queue or view that comes
// into view is read at once, unless its last poll failed: a screen that is leafed
// through does not hurry a server in trouble.
func (p *Poller) Want(w Want) {
	for _, l := range p.loops {
		if l.target.Queue == w.Queue {
			l.show(w.View)
		} else {
			l.hide()
		}
	}
}

// Kick polls a queue at once, or all of them for the empty name: after an act,
// or because a person asks to try again. It is the only thing that tries a
// refused login again. Kicks are served at most ten times a second.
func (p *Poller) Kick(queue string) {
	for _, l := range p.loops {
		if queue == "" || l.target.Queue == queue {
			l.ask(byKick)
		}
	}
}

// Every changes how often every queue is polled, from the next poll on. A queue in
// trouble keeps its own waits.
func (p *Poller) Every(d time.Duration) {
	for _, l := range p.loops {
		l.every.Store(int64(d))
		l.ask(byPace)
	}
}

// Stats is what the watching has cost so far.
type Stats struct {
	Statements int64 // asked of all sources; a probe counts as one
	Hung       int64 // calls that were abandoned and have not come back
	Boards     uint64
}

// Stats gives the counts.
func (p *Poller) Stats() Stats {
	return Stats{Statements: p.sent.Load(), Hung: p.hung.Load(), Boards: p.Board().Seq}
}

// LookAll polls each queue once, for a command that prints and ends: a probe, the pulse,
// and the list unless v is ViewNone. The snapshots stand in the order of targets; what
// went wrong is in them. The queues of one server share its places, and a login that it
// refuses is tried once.
func LookAll(ctx context.Context, targets []Target, v model.View, o Options) []*model.Snapshot {
	p := New(targets, o)
	p.once = true
	out := make([]*model.Snapshot, len(p.loops))
	var all sync.WaitGroup
	for i, l := range p.loops {
		l.view.Store(uint32(v))
		all.Go(func() {
			out[i] = l.poll(ctx)
			out[i].Seq = 1
		})
	}
	all.Wait()
	return out
}
