package actions

import (
	"fmt"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
)

// noLease is why a destructive queue knows none of the acts on a claim.
func noLease() model.Verdict {
	return model.No("a destructive queue has no leases: a row that was dequeued is gone, or locked until its work ends, and nothing can take it back",
		"a waiting row can be dead-lettered, a dead letter requeued")
}

// onRow says whether an act may be tried on a row of a destructive queue, or with
// no row on its oldest ones.
func onRow(a model.Action, j *model.Job, m *model.Mapping) model.Verdict {
	switch a {
	case model.DeadLetter:
		switch {
		case j == nil:
			return model.Yes()
		case j.State != model.Ready:
			return model.No("it is a dead letter already", "")
		case j.Locked.Known && j.Copies.Known && j.Locked.N >= j.Copies.N:
			return model.No("it is being dequeued now (emulated lock): it is gone when its work ends, or comes back", "wait for its end")
		}
		return m.Comparable()
	case model.Requeue:
		if j == nil || j.State != model.Failed {
			return model.No("the row waits in the queue: only a dead letter can be requeued", "")
		}
		return m.Comparable()
	default:
		return noLease()
	}
}

// free is how many of the rows that are equal to one nobody is known to be dequeuing.
func free(j *model.Job) int64 { return j.Copies.N - j.Locked.N }

// rowEffects are what will follow for a destructive queue, in sentences.
func rowEffects(ask Ask, m *model.Mapping) []string {
	var out []string
	if ask.Action == model.DeadLetter {
		switch {
		case ask.Oldest > 0:
			out = append(out, fmt.Sprintf("The %d oldest rows that nobody holds move to %s, whatever the order of dequeue is.", ask.Oldest, m.Lane.Dead))
		case free(ask.Row) > 1:
			out = append(out, fmt.Sprintf("1 of %d identical rows moves to %s; which one cannot matter.", free(ask.Row), m.Lane.Dead))
		default:
			out = append(out, fmt.Sprintf("The row moves to %s and is dequeued no more until somebody requeues it.", m.Lane.Dead))
		}
		return append(out,
			"A row that is being dequeued now is passed over: no statement can take it.",
			"The reason, the time, who asked and this act's id are kept beside it, and prove the act.")
	}
	by := m.Column(model.RoleEnqueued)
	switch {
	case by.Type != model.Time:
		out = append(out, "The row goes back into the queue.")
	case ask.KeepTime:
		out = append(out, fmt.Sprintf("The row goes back with its old %s: where that is the head, it is dequeued next.", by.Name))
	default:
		out = append(out, fmt.Sprintf("The row goes back with a new %s, to the tail.", by.Name))
	}
	if ask.Row != nil && ask.Row.Error != "" {
		out = append(out, "It became a dead letter with: "+ask.Row.Error)
	}
	return append(out, "Its work may have begun before: what that did outside can happen twice.",
		"A row of the queue carries no act's id: should the reply be lost, nothing can prove this act.")
}

// judgeRow is the verdict on an act on a destructive queue.
func judgeRow(e evidence) model.Receipt {
	r := model.Receipt{Intent: e.intent, Before: e.row, Sent: e.sent, At: e.at, Fault: e.fault}
	if e.nowErr == nil && !e.nowAt.IsZero() {
		r.After, r.At = e.now, e.nowAt
	}
	switch {
	case e.fault == nil && len(e.changes) > 0:
		return rowApplied(e, r)
	case e.audit != nil:
		r.Outcome, r.After = model.Applied, nil
		r.Message = "applied: the reply was lost, but the dead letters carry this act's id"
		return r
	case e.fault == nil:
		return rowUnmatched(e, r)
	case e.fault.Unsure:
		return rowLost(e, r)
	}
	return refused(e, r)
}

func rowApplied(e evidence, r model.Receipt) model.Receipt {
	n := int64(len(e.changes))
	r.Outcome, r.At = model.Applied, e.at
	left := ""
	if a := e.changes[0].Alike; a.Known {
		left = fmt.Sprintf("; %s left", text.Plural(a.N, "identical row", "identical rows"))
	}
	what := "is a dead letter"
	if n > 1 {
		what = "are dead letters"
	}
	if e.intent.Action == model.Requeue {
		what = "is back in the queue"
	}
	r.Message = fmt.Sprintf("applied: %s %s%s", text.Plural(n, "row", "rows"), what, left)
	if e.intent.Oldest > 0 && n < int64(e.intent.Oldest) {
		r.Message += fmt.Sprintf("; no more than these of the %d asked for were free", e.intent.Oldest)
	}
	if e.intent.Oldest > 0 {
		return r
	}
	c := e.changes[0]
	after := model.Job{Key: c.Key}
	if e.row != nil {
		after = *e.row
	}
	after.Key, after.State, after.Token, after.Copies = c.Key, c.NewState, model.Token{}, model.NumberOf(1)
	after.Error, after.Worker, after.Ended, after.Waiting = "", "", model.Instant{}, model.Age{}
	if c.NewState == model.Failed {
		after.Token, after.Error = c.NewToken, e.intent.Reason
		after.Key = model.RowKeyOf(c.Key.Values(), model.GUIDValue(e.intent.ActionID))
	}
	r.After = &after
	return r
}

// rowUnmatched judges a statement that ended well and took nothing.
func rowUnmatched(e evidence, r model.Receipt) model.Receipt {
	switch {
	case e.intent.Oldest > 0:
		r.Outcome, r.Message = model.Gone, "nothing was changed: no row is free: the queue is empty, or what is there is being dequeued now"
	case e.nowErr != nil:
		r.Outcome = model.Changed
		r.Message = "nothing was changed: the statement matched no row, and it cannot be read why: " + asFault(e.nowErr).Error()
	case e.intent.Action == model.Requeue && e.now == nil:
		r.Outcome, r.Message = model.Gone, "nothing was changed: there is no such dead letter any more"
	case e.now == nil:
		r.Outcome, r.Message = model.Gone, "nothing was changed: the row is gone, or being dequeued now"
	default:
		r.Outcome, r.Message = model.Changed, "nothing was changed: the row is there, but another session holds it: it is being dequeued now"
		r.Holder = "another session"
	}
	return r
}

// rowLost judges an act whose reply never came. A dead letter names its act; a row
// that was requeued does not.
func rowLost(e evidence, r model.Receipt) model.Receipt {
	r.Outcome = model.OutcomeUnknown
	counted := e.now != nil && e.row != nil && e.now.Copies.Known && e.row.Copies.Known
	fewer := counted && e.now.Copies.N < e.row.Copies.N
	switch {
	case e.nowErr != nil:
		r.Message = "unknown: the reply was lost and the rows cannot be read now; look again when the server answers"
	case e.auditErr != nil:
		r.Message = "unknown: the reply was lost and the dead letters cannot be read now; look again when they can"
	case e.intent.Action == model.Requeue && (e.now == nil || fewer):
		r.Final = true
		r.Message = "unknown for good: the reply was lost and the dead letter is gone, but a row of the queue does not tell by whose act it came"
	case e.forgotten && e.intent.Action == model.DeadLetter:
		r.Final = true
		r.Message = "unknown for good: the reply was lost, and no dead letter names the act, but one that did may have been requeued or removed since"
	case e.settled && e.intent.Action == model.DeadLetter && e.intent.Oldest == 0 && e.now == nil:
		r.Outcome, r.Message = model.Gone, "nothing was changed by this act: the row is gone, or being dequeued, and no dead letter names the act"
	case e.settled:
		r.Outcome = model.Refused
		r.Message = "nothing was changed: the request was lost, and long after it could have taken effect nothing names this act"
	default:
		r.Message = "unknown: the reply was lost, and the statement may still take effect; look again in a moment"
	}
	return r
}
