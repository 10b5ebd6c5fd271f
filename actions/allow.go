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
	t, ok := d.targets[queue]
	switch {
	case !ok:
		return model.No("the queue is not open", "")
	case !t.Control:
		return model.No("control is off for this server", "start with --control, or set control: true for it in the configuration")
	}
	caps, probed := t.Store.Caps()
	if !probed {
		return model.No("the server has not answered yet", "wait for the first answer")
	}
	if f := t.Store.Mapping().Family; f != model.Fenced {
		return model.No(fmt.Sprintf("the queue is %s: nothing fences a worker that is still running", f), "")
	}
	if v := caps.Allows(model.CanControl); !v.OK {
		return v
	}
	if j == nil {
		return model.No("no job is chosen", "")
	}
	return onJob(a, j, now)
}

func onJob(a model.Action, j *model.Job, now time.Time) model.Verdict {
	if a != model.Reclaim && a != model.Force {
		return model.No("there is no such act", "")
	}
	switch {
	case j.State != model.Working:
		return model.No(fmt.Sprintf("the job is %s: nobody holds it", j.State), "")
	case j.Token.IsZero():
		return model.No("the job carries no token, so no statement can name this claim", "repair the row by hand: it is corrupt")
	case j.Exhausted():
		return model.No(fmt.Sprintf("its attempts are used up (%d of %d), so nobody could claim it again", j.Attempts.N, j.MaxAttempts.N),
			"leave it to recovery, which moves it to failed when its lease has run out")
	}
	if a == model.Force {
		return model.Yes()
	}
	left, ok := j.Left(now)
	switch {
	case !ok:
		return model.No("the job has no lease that could run out", "force, if its worker is known to be gone")
	case left >= 0:
		return model.No(fmt.Sprintf("the lease still runs for %s", text.Exact(left)), "wait, or force if its worker is known to hang")
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
// is concerned; empty when it has not. A renewed lease does not disturb a force,
// which is meant for a worker that beats and does nothing else.
func Drift(a model.Action, shown, now *model.Job, at time.Time) string {
	switch {
	case now == nil:
		return "the job is gone"
	case now.State != shown.State:
		return fmt.Sprintf("the job is %s now, it was %s", now.State, shown.State)
	case now.Token != shown.Token:
		return fmt.Sprintf("another claim holds the job now: token %s, worker %s", text.Clean(now.Token.String()), nameOr(now.Worker, "not recorded"))
	case a == model.Reclaim && now.Lease.Raw != shown.Lease.Raw && !now.Expired(at):
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

// effects are what will follow, in sentences for the dialog.
func effects(a model.Action, j *model.Job, now time.Time, m *model.Mapping) []string {
	who := "its worker"
	if j.Worker != "" {
		who = j.Worker
	}
	out := []string{
		"The job becomes ready under a new token; the next free worker claims it and it runs again.",
		who + " may still be working: its completion will be refused from then on.",
	}
	if left, ok := j.Left(now); a == model.Force && ok && left > 0 {
		out = append(out, fmt.Sprintf("Its lease would have run for another %s: this takes the job from a worker that says it is alive.", text.Exact(left)))
	}
	if j.Operation != "" {
		out = append(out, fmt.Sprintf("What it did outside can happen twice, unless that recognises operation %s.", j.Operation))
	} else {
		out = append(out, "What it did outside can happen twice: the table records no operation id to tell a repeat by.")
	}
	if j.Attempts.Known && j.MaxAttempts.Known {
		out = append(out, fmt.Sprintf("%d of %d attempts are used.", j.Attempts.N, j.MaxAttempts.N))
	}
	if m.History.IsZero() {
		out = append(out, "The table keeps no history: only your journal records this act.")
	}
	return out
}
