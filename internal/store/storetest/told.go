package storetest

import (
	"time"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/model"
)

// told is one way to a row of the history, and who and why must stand there.
type told struct {
	kind   model.EventKind
	op     store.Op
	by     model.Action // an operator's act; none: a worker's step
	state  model.State  // of the row before
	lease  time.Duration
	reason string
	step   func(*env, model.Key, model.Token) ([]model.Change, error)
}

// tellings are all kinds of events of a job.
func tellings() []told {
	const act = "stuck since noon"
	return []told{
		{kind: model.EventCompleted, op: store.OpComplete, state: model.Working, lease: time.Minute, step: func(e *env, k model.Key, t model.Token) ([]model.Change, error) {
			return e.q.Complete(e.ctx, k, t)
		}},
		{kind: model.EventFailed, op: store.OpFail, state: model.Working, lease: time.Minute, reason: "no route", step: func(e *env, k model.Key, t model.Token) ([]model.Change, error) {
			return e.q.Fail(e.ctx, k, t, e.guid(), 0, "no route")
		}},
		{kind: model.EventReleased, op: store.OpRelease, state: model.Working, lease: time.Minute, step: func(e *env, k model.Key, t model.Token) ([]model.Change, error) {
			return e.q.Release(e.ctx, k, t, e.guid())
		}},
		{kind: model.EventExpired, op: store.OpRecover, state: model.Working, lease: -time.Minute, reason: silence, step: func(e *env, _ model.Key, _ model.Token) ([]model.Change, error) {
			return e.q.Recover(e.ctx, e.guid(), 10, 0, back(), 100)
		}},
		{kind: model.EventReclaimed, op: store.OpReclaim, by: model.Reclaim, state: model.Working, lease: -time.Minute, reason: act},
		{kind: model.EventReclaimed, op: store.OpForce, by: model.Force, state: model.Working, lease: time.Minute, reason: act},
		{kind: model.EventReclaimed, op: store.OpGrant, by: model.Grant, state: model.Working, lease: -time.Minute, reason: act},
		{kind: model.EventExtended, op: store.OpExtend, by: model.Extend, state: model.Working, lease: time.Minute, reason: act},
		{kind: model.EventDeadLettered, op: store.OpDeadLetter, by: model.DeadLetter, state: model.Working, lease: -time.Minute, reason: act},
		{kind: model.EventRequeued, op: store.OpRequeue, by: model.Requeue, state: model.Failed, reason: act},
	}
}

// toldCases hold that the history says of each event who, when and why, as far as
// the engine can know it.
func toldCases() []testCase {
	var out []testCase
	for _, x := range tellings() {
		out = append(out, testCase{
			name: "who, when and why of " + string(x.op), lease: true, needs: []store.Op{x.op, store.OpHistory},
			run: func(e *env) { x.hold(e) },
		})
	}
	return out
}

func (x told) hold(e *env) {
	s := Seed{State: x.state, Token: e.guid(), Attempts: 5, TotalClaims: 5, Worker: "pick-07"}
	if x.lease != 0 {
		s.Lease = new(x.lease)
	}
	k := e.seed(s)
	at := e.now()
	if x.by == model.ActionNone {
		e.one(x.step(e, k, e.token(s.Token)))
	} else {
		_, changes := e.act(model.Intent{Action: x.by, Key: k, By: time.Hour})
		e.one(changes, nil)
	}
	ev := e.recorded(k, x.kind)
	e.around("when", model.Instant{At: ev.At, Raw: model.TimeValue(ev.At.String())}, at)
	is(e, "worker", ev.Worker, "pick-07")
	is(e, "reason", ev.Reason, x.reason)
	if x.by == model.ActionNone {
		is(e, "an actor of a worker's step", ev.Actor, "")
		is(e, "an act of a worker's step", ev.Action, "")
		return
	}
	is(e, "actor", ev.Actor, "ops@jump")
	is(e, "whether the act is named", ev.Action != "", true)
	is(e, "whether the login is named", ev.Login != "", e.caps.Engine != "sqlite") // a file has no logins
}
