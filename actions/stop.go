package actions

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
)

// alike is how many rows in a row the server may refuse with one number before a
// run takes it that it will refuse all of them.
const alike = 5

// Again reports whether an act did nothing for a reason that is not its row's, so
// that a later run may send it: the server could not be reached, the request is
// proved to have been lost, or the server refused what it would have refused for
// every row.
func Again(r model.Receipt) bool {
	return r.Outcome == model.Refused && r.Fault != nil && everyRow(r.Fault.Class) != ""
}

// everyRow says what a class of faults means for all other rows, empty when it is
// about one row alone.
func everyRow(c model.FaultClass) string {
	switch c {
	case model.FaultNetwork, model.FaultHung, model.FaultBusy:
		return "the server cannot be reached"
	case model.FaultDenied, model.FaultLogin:
		return "a right is missing"
	case model.FaultReadOnly:
		return "the database takes no writes"
	case model.FaultReshaped, model.FaultRefused, model.FaultTarget:
		return "the server refuses the statement"
	case model.FaultBraked:
		return "our own guard stands against it"
	case model.FaultRaced, model.FaultOther:
	}
	return ""
}

// away reports whether a fault means that the server could not be asked at all.
func away(f *model.Fault) bool {
	switch f.Class {
	case model.FaultNetwork, model.FaultHung, model.FaultBusy, model.FaultLogin:
		return true
	case model.FaultDenied, model.FaultReadOnly, model.FaultReshaped, model.FaultRefused, model.FaultTarget, model.FaultBraked,
		model.FaultRaced, model.FaultOther:
	}
	return false
}

// stops says why a run ends with this row, empty when it goes on.
func (r *run) stops(got model.Receipt) string {
	if r.record.err != nil {
		return fmt.Sprintf("the receipts can no longer be written: %v", r.record.err)
	}
	f := got.Fault
	if got.Outcome == model.OutcomeUnknown {
		return "it is not known what became of job " + text.Brief(got.Intent.Key.String())
	}
	if f == nil || got.Outcome == model.Applied {
		r.same = 0
		return ""
	}
	if Again(got) {
		r.unasked = away(f)
		return everyRow(f.Class) + ": " + f.Error()
	}
	if got.Outcome != model.Refused || f.Code == 0 {
		r.same = 0
		return ""
	}
	if f.Code != r.code {
		r.same, r.code = 0, f.Code
	}
	if r.same++; r.same >= alike && f.Class != model.FaultRaced {
		return fmt.Sprintf("the server refused %d rows one after the other: %s", r.same, f.Error())
	}
	return ""
}

// calm waits while leases ran out in a mass, and says why the run ended meanwhile,
// if it did.
func (r *run) calm(ctx context.Context) string {
	const step = 2 * time.Second
	for {
		why, wait, err := r.d.calm(ctx, &r.set)
		switch {
		case ctx.Err() != nil:
			return stopped
		case err != nil:
			r.unasked = away(asFault(err))
			return "the leases could not be looked at: " + asFault(err).Error()
		case why == "":
			r.now.Waiting, r.now.For = "", 0
			return ""
		}
		r.now.Waiting, r.now.For = why, wait
		r.tell()
		if !pause(ctx, min(max(wait, time.Second), step)) {
			return stopped
		}
	}
}

// calm asks the guard, for acts that take expired jobs back.
func (d *Desk) calm(ctx context.Context, s *Set) (why string, wait time.Duration, err error) {
	if d.guard == nil || s.Action != model.Reclaim && s.Action != model.Grant {
		return "", 0, nil
	}
	return d.guard(ctx, s.Queue)
}

// watched is a record that remembers when it could not be written: what comes behind a
// torn line cannot be read.
type watched struct {
	Record
	err error
}

// Sent notes an act before its statement leaves.
func (w *watched) Sent(p model.Plan, at time.Time) error { return w.note(w.Record.Sent(p, at)) }

// Done notes a receipt.
func (w *watched) Done(r model.Receipt) error { return w.note(w.Record.Done(r)) }

func (w *watched) note(err error) error {
	w.err = cmp.Or(w.err, err)
	return err
}
