package actions

import (
	"time"

	"github.com/leasetop/leasetop/model"
)

// Found judges an act that names its claim by the token alone, as a command line
// does, by the row as it was found at the server's time at (nil: there is none).
// When the claim is not there any more the receipt says what is, and there is
// nothing to send; ok is false while the claim still stands.
func (d *Desk) Found(queue string, a model.Action, k model.Key, t model.Token, row *model.Job, at time.Time) (r model.Receipt, ok bool) {
	seen := model.Working
	switch a {
	case model.Requeue:
		seen = model.Failed
	case model.DeadLetter: // of a job in work, ready or scheduled: the token does not tell
		seen = model.StateUnknown
	case model.Reclaim, model.Force, model.Grant, model.Extend, model.ActionNone, model.PutBrake, model.FreeBrake:
	}
	if row != nil && row.Token == t && (row.State == seen || a == model.DeadLetter && onJob(a, row, at).OK) {
		return model.Receipt{}, false
	}
	i := model.Intent{Action: a, Queue: queue, Key: k, Actor: d.actor, Seen: model.Seen{State: seen, Token: t}}
	e := evidence{intent: i, now: row, nowAt: at}
	if m := d.targets[queue].Store; m != nil {
		e.token = m.Mapping().Column(model.RoleToken)
	}
	return judge(e), true
}

// Missing judges an act on a row of a destructive queue that was named by its
// values and is not there: there is nothing to send.
func (d *Desk) Missing(i model.Intent, at time.Time) model.Receipt {
	i.Actor = d.actor
	return judge(evidence{intent: i, nowAt: at, rows: true})
}
