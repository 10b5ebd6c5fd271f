package worker

import (
	"context"
	"errors"
	"time"

	"github.com/leasetop/leasetop/model"
)

// RecoverLimit is how many rows one statement of recovery touches at the most.
const RecoverLimit = 500

// RecoverOptions say how expired and due rows are taken back. The zero options
// are those of the model's default lease.
type RecoverOptions struct {
	Lease   time.Duration // the workers' lease; 0: model.DefaultLease
	Every   time.Duration // between recoveries, jittered by 20 %; 0: a quarter of the lease
	Promote time.Duration // between promotions of due rows; 0: a second
	Grace   time.Duration // how far past its lease a row must be
	Backoff model.Backoff // before a recovered job is due again; zero: the model's default
	Events  func(Event)   // must not block
}

// Recovery is what one round did.
type Recovery struct {
	Recovered int    // expired rows taken back
	Failed    int    // of them at their bound: dead letters now
	Promoted  int    // due rows made ready
	Waited    string // why the round waited a lease first; empty: it did not
}

// Recoverer returns what nobody holds any more. Many may run on one queue at once:
// every statement is conditional and skips what another holds.
type Recoverer struct {
	q Queue
	o RecoverOptions

	guard     guard
	unguarded bool // it was said that the table's figures cannot be had
}

// NewRecoverer makes a recoverer. Nothing is sent before Run or Once.
func NewRecoverer(q Queue, o RecoverOptions) *Recoverer {
	o.Lease = or(o.Lease, model.DefaultLease)
	o.Every = or(o.Every, o.Lease/4)
	o.Promote = or(o.Promote, time.Second)
	if o.Backoff == (model.Backoff{}) {
		o.Backoff = model.DefaultBackoff()
	}
	return &Recoverer{q: q, o: o, guard: guard{lease: o.Lease}}
}

// Run recovers and promotes until ctx ends, which is a nil error. It returns
// early only when the server refuses the login or the target itself is wrong.
func (r *Recoverer) Run(ctx context.Context) error {
	promote := time.NewTicker(r.o.Promote)
	defer promote.Stop()
	next := time.NewTimer(jitter(r.o.Every/2, 50))
	defer next.Stop()
	for {
		var err error
		select {
		case <-ctx.Done():
			return nil
		case <-promote.C:
			_, err = r.promote(ctx)
		case <-next.C:
			_, err = r.recover(ctx)
			next.Reset(jitter(r.o.Every, 20))
		}
		if fatal(err) {
			return err
		}
	}
}

// Once does one round. When the guard against mass expiry says so it waits one
// full lease first, and looks again.
func (r *Recoverer) Once(ctx context.Context) (Recovery, error) {
	var out Recovery
	for {
		n, err := r.promote(ctx)
		out.Promoted += n
		if err != nil {
			return out, err
		}
		got, err := r.recover(ctx)
		out.Recovered, out.Failed = got.done, got.failed
		if err != nil {
			return out, err
		}
		if got.wait == 0 {
			return out, context.Cause(ctx)
		}
		if got.why != "" {
			out.Waited = got.why
		}
		if !pause(ctx, got.wait) {
			return out, context.Cause(ctx)
		}
	}
}

// round is what one look and its batches did.
type round struct {
	done, failed int
	why          string
	wait         time.Duration
}

func (r *Recoverer) recover(ctx context.Context) (round, error) {
	var out round
	err := r.look(ctx, &out)
	for err == nil && out.wait == 0 {
		var changes []model.Change
		next := newToken()
		changes, err = r.q.Recover(ctx, next, RecoverLimit, r.o.Grace, r.o.Backoff, jitterPct())
		for _, c := range changes {
			r.tell(c, next, &out)
		}
		if len(changes) < RecoverLimit {
			break
		}
	}
	r.guard.left(out.done)
	return out, r.check(ctx, StepRecover, err)
}

// look reads the figures and asks the guard. A table whose figures cannot be had
// is recovered without it, and that is said once.
func (r *Recoverer) look(ctx context.Context, out *round) error {
	s := sight{sent: time.Now()}
	p, now, err := r.q.Pulse(ctx, model.PulseAsk{})
	if shapeless(err) {
		if !r.unguarded {
			emit(r.o.Events, Event{Kind: EventTrouble, Step: StepPulse, Err: err, Text: "recovery is not guarded against mass expiry"})
		}
		r.unguarded = true
		return nil
	}
	if err != nil {
		return err
	}
	s.got, s.server, s.working, s.expired, s.epoch = time.Now(), now, p.Working, p.Expired, p.Enqueued.Epoch
	if out.why, out.wait = r.guard.look(s); out.why != "" {
		emit(r.o.Events, Event{Kind: EventWaiting, Step: StepRecover, For: out.wait, Text: out.why})
	}
	return nil
}

func (r *Recoverer) tell(c model.Change, next string, out *round) {
	out.done++
	if c.NewState == model.Failed {
		out.failed++
	}
	emit(r.o.Events, Event{
		Kind: EventRecovered, Step: StepRecover, Worker: c.Worker, Key: c.Key, Token: c.OldToken, Next: next,
		State: c.NewState, Attempts: c.Attempts,
	})
}

func (r *Recoverer) promote(ctx context.Context) (int, error) {
	total := 0
	for {
		changes, err := r.q.Promote(ctx, RecoverLimit)
		if shapeless(err) {
			break // nothing is ever scheduled there
		}
		if err != nil {
			return total, r.check(ctx, StepPromote, err)
		}
		r.guard.answer(time.Now())
		total += len(changes)
		if len(changes) < RecoverLimit {
			break
		}
	}
	if total > 0 {
		emit(r.o.Events, Event{Kind: EventPromoted, Step: StepPromote, N: total})
	}
	return total, nil
}

// check tells of a failed call and notes an unreachable server. A call that ended
// with the context is no failure.
func (r *Recoverer) check(ctx context.Context, s Step, err error) error {
	if err == nil || ctx.Err() != nil {
		return nil
	}
	if unreachable(err) {
		r.guard.trouble()
	}
	emit(r.o.Events, Event{Kind: EventTrouble, Step: s, Err: err})
	return err
}

// unreachable reports whether an error means that the server was not there.
func unreachable(err error) bool {
	var f *model.Fault
	return errors.As(err, &f) && (f.Class == model.FaultNetwork || f.Class == model.FaultHung)
}

// shapeless reports whether the table cannot have the operation at all.
func shapeless(err error) bool {
	var f *model.Fault
	return errors.As(err, &f) && f.Class == model.FaultReshaped
}
