package storetest

import (
	"time"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/model"
)

func holdCases() []testCase {
	return []testCase{
		{name: "heartbeat", needs: []store.Op{store.OpHeartbeat, store.OpInspect}, run: heartbeatCase},
		{name: "heartbeat never shortens", needs: []store.Op{store.OpHeartbeat, store.OpInspect}, run: heartbeatShorter},
		{name: "expiry is not refusal", needs: []store.Op{store.OpHeartbeat, store.OpComplete, store.OpInspect}, run: lateSteps},
		{name: "a stale token is refused", needs: []store.Op{store.OpHeartbeat, store.OpComplete, store.OpFail, store.OpRelease, store.OpInspect}, run: staleToken},
		{name: "no token is refused", needs: []store.Op{store.OpHeartbeat, store.OpComplete, store.OpFail, store.OpRelease, store.OpInspect}, run: noToken},
		{name: "only in work", needs: []store.Op{store.OpHeartbeat, store.OpComplete, store.OpFail, store.OpRelease, store.OpInspect}, run: onlyInWork},
		{name: "a missing row is refused", needs: []store.Op{store.OpHeartbeat, store.OpComplete, store.OpFail, store.OpRelease}, run: missingRow},
	}
}

func heartbeatCase(e *env) {
	k, tok := e.held(10 * time.Second)
	at, before := e.now(), e.row(k)
	c := e.one(e.q.Heartbeat(e.ctx, k, tok, time.Minute))
	is(e, "key", c.Key, k)
	is(e, "old state", c.OldState, model.Working)
	is(e, "new state", c.NewState, model.Working)
	is(e, "old token", c.OldToken, tok)
	is(e, "new token", c.NewToken, tok)
	is(e, "old lease", c.OldLease.Raw, before.Lease.Raw)
	e.around("new lease", c.NewLease, at.Add(time.Minute))
	e.around("lease of the row", e.row(k).Lease, at.Add(time.Minute))
	is(e, "lease of the row as captured", e.row(k).Lease.Raw, c.NewLease.Raw)
	if e.leaseTable() {
		e.around("heartbeat", e.row(k).Beat, at)
		is(e, "history of a heartbeat", len(e.events(k)), 0)
	}
}

func heartbeatShorter(e *env) {
	k, tok := e.held(time.Hour)
	before := e.row(k)
	c := e.one(e.q.Heartbeat(e.ctx, k, tok, time.Second))
	is(e, "new lease", c.NewLease.Raw, before.Lease.Raw)
	is(e, "lease of the row", e.row(k).Lease.Raw, before.Lease.Raw)
}

func lateSteps(e *env) {
	k, tok := e.held(time.Minute)
	e.advance(time.Hour)
	is(e, "expired", e.row(k).Expired(e.now()), true)
	e.one(e.q.Heartbeat(e.ctx, k, tok, time.Minute))
	is(e, "expired after a late heartbeat", e.row(k).Expired(e.now()), false)
	e.advance(time.Hour)
	e.one(e.q.Complete(e.ctx, k, tok))
	is(e, "state after a late completion", e.row(k).State, model.Done)
}

// steps sends every step of a worker with one token.
func (e *env) steps(k model.Key, t model.Token) map[store.Op]func() ([]model.Change, error) {
	return map[store.Op]func() ([]model.Change, error){
		store.OpHeartbeat: func() ([]model.Change, error) { return e.q.Heartbeat(e.ctx, k, t, time.Minute) },
		store.OpComplete:  func() ([]model.Change, error) { return e.q.Complete(e.ctx, k, t) },
		store.OpFail:      func() ([]model.Change, error) { return e.q.Fail(e.ctx, k, t, e.guid(), time.Second, "no") },
		store.OpRelease:   func() ([]model.Change, error) { return e.q.Release(e.ctx, k, t, e.guid()) },
	}
}

// refused fails where a step with a token that does not hold the job does
// anything.
func (e *env) refused(k model.Key, t model.Token) {
	e.Helper()
	before := *e.row(k)
	for op, step := range e.steps(k, t) {
		if c, err := step(); err != nil || len(c) != 0 {
			e.Errorf("%s with token %s = %v, %v, want nothing", op, t, c, err)
		}
	}
	e.same(k, before)
}

// same fails where the row is not as it was.
func (e *env) same(k model.Key, before model.Job) {
	e.Helper()
	now := *e.row(k)
	now.Held, now.Waiting, before.Held, before.Waiting = model.Age{}, model.Age{}, model.Age{}, model.Age{}
	if now != before {
		e.Errorf("the row became\n%+v, it was\n%+v", now, before)
	}
}

func staleToken(e *env) {
	k, tok := e.held(time.Minute)
	e.refused(k, e.token(e.guid()))
	is(e, "the holder", e.row(k).Token, tok)
}

func noToken(e *env) {
	k := e.seed(Seed{State: model.Working, Lease: new(time.Minute)})
	e.refused(k, model.Token{})
	e.refused(k, e.token(e.guid()))
}

func onlyInWork(e *env) {
	for _, s := range model.States() {
		if s == model.Working || e.m().States[s].IsNull() {
			continue
		}
		g := e.guid()
		k := e.seed(Seed{State: s, Token: g, Attempts: 1})
		e.refused(k, e.token(g))
	}
}

func missingRow(e *env) {
	k := model.KeyOf(e.nobody())
	for op, step := range e.steps(k, e.token(e.guid())) {
		if c, err := step(); err != nil || len(c) != 0 {
			e.Errorf("%s of a missing row = %v, %v, want nothing", op, c, err)
		}
	}
}
