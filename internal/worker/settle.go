package worker

import (
	"context"
	"time"
	"unicode/utf16"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
)

// complete ends the job as done.
func (l *lease) complete(took time.Duration) {
	l.settle(EventCompleted, StepComplete, Event{For: took}, func(ctx context.Context) ([]model.Change, error) {
		return l.q.Complete(ctx, l.claim.Key, l.claim.Token)
	})
}

// fail ends the attempt with a diagnostic; the statement decides between another
// attempt and the dead letters.
func (l *lease) fail(cause error, took time.Duration) {
	e := Event{For: took, Next: newToken(), Text: diagnostic(cause)}
	delay := jitter(l.o.Backoff.After(l.claim.Attempts.N), 20)
	l.settle(EventFailed, StepFail, e, func(ctx context.Context) ([]model.Change, error) {
		return l.q.Fail(ctx, l.claim.Key, l.claim.Token, e.Next, delay, e.Text)
	})
}

// release gives the job back untouched, its attempt not counted.
func (l *lease) release() {
	e := Event{Next: newToken()}
	l.settle(EventReleased, StepRelease, e, func(ctx context.Context) ([]model.Change, error) {
		return l.q.Release(ctx, l.claim.Key, l.claim.Token, e.Next)
	})
}

// settle carries one ending step through and tells what became of it. It sends
// nothing past the fence or after a loss.
func (l *lease) settle(done Kind, s Step, e Event, send func(context.Context) ([]model.Change, error)) {
	if !l.take() {
		return
	}
	defer l.cancel(nil)
	told := l.event(done)
	told.Step, told.Next, told.Text, told.For = s, e.Next, e.Text, e.For
	h, change, job := l.carry(s, e.Next, send)
	switch {
	case h == Held:
		told.State = change.NewState
	case h == Confirmed:
		told.Kind, told.State = EventConfirmed, job.State
	case h == Lost:
		told.Kind, told.Text = EventLost, lostText(job)
	default:
		told.Kind = EventUnsure
	}
	emit(l.o.Events, told)
}

// carry sends a step until the row shows what became of the claim or the fence is
// reached. Held means here that the step's own statement captured the row.
//
// The step is not cut off when the worker drains: a call that was cancelled may
// have been applied all the same.
func (l *lease) carry(s Step, next string, send func(context.Context) ([]model.Change, error)) (Hold, model.Change, *model.Job) {
	l.mu.Lock()
	fence := l.fence
	l.mu.Unlock()
	ctx, cancel := context.WithDeadline(context.WithoutCancel(l.work), fence)
	defer cancel()
	again := ramp{first: l.o.Lease / 200, most: l.o.Lease / 20}
	for {
		changes, err := send(ctx)
		if err == nil && len(changes) > 0 {
			return Held, changes[0], nil
		}
		l.trouble(s, err)
		if h, job := l.read(next); h == Confirmed || h == Lost {
			return h, model.Change{}, job
		}
		if !pause(ctx, again.wait()) {
			return Unknown, model.Change{}, nil
		}
	}
}

// maxDiagnostic is what the shipped error column holds, in UTF-16 units.
const maxDiagnostic = 2000

// diagnostic is an error as one line that fits the column.
func diagnostic(err error) string {
	s := text.Clean(err.Error())
	units := 0
	for i, r := range s {
		units += utf16.RuneLen(r)
		if units > maxDiagnostic {
			return s[:i]
		}
	}
	return s
}
