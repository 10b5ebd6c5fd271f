package actions

import (
	"fmt"
	"time"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
)

// Allowed says whether an act may be tried on a job as it was seen at the server's
// time now, and if not why and what would help. It asks nobody: keys are dimmed by
// it, and Apply asks it again.
func (d *Desk) Allowed(queue string, a model.Action, j *model.Job, now time.Time) model.Verdict {
	if v := d.open(queue); !v.OK {
		return v
	}
	if a.OnQueue() {
		return d.BrakeAllowed(queue)
	}
	m := d.targets[queue].Store.Mapping()
	switch {
	case m.IsDestructive() && a != model.DeadLetter && a != model.Requeue:
		return noLease()
	case j == nil:
		return model.No("no job is chosen", "")
	case m.IsDestructive():
		return onRow(a, j, m)
	}
	if why := m.Extendable(); a == model.Extend && why != "" {
		return model.No(why, "reclaim it when its lease is over, or force")
	}
	return onJob(a, j, now)
}

// open says whether acts are possible on a queue at all. Where they are only
// printed, neither control nor a right of this login is needed.
func (d *Desk) open(queue string) model.Verdict {
	t, ok := d.targets[queue]
	switch {
	case !ok:
		return model.No("the queue is not open", "")
	case !t.Control && !t.PrintOnly:
		return model.No("control is off for this server", "start with --control, or set control: true for it in the configuration")
	}
	caps, probed := t.Store.Caps()
	if !probed {
		return model.No("the server has not answered yet", "wait for the first answer")
	}
	if m := t.Store.Mapping(); m.Family == model.Unfenced && !t.PrintOnly {
		return model.No(m.Danger(), "start with --print-only to see the statement, for somebody who knows that the worker is gone")
	}
	if v := caps.Allows(model.CanControl); !v.OK && (!t.PrintOnly || caps.Triggers.Instead) {
		return v
	}
	return model.Yes()
}

// printOnly is the verdict where statements are shown and never sent.
func printOnly() model.Verdict {
	return model.No("acts are only printed here, never sent", "hand the printed statement to somebody who may run it, or start without --print-only")
}

func onJob(a model.Action, j *model.Job, now time.Time) model.Verdict {
	if j.State == model.StateUnknown { // then nobody can say whether a worker has it
		return model.No("the job's state is a value that the mapping does not name", "name it there, or find out what writes it")
	}
	switch a {
	case model.Reclaim, model.Force, model.Grant:
		return takeBack(a, j, now)
	case model.Extend:
		return onHeld(j)
	case model.DeadLetter:
		switch j.State {
		case model.Working, model.Ready, model.Scheduled:
			return model.Yes()
		case model.Done, model.Failed, model.StateUnknown:
		}
		return model.No(fmt.Sprintf("the job is %s: it is not waiting and nobody works on it", j.State), "")
	case model.Requeue:
		if j.State != model.Failed {
			return model.No(fmt.Sprintf("the job is %s: only a failed one can be requeued", j.State), "")
		}
		return model.Yes()
	case model.PutBrake, model.FreeBrake, model.ActionNone:
	}
	return model.No("there is no such act", "")
}

// onHeld refuses what needs a claim that a statement can name.
func onHeld(j *model.Job) model.Verdict {
	switch {
	case j.State != model.Working:
		return model.No(fmt.Sprintf("the job is %s: nobody holds it", j.State), "")
	case j.Token.IsZero() && !j.Tokenless:
		return model.No("the job carries no token, so no statement can name this claim", "dead-letter it: its row is corrupt")
	}
	return model.Yes()
}

// takeBack refuses the return of a job that nobody could claim again or whose
// worker still has its time.
func takeBack(a model.Action, j *model.Job, now time.Time) model.Verdict {
	if v := onHeld(j); !v.OK {
		return v
	}
	switch {
	case a == model.Grant && !j.Exhausted():
		return model.No("its attempts are not used up", "reclaim it")
	case a != model.Grant && j.Exhausted():
		return model.No(fmt.Sprintf("its attempts are used up (%d of %d), so nobody could claim it again", j.Attempts.N, j.MaxAttempts.N),
			"dead-letter it, or grant it one more attempt")
	case a == model.Force:
		return model.Yes()
	}
	left, ok := j.Left(now)
	switch {
	case !ok && a == model.Grant:
		return model.No("the job has no lease that could run out", "dead-letter it")
	case !ok:
		return model.No("the job has no lease that could run out", "force, if its worker is known to be gone")
	case left >= 0 && a == model.Grant:
		return model.No(fmt.Sprintf("its last attempt still has its lease for %s", text.Exact(left)), "wait for its end")
	case left >= 0:
		return model.No(fmt.Sprintf("the lease still runs for %s", text.Exact(left)), "wait, or force if its worker is known to hang")
	}
	return model.Yes()
}

// extension refuses a lease that is no later, or later than one usual lease
// beyond now unless that was asked for: a dead worker's job would lie parked.
func extension(p model.Plan) model.Verdict {
	by, usual := p.Intent.By, p.Mapping.UsualLease()
	left, ok := p.Row.Left(p.At)
	switch {
	case !ok:
		return model.No("the job has no lease to extend", "")
	case by < time.Second:
		return model.No("an extension is at least a second", "")
	case by > usual && !p.Far:
		return model.No(fmt.Sprintf("%s is more than one lease (%s) beyond now: should the worker be dead, the job lies parked that long", text.Exact(by), text.Exact(usual)),
			"ask for it on purpose, or extend by less")
	case left >= by:
		return model.No(fmt.Sprintf("the lease already runs for %s", text.Exact(left)), "an extension never shortens it")
	}
	return model.Yes()
}

func sentence(v model.Verdict) string {
	if v.Fix == "" {
		return v.Why
	}
	return v.Why + ": " + v.Fix
}

// Drift says in words how a row has changed since it was shown, as far as the act
// is concerned; empty when it has not. A renewed lease disturbs only what needs an
// expired one: a force is meant for a worker that beats and does nothing else. token is
// the queue's column.
func Drift(a model.Action, token model.Column, shown, now *model.Job, at time.Time) string {
	switch {
	case now == nil:
		return "the job is gone"
	case now.Copies.Known && now.Key == shown.Key: // a row that is its values has changed in nothing else
		return ""
	case now.State != shown.State:
		return fmt.Sprintf("the job is %s now, it was %s", now.State, shown.State)
	case now.Token != shown.Token:
		return fmt.Sprintf("%s, worker %s", replaced(token, shown.Token, now.Token), nameOr(now.Worker, "not recorded"))
	case (a == model.Reclaim || a == model.Grant) && now.Lease.Raw != shown.Lease.Raw && !now.Expired(at):
		return "the worker has renewed the lease"
	}
	return ""
}

func nameOr(s, other string) string {
	if s == "" {
		return other
	}
	return s
}
