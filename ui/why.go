package ui

import (
	"context"
	"errors"

	"github.com/leasetop/leasetop/internal/diagnose"
	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/ui/kit"
)

// readWhy gathers what is known of a job, its place in the queue and its locks, and
// has it judged. What cannot be read is part of the answer.
func (a *App) readWhy(ctx context.Context, x kit.ReadWhy) kit.WhyRead {
	f := diagnose.WhyFacts{Queue: x.Queue, Key: x.Key, Snapshot: a.o.Feed.Board().Queue(x.Queue)}
	d := a.o.Details
	if f.Job, f.At, f.Err = d.Inspect(ctx, x.Queue, x.Key); f.Err != nil || f.Job == nil {
		if f.Err != nil && fault(f.Err).Class == model.FaultRaced { // a lock may be what it met
			f.Locks = a.readLocks(ctx, x)
		}
		return kit.WhyRead{Queue: x.Queue, Why: diagnose.Why(f)}
	}
	f.Job = sighted(f.Job, x.Job)
	if f.Job.State == model.Ready {
		f.Ready, f.ReadyAt, f.ReadyErr = d.Page(ctx, x.Queue, model.ViewReady)
	}
	if f.Job.State != model.Done && f.Job.State != model.Failed {
		f.Locks = a.readLocks(ctx, x)
	}
	return kit.WhyRead{Queue: x.Queue, Why: diagnose.Why(f)}
}

// readLocks looks for locks on a job's row.
func (a *App) readLocks(ctx context.Context, x kit.ReadWhy) model.Locks {
	locks, err := a.o.Details.Locks(ctx, x.Queue, x.Key)
	if err != nil {
		locks.RowErr, locks.HoldErr = fault(err), fault(err)
	}
	return locks
}

// fault is an error of a store as it is shown.
func fault(err error) *model.Fault {
	var f *model.Fault
	if !errors.As(err, &f) {
		f = &model.Fault{Text: err.Error()}
	}
	return f
}

// sighted gives a job the ages that the watching has seen of it and its row does
// not tell, as long as it has not changed hands since.
func sighted(j, shown *model.Job) *model.Job {
	if shown == nil || shown.State != j.State || shown.Token != j.Token {
		return j
	}
	c := *j
	if !c.Held.Known() {
		c.Held = shown.Held
	}
	if !c.Waiting.Known() {
		c.Waiting = shown.Waiting
	}
	return &c
}
