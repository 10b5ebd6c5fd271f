package storetest

import (
	"time"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/model"
)

func endCases() []testCase {
	return []testCase{
		{name: "complete keeps the token", needs: []store.Op{store.OpComplete, store.OpInspect}, run: completeCase},
		{name: "fail", needs: []store.Op{store.OpFail, store.OpInspect}, run: failCase},
		{name: "fail at the bound", needs: []store.Op{store.OpFail, store.OpInspect}, lease: true, run: failBound},
		{name: "release", needs: []store.Op{store.OpRelease, store.OpInspect}, run: releaseCase},
		{name: "a released attempt is not counted", needs: []store.Op{store.OpRelease, store.OpClaim}, lease: true, run: releaseUncounted},
		{name: "the history of two attempts", needs: []store.Op{store.OpRelease, store.OpClaim, store.OpComplete, store.OpHistory}, lease: true, run: historyOrder},
		{name: "poison", needs: []store.Op{store.OpClaim, store.OpFail, store.OpPromote}, lease: true, run: poison},
	}
}

func completeCase(e *env) {
	k, tok := e.held(time.Minute)
	at := e.now()
	c := e.one(e.q.Complete(e.ctx, k, tok))
	is(e, "old state", c.OldState, model.Working)
	is(e, "new state", c.NewState, model.Done)
	is(e, "new token", c.NewToken, tok)
	is(e, "new lease", c.NewLease.IsZero(), true)
	j := e.row(k)
	is(e, "state", j.State, model.Done)
	is(e, "token of the done row", j.Token, tok)
	is(e, "lease of the done row", j.Lease.IsZero(), true)
	e.none(e.q.Complete(e.ctx, k, tok))
	if !e.leaseTable() {
		return
	}
	e.around("ended", j.Ended, at)
	ev := e.recorded(k, model.EventCompleted)
	is(e, "events", len(e.events(k)), 1)
	is(e, "recorded old token", ev.OldToken, tok)
	is(e, "recorded new token", ev.NewToken, tok)
	is(e, "recorded state", ev.NewState, model.Done)
	is(e, "recorded worker", ev.Worker, "seed")
	is(e, "recorded attempt", ev.Attempts, model.NumberOf(1))
}

func failCase(e *env) {
	k, tok := e.held(time.Minute)
	at, next := e.now(), e.guid()
	c := e.one(e.q.Fail(e.ctx, k, tok, next, 30*time.Second, "no route to host"))
	want := model.Ready
	if e.leaseTable() {
		want = model.Scheduled
	}
	is(e, "new state", c.NewState, want)
	is(e, "old token", c.OldToken, tok)
	is(e, "new token", c.NewToken, e.token(next))
	j := e.row(k)
	is(e, "state", j.State, want)
	is(e, "token", j.Token, e.token(next))
	is(e, "lease", j.Lease.IsZero(), true)
	e.refused(k, tok)
	if !e.leaseTable() {
		return
	}
	e.around("due", j.Available, at.Add(30*time.Second))
	is(e, "error", j.Error, "no route to host")
	is(e, "attempts", j.Attempts, model.NumberOf(1))
	ev := e.recorded(k, model.EventFailed)
	is(e, "recorded reason", ev.Reason, "no route to host")
	is(e, "recorded old token", ev.OldToken, tok)
	is(e, "recorded new token", ev.NewToken, e.token(next))
	is(e, "recorded new state", ev.NewState, model.Scheduled)
}

func failBound(e *env) {
	g := e.guid()
	k := e.seed(Seed{State: model.Working, Token: g, Lease: new(time.Minute), Attempts: 5, TotalClaims: 7})
	at := e.now()
	c := e.one(e.q.Fail(e.ctx, k, e.token(g), e.guid(), time.Second, "malformed"))
	is(e, "new state", c.NewState, model.Failed)
	j := e.row(k)
	is(e, "state", j.State, model.Failed)
	is(e, "error", j.Error, "malformed")
	is(e, "attempts", j.Attempts, model.NumberOf(5))
	is(e, "total claims", j.TotalClaims, model.NumberOf(7))
	e.around("ended", j.Ended, at)
	is(e, "recorded new state", e.recorded(k, model.EventFailed).NewState, model.Failed)
}

func releaseCase(e *env) {
	k, tok := e.held(time.Minute)
	at, next := e.now(), e.guid()
	c := e.one(e.q.Release(e.ctx, k, tok, next))
	is(e, "new state", c.NewState, model.Ready)
	is(e, "new token", c.NewToken, e.token(next))
	j := e.row(k)
	is(e, "state", j.State, model.Ready)
	is(e, "token", j.Token, e.token(next))
	is(e, "lease", j.Lease.IsZero(), true)
	e.refused(k, tok)
	if !e.leaseTable() {
		return
	}
	is(e, "attempts", j.Attempts, model.NumberOf(0))
	is(e, "total claims", j.TotalClaims, model.NumberOf(1))
	e.around("claimable from", j.Available, at)
	ev := e.recorded(k, model.EventReleased)
	is(e, "recorded attempt", ev.Attempts, model.NumberOf(1))
}

func releaseUncounted(e *env) {
	k := e.seed(Seed{Attempts: 4})
	for range 3 {
		c := e.claimOne()
		is(e, "attempt", c.Attempts, model.NumberOf(5))
		e.one(e.q.Release(e.ctx, c.Key, c.Token, e.guid()))
	}
	is(e, "total claims", e.row(k).TotalClaims, model.NumberOf(3))
}

// historyOrder is a job of two attempts: the newest event comes first, and a
// limit keeps it.
func historyOrder(e *env) {
	k := e.seed(Seed{})
	c := e.claimOne()
	e.one(e.q.Release(e.ctx, k, c.Token, e.guid()))
	e.advance(time.Second)
	c = e.claimOne()
	e.one(e.q.Complete(e.ctx, k, c.Token))
	evs := e.events(k)
	is(e, "events", len(evs), 2)
	is(e, "newest", evs[0].Kind, model.EventCompleted)
	is(e, "oldest", evs[1].Kind, model.EventReleased)
	if d := evs[0].At.Sub(evs[1].At) - time.Second; d < 0 || d > e.stand.Slack() {
		e.Errorf("the events lie %s apart, want a second", d+time.Second)
	}
	one, _, err := e.q.History(e.ctx, k, 1)
	if err != nil || len(one) != 1 {
		e.Fatalf("history of one = %v, %v", one, err)
	}
	is(e, "the one", one[0].Kind, model.EventCompleted)
}

// poison is a job that fails every attempt: claimed as often as its bound says,
// then a dead letter.
func poison(e *env) {
	k := e.seed(Seed{MaxAttempts: model.NumberOf(3)})
	claims := 0
	for range 10 {
		c := e.claim(1)
		if len(c) == 0 {
			break
		}
		claims++
		e.one(e.q.Fail(e.ctx, k, c[0].Token, e.guid(), time.Second, "poison"))
		e.advance(2 * time.Second)
		if _, err := e.q.Promote(e.ctx, 10); err != nil {
			e.Fatalf("promote: %v", err)
		}
	}
	is(e, "claims", claims, 3)
	is(e, "state", e.row(k).State, model.Failed)
	is(e, "events", len(e.events(k)), 3)
}
