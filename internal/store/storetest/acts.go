package storetest

import (
	"time"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/model"
)

func actCases() []testCase {
	look := []store.Op{store.OpInspect}
	return []testCase{
		{name: "extend", needs: append(look, store.OpExtend, store.OpHeartbeat, store.OpComplete), run: extendCase},
		{name: "extend never shortens", needs: append(look, store.OpExtend), run: extendNothing},
		{name: "dead-letter", needs: append(look, store.OpDeadLetter, store.OpDeadLetterUnclaimed), run: deadLetterCase},
		{name: "dead-letter of another row", needs: append(look, store.OpDeadLetter, store.OpDeadLetterUnclaimed), run: deadLetterNothing},
		{name: "requeue", needs: append(look, store.OpRequeue, store.OpRequeueUnclaimed), run: requeueCase},
		{name: "grant", needs: append(look, store.OpGrant), lease: true, run: grantCase},
		{name: "dead letters listed", needs: append(look, store.OpFailed, store.OpDeadLetterUnclaimed), run: failedPage},
	}
}

// act sends an act about a row as it is now.
func (e *env) act(i model.Intent) (model.Intent, []model.Change) {
	e.Helper()
	if i.Seen.State == model.StateUnknown {
		j := e.row(i.Key)
		i.Seen = model.Seen{State: j.State, Token: j.Token, Lease: j.Lease}
	}
	i.ActionID, i.Actor, i.Reason = e.guid(), "ops@jump", "stuck since noon"
	c, _, err := e.q.Apply(e.ctx, i)
	if err != nil {
		e.Fatalf("%s: %v", i.Action, err)
	}
	return i, c
}

func extendCase(e *env) {
	for _, left := range []time.Duration{-time.Minute, time.Minute} {
		k, tok := e.held(left)
		before := e.row(k)
		i, changes := e.act(model.Intent{Action: model.Extend, Key: k, By: 5 * time.Minute})
		c := e.one(changes, nil)
		is(e, "new state", c.NewState, model.Working)
		is(e, "new token", c.NewToken, tok)
		is(e, "old lease", c.OldLease.Raw, before.Lease.Raw)
		after := e.row(k)
		is(e, "lease", after.Lease.Raw, c.NewLease.Raw)
		is(e, "mark", int64(after.Lease.At.Nanosecond()/1e6), i.Mark())
		if d := after.Lease.At.Sub(e.now().Add(5 * time.Minute)).Abs(); d > time.Second+e.stand.Slack() {
			e.Errorf("lease %s is %s off", after.Lease.Raw, d)
		}
		if e.leaseTable() {
			ev := e.recorded(k, model.EventExtended)
			is(e, "action", ev.Action, i.ActionID)
			is(e, "history's new lease", ev.NewLease.Raw, after.Lease.Raw)
		}
		e.one(e.q.Heartbeat(e.ctx, k, tok, time.Minute))
		is(e, "a shorter heartbeat", e.row(k).Lease.Raw, after.Lease.Raw)
		e.one(e.q.Complete(e.ctx, k, tok))
	}
}

func extendNothing(e *env) {
	k, tok := e.held(10 * time.Minute)
	before := *e.row(k)
	_, c := e.act(model.Intent{Action: model.Extend, Key: k, By: time.Minute})
	e.none(c, nil)
	_, c = e.act(model.Intent{Action: model.Extend, Key: k, By: time.Hour, Seen: model.Seen{State: model.Working, Token: e.token(e.guid())}})
	e.none(c, nil)
	e.same(k, before)
	noLease := e.seed(Seed{State: model.Working, Token: tok.String()})
	was := *e.row(noLease)
	_, c = e.act(model.Intent{Action: model.Extend, Key: noLease, By: time.Hour})
	e.none(c, nil)
	e.same(noLease, was)
}

func deadLetterCase(e *env) {
	live, _ := e.held(time.Minute)
	keys := []model.Key{live, e.seed(Seed{}), e.seed(Seed{State: model.Ready, Token: e.guid(), Attempts: 3})}
	if _, ok := e.m().States[model.Scheduled]; ok {
		keys = append(keys, e.seed(Seed{State: model.Scheduled, Token: e.guid()}))
	}
	for _, k := range keys {
		before := *e.row(k)
		i, changes := e.act(model.Intent{Action: model.DeadLetter, Key: k})
		c := e.one(changes, nil)
		is(e, "old state", c.OldState, before.State)
		is(e, "new state", c.NewState, model.Failed)
		is(e, "old token", c.OldToken, before.Token)
		is(e, "new token", c.NewToken, e.token(i.ActionID))
		j := e.row(k)
		is(e, "state", j.State, model.Failed)
		is(e, "token", j.Token, e.token(i.ActionID))
		is(e, "lease", j.Lease.IsZero(), true)
		if e.leaseTable() {
			is(e, "diagnostic", j.Error, "stuck since noon")
			e.around("ended", j.Ended, e.now())
			is(e, "attempts", j.Attempts, before.Attempts)
			e.recorded(k, model.EventDeadLettered)
		}
		_, c2 := e.act(model.Intent{Action: model.DeadLetter, Key: k, Seen: model.Seen{State: before.State, Token: before.Token}})
		e.none(c2, nil)
	}
}

func deadLetterNothing(e *env) {
	claimed, _ := e.held(time.Minute)
	unclaimed := e.seed(Seed{})
	for _, k := range []model.Key{claimed, unclaimed} {
		before := *e.row(k)
		for _, s := range []model.Seen{
			{State: before.State, Token: e.token(e.guid())}, {State: model.Failed, Token: before.Token}, {State: model.Done, Token: before.Token},
		} {
			_, c := e.act(model.Intent{Action: model.DeadLetter, Key: k, Seen: s})
			e.none(c, nil)
		}
		e.same(k, before)
	}
	before := *e.row(claimed)
	_, c := e.act(model.Intent{Action: model.DeadLetter, Key: claimed, Seen: model.Seen{State: model.Working}})
	e.none(c, nil) // "no token" never means "any token"
	e.same(claimed, before)
}

func requeueCase(e *env) {
	for _, g := range []string{"", e.guid()} {
		k := e.seed(Seed{State: model.Failed, Token: g, Attempts: 5, TotalClaims: 7})
		i, changes := e.act(model.Intent{Action: model.Requeue, Key: k})
		c := e.one(changes, nil)
		is(e, "old state", c.OldState, model.Failed)
		is(e, "new state", c.NewState, model.Ready)
		j := e.row(k)
		is(e, "state", j.State, model.Ready)
		is(e, "token", j.Token, e.token(i.ActionID))
		if e.leaseTable() {
			is(e, "attempts", j.Attempts, model.NumberOf(0))
			is(e, "claims in all", j.TotalClaims, model.NumberOf(7))
			is(e, "ended", j.Ended.IsZero(), true)
			e.around("claimable from", j.Available, e.now())
			e.recorded(k, model.EventRequeued)
		}
		ready := *j
		_, again := e.act(model.Intent{Action: model.Requeue, Key: k, Seen: model.Seen{State: model.Failed, Token: c.OldToken}})
		e.none(again, nil)
		e.same(k, ready)
	}
}

func grantCase(e *env) {
	used := func(attempts int64, lease time.Duration) model.Key {
		return e.seed(Seed{State: model.Working, Token: e.guid(), Lease: new(lease), Attempts: attempts})
	}
	k := used(5, -time.Minute)
	i, changes := e.act(model.Intent{Action: model.Grant, Key: k})
	is(e, "new state", e.one(changes, nil).NewState, model.Ready)
	j := e.row(k)
	is(e, "bound", j.MaxAttempts, model.NumberOf(6))
	is(e, "attempts", j.Attempts, model.NumberOf(5))
	is(e, "token", j.Token, e.token(i.ActionID))
	e.recorded(k, model.EventReclaimed)
	for _, other := range []model.Key{used(4, -time.Minute), used(5, time.Minute)} {
		before := *e.row(other)
		_, c := e.act(model.Intent{Action: model.Grant, Key: other})
		e.none(c, nil)
		e.same(other, before)
	}
}

func failedPage(e *env) {
	e.seed(Seed{})
	e.held(time.Minute)
	is(e, "an empty list", len(e.page(model.ViewFailed).Jobs), 0)
	var keys []model.Key
	for range 3 {
		k := e.seed(Seed{})
		e.act(model.Intent{Action: model.DeadLetter, Key: k})
		keys = append(keys, k)
		e.advance(time.Second)
	}
	jobs := e.page(model.ViewFailed).Jobs
	is(e, "dead letters", len(jobs), 3)
	for i, j := range jobs {
		is(e, "state", j.State, model.Failed)
		if e.leaseTable() {
			is(e, "newest first", j.Key, keys[len(keys)-1-i])
		}
	}
}
