package storetest

import (
	"time"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/model"
)

// silence is the diagnostic of a job whose worker was never heard of again.
const silence = "lease expired, no word from the worker"

func recoverCases() []testCase {
	needs := []store.Op{store.OpRecover, store.OpInspect}
	return []testCase{
		{name: "only what is expired", needs: needs, run: recoverExpired},
		{name: "back to scheduled", needs: needs, lease: true, run: recoverScheduled},
		{name: "back-off", needs: needs, lease: true, run: recoverBackoff},
		{name: "failed at the bound", needs: needs, lease: true, run: recoverBound},
		{name: "limit", needs: needs, run: recoverLimit},
		{name: "killer", needs: append(needs, store.OpClaim, store.OpPromote), lease: true, run: killer},
		{name: "promote", needs: []store.Op{store.OpPromote, store.OpInspect}, lease: true, run: promoteCase},
	}
}

// back is the back-off of the cases.
func back() model.Backoff { return model.Backoff{Base: time.Second, Max: 10 * time.Second} }

// takeBack recovers and gives the changes by key.
func (e *env) takeBack(limit int, grace time.Duration) map[model.Key]model.Change {
	e.Helper()
	c, err := e.q.Recover(e.ctx, e.guid(), limit, grace, back(), 100)
	if err != nil {
		e.Fatalf("recover: %v", err)
	}
	out := make(map[model.Key]model.Change, len(c))
	for _, one := range c {
		out[one.Key] = one
	}
	return out
}

func recoverExpired(e *env) {
	late, tok := e.held(-30 * time.Second)
	alive, _ := e.held(30 * time.Second)
	fresh, _ := e.held(-2 * time.Second)
	corrupt := e.seed(Seed{State: model.Working, Token: e.guid()})
	done := e.seed(Seed{State: model.Done, Token: e.guid()})

	got := e.takeBack(10, 10*time.Second)
	is(e, "rows past the grace", len(got), 1)
	is(e, "old token", got[late].OldToken, tok)
	is(e, "old state", got[late].OldState, model.Working)
	is(e, "token replaced", got[late].NewToken != tok, true)
	is(e, "row's token", e.row(late).Token, got[late].NewToken)
	is(e, "row's lease", e.row(late).Lease.IsZero(), true)
	e.refused(late, tok)

	got = e.takeBack(10, 0)
	is(e, "rows past their lease", len(got), 1)
	is(e, "the fresh one's state", got[fresh].OldState, model.Working)
	is(e, "the live one", e.row(alive).State, model.Working)
	is(e, "the one without a lease", e.row(corrupt).State, model.Working)
	is(e, "the done one", e.row(done).State, model.Done)
	if !e.leaseTable() {
		is(e, "state without a schedule", e.row(late).State, model.Ready)
	}
}

func recoverScheduled(e *env) {
	k, tok := e.held(-time.Second)
	at := e.now()
	c := e.takeBack(10, 0)[k]
	is(e, "new state", c.NewState, model.Scheduled)
	j := e.row(k)
	is(e, "state", j.State, model.Scheduled)
	is(e, "attempts", j.Attempts, model.NumberOf(1))
	is(e, "error", j.Error, silence)
	e.around("due", j.Available, at.Add(time.Second))
	ev := e.recorded(k, model.EventExpired)
	is(e, "recorded old token", ev.OldToken, tok)
	is(e, "recorded reason", ev.Reason, silence)
	is(e, "recorded worker", ev.Worker, "seed")
}

func recoverBackoff(e *env) {
	keys := map[int64]model.Key{}
	for n := int64(1); n <= 12; n++ {
		keys[n] = e.seed(Seed{State: model.Working, Token: e.guid(), Lease: new(-time.Second), Attempts: n, MaxAttempts: model.NumberOf(99)})
	}
	at := e.now()
	if _, err := e.q.Recover(e.ctx, e.guid(), 100, 0, back(), 80); err != nil {
		e.Fatalf("recover: %v", err)
	}
	for n, k := range keys {
		e.around("due", e.row(k).Available, at.Add(back().After(n)*80/100))
	}
}

func recoverBound(e *env) {
	k := e.seed(Seed{State: model.Working, Token: e.guid(), Lease: new(-time.Second), Attempts: 5, Worker: "seed"})
	is(e, "new state", e.takeBack(10, 0)[k].NewState, model.Failed)
	j := e.row(k)
	is(e, "state", j.State, model.Failed)
	is(e, "error", j.Error, silence)
	e.around("ended", j.Ended, e.now())
	is(e, "recorded state", e.recorded(k, model.EventExpired).NewState, model.Failed)
}

func recoverLimit(e *env) {
	worst, _ := e.held(-time.Hour)
	for i := range 4 {
		e.held(time.Duration(-i-1) * time.Second)
	}
	got := e.takeBack(2, 0)
	is(e, "rows at once", len(got), 2)
	is(e, "the longest expired first", got[worst].OldState, model.Working)
	is(e, "the rest", len(e.takeBack(10, 0)), 3)
	is(e, "nothing is left", len(e.takeBack(10, 0)), 0)
}

// killer is a job that kills its worker every time: claimed as often as its bound
// says, then a dead letter with a diagnostic.
func killer(e *env) {
	k := e.seed(Seed{})
	claims := 0
	for range 20 {
		claims += len(e.claim(1))
		e.advance(2 * aLease)
		e.takeBack(10, 0)
		e.advance(time.Minute)
		if _, err := e.q.Promote(e.ctx, 10); err != nil {
			e.Fatalf("promote: %v", err)
		}
	}
	is(e, "claims", claims, 5)
	j := e.row(k)
	is(e, "state", j.State, model.Failed)
	is(e, "error", j.Error, silence)
	is(e, "total claims", j.TotalClaims, model.NumberOf(5))
}

func promoteCase(e *env) {
	g := e.guid()
	due := e.seed(Seed{State: model.Scheduled, Available: -2 * time.Minute, Token: g})
	later := e.seed(Seed{State: model.Scheduled, Available: -time.Minute})
	future := e.seed(Seed{State: model.Scheduled, Available: time.Minute})
	before := e.row(due)
	c := e.one(e.q.Promote(e.ctx, 1))
	is(e, "first promoted", c.Key, due)
	is(e, "old state", c.OldState, model.Scheduled)
	is(e, "new state", c.NewState, model.Ready)
	j := e.row(due)
	is(e, "state", j.State, model.Ready)
	is(e, "token", j.Token, e.token(g))
	is(e, "claimable from", j.Available.Raw, before.Available.Raw)
	is(e, "second promoted", e.one(e.q.Promote(e.ctx, 10)).Key, later)
	e.none(e.q.Promote(e.ctx, 10))
	is(e, "not due", e.row(future).State, model.Scheduled)
	is(e, "history of a promotion", len(e.events(due)), 0)
}
