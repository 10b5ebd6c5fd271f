package actions

import (
	"context"
	"fmt"
	"time"

	"github.com/leasetop/leasetop/model"
)

// Resolve looks again at an act whose outcome is unknown. It sends nothing but
// reads, and answers with what can be proved now.
func (d *Desk) Resolve(ctx context.Context, r model.Receipt) model.Receipt {
	return d.resolve(ctx, d.journal, r)
}

// resolve is Resolve with the journal that notes it.
func (d *Desk) resolve(ctx context.Context, j Journal, r model.Receipt) model.Receipt {
	t, ok := d.targets[r.Intent.Queue]
	if !ok || r.Over() {
		return r
	}
	if r.Intent.Action.OnQueue() {
		return d.resolveBrake(ctx, j, t, r)
	}
	e := evidence{
		intent: r.Intent, row: r.Before, sent: r.Sent, resolving: true,
		fault:   &model.Fault{Class: model.FaultNetwork, Text: "the reply was lost", Unsure: true},
		settled: d.now().Sub(r.Sent) > d.settle,
	}
	if r.Fault != nil {
		e.fault = r.Fault
	}
	d.read(ctx, t, &e)
	next := judge(e)
	if next.Over() {
		if err := j.Done(next); err != nil {
			next.Message += fmt.Sprintf(" (the journal could not note this: %v)", err)
		}
	}
	return next
}

// Remembered is how long every event stays in the history at least, and so how far
// two clocks may disagree about the order of an act and an event.
const Remembered = time.Minute

// forgotten reports whether what would name an act may be gone: the history begins
// only after it, or of a destructive queue, the dead letter may be requeued since. It
// is asked after the act was looked for, since a purge takes the oldest events first.
func (d *Desk) forgotten(ctx context.Context, t Target, sent time.Time) (bool, error) {
	ago := d.now().Sub(sent).Abs()
	switch m := t.Store.Mapping(); {
	case ago <= Remembered:
		return false, nil
	case m.IsDestructive():
		return true, nil
	case m.History.IsZero():
		return false, nil
	}
	reaches, err := t.Store.Remembered(ctx)
	return reaches < ago+Remembered, err
}

// Certain looks again at an act whose reply was lost, once a second, until it is
// known what became of it, nothing more can be found out, or the statement is too
// old to still take effect. An end of ctx ends the looking, not the act.
func (d *Desk) Certain(ctx context.Context, r model.Receipt) model.Receipt {
	return d.certain(ctx, d.journal, r)
}

func (d *Desk) certain(ctx context.Context, j Journal, r model.Receipt) model.Receipt {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for last := false; !r.Over() && !last; {
		select {
		case <-tick.C:
			last = d.now().Sub(r.Sent) > d.settle
			r = d.resolve(ctx, j, r)
		case <-ctx.Done():
			return r
		}
	}
	return r
}
