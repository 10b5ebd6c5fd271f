package worker

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/leasetop/leasetop/model"
)

// Pool is the workers of one process on one queue.
type Pool struct {
	q   Queue
	h   Handler
	o   Options
	rec *Recoverer // nil when somebody else recovers

	braked atomic.Bool // the last claim met the queue's brake
}

// New makes a pool. Nothing is sent before Run.
func New(q Queue, h Handler, o Options) *Pool {
	o = o.filled()
	p := &Pool{q: q, h: h, o: o}
	if !o.Alone {
		p.rec = NewRecoverer(q, o.Recover)
	}
	return p
}

// Run works until ctx ends, then drains: no more claims, Options.Grace for the
// work in hand, then its context ends and what stops within Options.Stop is given
// back; what does not stop is left to its lease. A nil error means that all
// workers ended. It returns early only when the server refuses the login, the
// target itself is wrong, or the handler says ErrUnable.
func (p *Pool) Run(ctx context.Context) error {
	run, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	work, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	defer cancel(nil)

	var slots, rest sync.WaitGroup
	for i := range p.o.Workers {
		s := &slot{Pool: p, name: p.o.name(i), run: run, work: work, rest: &rest}
		slots.Go(func() {
			if err := s.loop(); err != nil {
				stop(err)
			}
		})
	}
	if p.rec != nil {
		rest.Go(func() {
			if err := p.rec.Run(run); err != nil {
				stop(err)
			}
		})
	}
	<-run.Done()
	grace := time.AfterFunc(p.o.Grace, func() { cancel(ErrDrain) })
	defer grace.Stop()
	slots.Wait()
	rest.Wait()
	if ctx.Err() != nil {
		return nil
	}
	return context.Cause(run)
}

// maxDown is the longest pause between two claims while the server does not answer.
const maxDown = 15 * time.Second

// slot is one worker of a pool: it claims, works and claims again.
type slot struct {
	*Pool
	name string
	run  context.Context // ends when nothing more is to be claimed
	work context.Context // ends when the grace of the drain is over
	rest *sync.WaitGroup // heartbeats
}

func (s *slot) loop() error {
	idle := ramp{first: s.o.Idle / 20, most: s.o.Idle}
	down := ramp{first: 100 * time.Millisecond, most: maxDown}
	for s.run.Err() == nil {
		claims, sent, err := s.claim()
		switch {
		case fatal(err):
			return err
		case s.stopped(err):
			pause(s.run, idle.wait())
		case err != nil:
			pause(s.run, down.wait())
			continue
		case len(claims) == 0:
			pause(s.run, idle.wait())
		default:
			idle.reset()
			if err := s.handle(claims, sent); err != nil {
				return err
			}
		}
		down.reset()
	}
	return nil
}

// claim asks for jobs. The call is not cut off when the worker drains: jobs that
// it had taken would lie until their lease ends.
func (s *slot) claim() ([]model.Claim, time.Time, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(s.run), s.o.Lease-s.o.Margin)
	defer cancel()
	token := newToken()
	sent := time.Now()
	claims, err := s.q.Claim(ctx, token, s.name, s.o.Batch, s.o.Lease)
	if err != nil && brakeOf(err) == nil {
		emit(s.o.Events, Event{Kind: EventTrouble, Step: StepClaim, Worker: s.name, Token: model.TokenOf(model.GUIDValue(token)), Err: err})
	}
	return claims, sent, err
}

// stopped reports whether the queue's brake stopped the claim, which is no trouble:
// the workers wait as for jobs. Its beginning and its end are told once for all of
// the pool.
func (s *slot) stopped(err error) bool {
	b := brakeOf(err)
	switch {
	case b != nil && s.braked.CompareAndSwap(false, true):
		emit(s.o.Events, Event{Kind: EventBraked, Step: StepClaim, Text: b.Words()})
	case err == nil && s.braked.CompareAndSwap(true, false):
		emit(s.o.Events, Event{Kind: EventUnbraked, Step: StepClaim})
	}
	return b != nil
}

// brakeOf is the brake that an error of a claim names, nil when there is none.
func brakeOf(err error) *model.Brake {
	var f *model.Fault
	if errors.As(err, &f) {
		return f.Brake
	}
	return nil
}

// handle takes a claim's jobs in hand, all from the first moment, and works on
// them one after the other. Its error is ErrUnable and nothing else.
func (s *slot) handle(claims []model.Claim, sent time.Time) (unable error) {
	leases := make([]*lease, len(claims))
	for i, c := range claims {
		l := hold(s.work, s.q, &s.o, s.name, c, sent)
		leases[i] = l
		s.rest.Go(l.keep)
	}
	for _, l := range leases {
		if s.run.Err() != nil || unable != nil {
			l.release()
			continue
		}
		unable = s.do(l)
	}
	return unable
}

// do works on one job and settles it. Its error is ErrUnable and nothing else.
func (s *slot) do(l *lease) error {
	if l.work.Err() != nil {
		return nil // lost while it waited for its turn in the batch
	}
	begun := time.Now()
	result := make(chan error, 1)
	go call(l.work, s.h, l.claim, result)
	err, ended := await(s.work, s.o.Stop, result)
	switch took := time.Since(begun); {
	case !ended:
		if l.end() {
			emit(s.o.Events, l.event(EventLeft))
		}
	case err == nil:
		l.complete(took)
	case errors.Is(err, ErrLost):
		l.lose("the handler says so")
	case errors.Is(err, ErrUnable):
		l.release()
		return err
	case errors.Is(context.Cause(l.work), ErrDrain):
		l.release()
	default:
		l.fail(err, took)
	}
	return nil
}

// await waits for a handler. After a loss it is waited for as long as the worker may
// run: a func cannot be stopped from outside. After the drain's grace, which ends work,
// it has stop; false means that it still runs.
func await(work context.Context, stop time.Duration, result <-chan error) (err error, ended bool) {
	select {
	case err := <-result:
		return err, true
	case <-work.Done():
	}
	t := time.NewTimer(stop)
	defer t.Stop()
	select {
	case err := <-result:
		return err, true
	case <-t.C:
		return nil, false
	}
}

// fatal reports whether an error will not go away by asking again.
func fatal(err error) bool {
	var f *model.Fault
	return errors.As(err, &f) && (f.Class == model.FaultLogin || f.Class == model.FaultTarget)
}
