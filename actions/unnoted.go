package actions

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
)

// Resumed is what a set that is gone on with is known by. A crash can take lines of
// its record with it, and with them the ids of acts that were sent.
type Resumed struct {
	At    time.Time // when it was begun; zero: it is not gone on with
	Actor string    // who began it
	Torn  bool      // lines of its record are lost for certain
}

// pastEvents is how many events of a job are looked through for an act of one run.
const pastEvents = 100

// unnoted looks for an act that an earlier run may have sent for a row and that its
// record no longer has: by the claim that it replaced or extended, who acted, why and
// when. found is what the row alone says; over is false where nothing was sent and
// the claim still stands.
func (r *run) unnoted(ctx context.Context, row *Row, found model.Receipt, over bool) (model.Receipt, bool, error) {
	was := r.set.Resumed
	if was.At.IsZero() || !over && r.set.Action != model.Extend {
		return found, over, nil // a claim that still stands was not replaced
	}
	t := r.d.targets[r.set.Queue]
	i := found.Intent
	i.Action, i.Queue, i.Key, i.Actor, i.Seen.Token = r.set.Action, r.set.Queue, row.Key, was.Actor, row.Token
	if t.Store.Mapping().History.IsZero() {
		if over && was.Torn {
			return lostLine(i, found, "the table keeps no history"), true, nil
		}
		return found, over, nil
	}
	ctx, cancel := context.WithTimeout(ctx, readBudget)
	defer cancel()
	events, at, err := t.Store.History(ctx, row.Key, pastEvents)
	if err != nil {
		return found, over, err
	}
	for _, e := range events {
		if e.Action == "" || e.OldToken != row.Token || e.Kind != kindOf(r.set.Action) || e.At.Before(was.At.Add(-Remembered)) ||
			!kept(e.Actor, was.Actor) || !kept(e.Reason, r.set.Reason) {
			continue
		}
		i.ActionID, i.Reason = e.Action, e.Reason
		return model.Receipt{
			Intent: i, Outcome: model.Applied, Before: row.Seen, After: found.After, At: at,
			Message: fmt.Sprintf("applied: the line is lost from the receipts, but the history has this act, by %s at %s", e.Actor, e.At.UTC().Format(time.RFC3339)),
		}, true, nil
	}
	if forgotten, err := r.d.forgotten(ctx, t, was.At); err != nil || !forgotten || !over {
		return found, over, err
	}
	return lostLine(i, found, "the history no longer reaches back so far"), true, nil
}

// leastKept is the room of the narrowest of the history's columns that cut what is
// longer: the one of who acted.
const leastKept = 128

// kept reports whether the history has what was given, or as much of it as its column
// has room for.
func kept(had, given string) bool {
	given = text.Clean(strings.TrimSpace(given))
	return had == given || len(had) >= leastKept && strings.HasPrefix(given, had)
}

// kindOf is what the history calls an act on a job.
func kindOf(a model.Action) model.EventKind {
	switch a {
	case model.Extend:
		return model.EventExtended
	case model.DeadLetter:
		return model.EventDeadLettered
	case model.Requeue:
		return model.EventRequeued
	case model.Reclaim, model.Force, model.Grant, model.ActionNone, model.PutBrake, model.FreeBrake:
	}
	return model.EventReclaimed
}

// lostLine is the receipt of a row that an earlier run may have changed.
func lostLine(i model.Intent, found model.Receipt, silence string) model.Receipt {
	found.Intent, found.Outcome, found.Final = i, model.OutcomeUnknown, true
	found.Message = "unknown for good: the row has moved on, lines of the receipts may be lost, and " + silence + " to tell by whose act"
	return found
}
