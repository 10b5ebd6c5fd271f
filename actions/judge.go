package actions

import (
	"errors"
	"fmt"
	"time"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
)

// evidence is all that is known about an act when it is judged.
type evidence struct {
	intent model.Intent
	row    *model.Job // as shown
	sent   time.Time

	token, lease model.Column // of the queue; zero: a GUID, and milliseconds

	changes []model.Change // what the statement captured, read to the end
	at      time.Time
	fault   *model.Fault

	now      *model.Job // the row as read afterwards; nil with no error: gone
	nowAt    time.Time
	nowErr   error
	audit    *model.Event
	auditErr error

	history   bool // the table has a history, so an applied act has left a row in it
	forgotten bool // and that row may have been removed since
	rows      bool // the queue is destructive: its rows are their values
	after     bool // an AFTER trigger may have changed the row since
	settled   bool // too long ago for the statement to still take effect
	resolving bool // a later look, not the act itself
}

// needsRead reports whether the captured row alone does not settle it.
func (e *evidence) needsRead() bool {
	if e.rows && e.fault == nil && len(e.changes) > 0 {
		return false // the rows lie in the dead letters, or in the queue, where no trigger is
	}
	return e.fault != nil || len(e.changes) != 1 || e.after
}

// judge is the only verdict on an act. It never says applied without proof, and
// it says unknown rather than guess.
func judge(e evidence) model.Receipt {
	if e.rows {
		return judgeRow(e)
	}
	r := model.Receipt{Intent: e.intent, Before: e.row, Sent: e.sent, At: e.at, Fault: e.fault}
	if e.nowErr == nil && !e.nowAt.IsZero() {
		r.After, r.At = e.now, e.nowAt
	}
	switch {
	case e.captured():
		return applied(e, r)
	case e.audit != nil, e.now != nil && e.carries(e.now.Token, e.now.Lease):
		r.Outcome, r.Message = model.Applied, "applied: the reply was lost, but the row and its history prove it"
		if e.audit == nil {
			r.Message = "applied: the reply was lost, but the row carries this act's id"
		}
		if e.audit == nil && e.intent.Action == model.Extend {
			r.Message = "applied: the reply was lost, but the lease carries this act's mark"
		}
		return r
	case e.fault == nil:
		return unmatched(e, r)
	case e.fault.Unsure:
		return lost(e, r)
	}
	return refused(e, r)
}

func applied(e evidence, r model.Receipt) model.Receipt {
	c := e.changes[0]
	r.Outcome, r.At = model.Applied, e.at
	r.Message = fmt.Sprintf("applied: the job is %s under a new token", c.NewState)
	if c.NewToken.IsZero() {
		r.Message = fmt.Sprintf("applied: the job is %s and carries no token any more", c.NewState)
	}
	if e.intent.Action == model.Extend {
		r.Message = "applied: the lease runs for " + text.Exact(c.NewLease.At.Sub(e.at)) + ", the token stays"
	}
	if !e.after {
		r.After = afterChange(e.row, c)
		if e.intent.Action == model.Grant && r.After.Attempts.Known {
			r.After.MaxAttempts = model.NumberOf(r.After.Attempts.N + 1)
		}
		return r
	}
	switch {
	case e.nowErr != nil:
		r.Message = "applied; the table has a trigger, and the row could not be read again to see what it made of it"
	case e.now == nil:
		r.Message = "applied; then a trigger or another session removed the row"
	default:
		r.Message = fmt.Sprintf("applied; read again after the table's trigger, the job is %s", e.now.State)
	}
	return r
}

// afterChange is the row as the statement left it.
func afterChange(row *model.Job, c model.Change) *model.Job {
	j := model.Job{Key: c.Key}
	if row != nil {
		j = *row
	}
	j.State, j.Token, j.Lease = c.NewState, c.NewToken, c.NewLease
	if c.NewState == model.Working {
		return &j
	}
	if c.OldState == model.Failed && j.Attempts.Known {
		j.Attempts = model.NumberOf(0)
	}
	j.Held, j.Claimed, j.Beat, j.Worker = model.Age{}, model.Instant{}, model.Instant{}, ""
	return &j
}

// unmatched judges a statement that ended well and captured nothing.
func unmatched(e evidence, r model.Receipt) model.Receipt {
	switch {
	case len(e.changes) > 0:
		r.Final = true // a later look at this row would not know of the other
		r.Message = "the statement captured another row than was meant: look at the table before doing anything else"
	case e.nowErr != nil:
		r.Outcome = model.Changed
		r.Message = "nothing was changed: the statement matched no row, and the row cannot be read to say why: " + asFault(e.nowErr).Error()
	case e.now == nil:
		r.Outcome, r.Message = model.Gone, "nothing was changed: there is no such job any more"
	default:
		r.Outcome, r.Holder = model.Changed, holder(e.now)
		r.Message = "nothing was changed: " + difference(e)
	}
	return r
}

// difference says how the row is not what the act was about.
func difference(e evidence) string {
	seen, now := e.intent.Seen, e.now
	switch {
	case now.State == model.Done && now.Token == seen.Token:
		return "its worker has completed the job meanwhile"
	case now.State == model.StateUnknown:
		return "the job's state is a value now that the mapping does not name"
	case seen.State != model.StateUnknown && now.State != seen.State:
		return fmt.Sprintf("the job is %s now, it was %s", now.State, seen.State)
	case now.Token != seen.Token && now.State != model.Working:
		return fmt.Sprintf("the job is %s under another token: %s instead of %s", now.State, text.Brief(now.Token.String()), text.Brief(seen.Token.String()))
	case now.Token != seen.Token:
		return replaced(e.token, seen.Token, now.Token)
	case now.State != seen.State:
		return fmt.Sprintf("the job is %s now", now.State)
	}
	if left, ok := now.Left(e.nowAt); ok && left >= 0 {
		return fmt.Sprintf("the lease still runs for %s", text.Exact(left))
	}
	if !now.Lease.IsZero() && now.Lease.Raw != seen.Lease.Raw {
		return "the lease was renewed meanwhile and has run out again: look once more and repeat"
	}
	return "the row did not match at that moment and looks as before now: another session may hold it; look once more"
}

func holder(j *model.Job) string {
	if j == nil || j.State != model.Working {
		return ""
	}
	return nameOr(j.Worker, "token "+text.Brief(j.Token.String()))
}

// lost judges an act whose reply never came.
func lost(e evidence, r model.Receipt) model.Receipt {
	r.Outcome = model.OutcomeUnknown
	switch {
	case e.nowErr != nil:
		r.Message = "unknown: the reply was lost and the row cannot be read now; look again when the server answers"
	case e.history && e.auditErr != nil:
		r.Message = "unknown: the reply was lost and the history cannot be read now; look again when it can"
	case e.tells() && e.now == nil:
		r.Outcome, r.Message = model.Gone, "nothing was changed by this act: the job is gone and its history does not name it"
	case e.tells() && !e.matchable():
		r.Outcome, r.Holder = model.Changed, holder(e.now)
		r.Message = "nothing was changed by this act: " + difference(e)
	case !e.matchable():
		r.Final = true
		r.Message = "unknown for good: the reply was lost, the row has moved on, and " + e.silence() + " to tell by whose act"
		r.Holder = holder(e.now)
	case e.settled && e.overwritten():
		r.Final = true
		r.Message = "unknown for good: the reply was lost, the lease was set anew since, and " + e.silence() + " to tell by whom"
		r.Holder = holder(e.now)
	case e.settled && e.nameless():
		r.Final = true
		r.Message = "unknown for good: the reply was lost and the row is as it was, but a job without a token may have come back to that, and " + e.silence()
	case e.settled:
		r.Outcome = model.Refused
		r.Message = "nothing was changed: the request was lost, and long after it could have taken effect the row still is as it was"
	default:
		r.Message = "unknown: the reply was lost and the row is as it was, but the statement may still take effect; look again in a moment"
	}
	return r
}

// refused judges a certain answer of the server, or a request that never left.
func refused(e evidence, r model.Receipt) model.Receipt {
	if e.fault.Code != 0 && e.nowErr != nil {
		r.Outcome = model.OutcomeUnknown
		r.Message = fmt.Sprintf("unknown: the server answered %s, and the row cannot be read to make sure that nothing was changed", e.fault.Error())
		return r
	}
	r.Outcome = model.Refused
	by := "the server refused"
	if e.fault.Code == 0 {
		by = "it was not sent"
	}
	r.Message = fmt.Sprintf("nothing was changed: %s: %s", by, e.fault.Error())
	return r
}

// asFault takes a store's error as what it is; nil stays nil.
func asFault(err error) *model.Fault {
	if err == nil {
		return nil
	}
	var f *model.Fault
	if errors.As(err, &f) {
		return f
	}
	return &model.Fault{Text: text.Clean(err.Error()), Unsure: true}
}
