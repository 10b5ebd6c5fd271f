package worker

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/leasetop/leasetop/model"
)

// Rows is what workers need of a destructive queue. None of its methods retries.
type Rows interface {
	// Dequeue takes up to n rows and deletes them: from then on they are only here.
	Dequeue(ctx context.Context, n int) ([]model.Claim, error)
	// Hold takes up to n rows and keeps them locked; a nil Batch means "nothing now".
	Hold(ctx context.Context, session string, n int) (Batch, error)
	// Bury makes a dead letter of a row that Dequeue took.
	Bury(ctx context.Context, k model.Key, actionID, actor, reason string) error
	// Return puts rows back that Dequeue took, as they were.
	Return(ctx context.Context, rows []model.Key) error
}

// Batch is rows that are locked until it is ended, in one of three ways.
type Batch interface {
	Rows() []model.Claim
	// Bury makes a dead letter of one of the rows, if Commit succeeds.
	Bury(ctx context.Context, k model.Key, actionID, actor, reason string) error
	// Commit ends the rows for good. An Unsure fault means that nobody knows.
	Commit(ctx context.Context) error
	// Rollback gives all rows back.
	Rollback(ctx context.Context) error
	// Abandon leaves the rows as a process that dies does: nothing is sent any more.
	Abandon()
}

// DefaultTries is how often a worker tries a row that fails in a transaction before
// it makes a dead letter of it. The row itself counts nothing: a process counts for
// itself.
const DefaultTries = 3

// RowOptions say how a pool of a destructive queue works.
type RowOptions struct {
	Workers int
	Names   []string
	Batch   int        // rows a dequeue, worked on one after the other; 0: one
	Mode    model.Mode // unknown: autocommit
	Bury    bool       // what fails becomes a dead letter; otherwise it is lost, or comes back for ever
	Tries   int        // in a transaction; 0: DefaultTries

	Idle  time.Duration // longest pause after an empty dequeue; 0: DefaultIdle
	Grace time.Duration // as in Options
	Stop  time.Duration // as in Options

	Events func(Event) // called from many goroutines at once; must not block
}

// RowPool is the workers of one process on one destructive queue. There are no
// leases: a row is gone before its work begins (autocommit, at most once), or
// locked until it ends (transaction).
type RowPool struct {
	q Rows
	h Handler
	o RowOptions

	mu    sync.Mutex
	tries map[model.Key]int
}

// NewRows makes a pool. Nothing is sent before Run.
func NewRows(q Rows, h Handler, o RowOptions) *RowPool {
	filled := Options{Workers: o.Workers, Batch: o.Batch, Idle: o.Idle, Grace: o.Grace, Stop: o.Stop}.filled()
	o.Workers, o.Batch, o.Idle, o.Grace, o.Stop = filled.Workers, filled.Batch, filled.Idle, filled.Grace, filled.Stop
	if o.Tries <= 0 {
		o.Tries = DefaultTries
	}
	return &RowPool{q: q, h: h, o: o, tries: map[model.Key]int{}}
}

// Run works until ctx ends, then drains as Pool does. What is in hand and was not
// worked on goes back into the queue.
func (p *RowPool) Run(ctx context.Context) error {
	run, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	work, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	defer cancel(nil)
	var slots sync.WaitGroup
	for i := range p.o.Workers {
		s := &rowSlot{RowPool: p, name: (&Options{Names: p.o.Names}).name(i), run: run, work: work}
		slots.Go(func() {
			if err := s.loop(); err != nil {
				stop(err)
			}
		})
	}
	<-run.Done()
	grace := time.AfterFunc(p.o.Grace, func() { cancel(ErrDrain) })
	defer grace.Stop()
	slots.Wait()
	if ctx.Err() != nil {
		return nil
	}
	return context.Cause(run)
}

// maxTries bounds how many failing rows a process remembers.
const maxTries = 1024

// failed counts a failure of a row and reports whether its tries are used up.
func (p *RowPool) failed(k model.Key) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.tries) >= maxTries {
		clear(p.tries)
	}
	p.tries[k]++
	if p.tries[k] < p.o.Tries {
		return false
	}
	delete(p.tries, k)
	return true
}

// rowSlot is one worker of a pool.
type rowSlot struct {
	*RowPool
	name string
	run  context.Context // ends when nothing more is to be taken
	work context.Context // ends when the grace of the drain is over
}

func (s *rowSlot) loop() error {
	idle := ramp{first: s.o.Idle / 20, most: s.o.Idle}
	down := ramp{first: 100 * time.Millisecond, most: maxDown}
	for s.run.Err() == nil {
		n, err := s.turn()
		switch {
		case fatal(err), errors.Is(err, ErrUnable):
			return err
		case err != nil:
			pause(s.run, down.wait())
			continue
		case n == 0:
			pause(s.run, idle.wait())
		default:
			idle.reset()
		}
		down.reset()
	}
	return nil
}

// turn takes a batch and works on it; n is how many rows were taken.
func (s *rowSlot) turn() (n int, err error) {
	// A dequeue is not cut off when the worker drains: its rows would be lost.
	ctx := context.WithoutCancel(s.run)
	if s.o.Mode == model.Transaction {
		b, err := s.q.Hold(ctx, newToken(), s.o.Batch)
		if err != nil || b == nil {
			return 0, s.trouble(StepClaim, err)
		}
		return len(b.Rows()), s.inTransaction(b)
	}
	rows, err := s.q.Dequeue(ctx, s.o.Batch)
	if err != nil {
		return 0, s.trouble(StepClaim, err)
	}
	return len(rows), s.byAutocommit(rows)
}

func (s *rowSlot) trouble(step Step, err error) error {
	if err != nil {
		emit(s.o.Events, Event{Kind: EventTrouble, Step: step, Worker: s.name, Err: err})
	}
	return err
}

// taken tells that rows were received, each under an id of its own: equal rows
// have no other.
func (s *rowSlot) taken(rows []model.Claim) []model.Claim {
	out := make([]model.Claim, len(rows))
	for i, c := range rows {
		c.Token = model.TokenOf(model.GUIDValue(newToken()))
		out[i] = c
		s.tell(EventClaimed, c, model.StateUnknown, "")
	}
	return out
}

func (s *rowSlot) tell(k Kind, c model.Claim, state model.State, text string) {
	emit(s.o.Events, Event{Kind: k, Worker: s.name, Key: c.Key, Token: c.Token, State: state, Text: text})
}

// do works on one row. Its error is the handler's; ended is false while the handler
// still runs although it was told to stop.
func (s *rowSlot) do(c model.Claim) (err error, ended bool) {
	result := make(chan error, 1)
	go call(s.work, s.h, c, result)
	return await(s.work, s.o.Stop, result)
}

// stopped reports whether an error is that of a handler which was told to stop.
func (s *rowSlot) stopped(err error) bool {
	return err != nil && errors.Is(context.Cause(s.work), ErrDrain)
}
