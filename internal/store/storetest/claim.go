package storetest

import (
	"slices"
	"time"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/model"
)

func claimCases() []testCase {
	needs := []store.Op{store.OpClaim, store.OpInspect}
	return []testCase{
		{name: "one", needs: needs, run: claimOneCase},
		{name: "empty", needs: needs, run: claimEmpty},
		{name: "only ready rows", needs: needs, run: claimOnlyReady},
		{name: "order", needs: needs, lease: true, run: claimOrder},
		{name: "order of keys", needs: needs, run: claimKeyOrder},
		{name: "batch", needs: needs, run: claimBatch},
		{name: "refused at the bound", needs: needs, lease: true, run: claimBound},
		{name: "what comes back goes to the tail", needs: append(needs, store.OpForce), lease: true, run: claimTail},
		{name: "enqueued", needs: append(needs, store.OpEnqueue), lease: true, run: claimEnqueued},
	}
}

func claimOneCase(e *env) {
	k := e.seed(Seed{Payload: `{"order":7}`, TotalClaims: 3, Token: e.guid()})
	at := e.now()
	g := e.guid()
	claims, err := e.q.Claim(e.ctx, g, "pick-07", 1, 90*time.Second)
	if err != nil || len(claims) != 1 {
		e.Fatalf("claim = %v, %v", claims, err)
	}
	c := claims[0]
	is(e, "key", c.Key, k)
	is(e, "token", c.Token, e.token(g))
	is(e, "payload", c.Payload, `{"order":7}`)
	is(e, "granted", c.Granted, 90*time.Second)
	e.around("lease", c.Lease, at.Add(90*time.Second))

	j := e.row(k)
	is(e, "state", j.State, model.Working)
	is(e, "token of the row", j.Token, c.Token)
	is(e, "lease of the row", j.Lease.Raw, c.Lease.Raw)
	if !e.leaseTable() {
		is(e, "attempts of a table that records none", c.Attempts, model.Number{})
		return
	}
	is(e, "attempts", c.Attempts, model.NumberOf(1))
	is(e, "bound", c.MaxAttempts, model.NumberOf(5))
	is(e, "attempts of the row", j.Attempts, model.NumberOf(1))
	is(e, "total claims", j.TotalClaims, model.NumberOf(4))
	is(e, "worker", j.Worker, "pick-07")
	is(e, "operation", c.Operation, j.Operation)
	if c.Operation == "" {
		e.Error("the claim has no operation id")
	}
	e.around("claimed", j.Claimed, at)
	is(e, "heartbeat before the first", j.Beat.IsZero(), true)
}

func claimEmpty(e *env) {
	if c := e.claim(3); len(c) != 0 {
		e.Errorf("claimed %v of an empty table", c)
	}
}

func claimOnlyReady(e *env) {
	for _, s := range model.States() {
		if s != model.Ready && !e.m().States[s].IsNull() {
			e.seed(Seed{State: s, Token: e.guid(), Lease: new(-time.Hour), Available: -time.Hour})
		}
	}
	if c := e.claim(10); len(c) != 0 {
		e.Errorf("claimed %v, none of which was ready", c)
	}
}

func claimOrder(e *env) {
	last := e.seed(Seed{Priority: model.NumberOf(200), Available: -time.Hour})
	third := e.seed(Seed{Priority: model.NumberOf(100), Available: -time.Minute})
	second := e.seed(Seed{Priority: model.NumberOf(100), Available: -2 * time.Minute})
	fourth := e.seed(Seed{Priority: model.NumberOf(100), Available: -time.Minute})
	first := e.seed(Seed{Priority: model.NumberOf(5), Available: -time.Second})
	var got []model.Key
	for range 5 {
		got = append(got, e.claimOne().Key)
	}
	if want := []model.Key{first, second, third, fourth, last}; !slices.Equal(got, want) {
		e.Errorf("claimed in the order %v, want %v", got, want)
	}
}

func claimKeyOrder(e *env) {
	var want, got []model.Key
	for range 4 {
		want = append(want, e.seed(Seed{}))
	}
	for _, c := range append(e.claim(3), e.claim(3)...) {
		got = append(got, c.Key)
	}
	if !slices.Equal(got, want) {
		e.Errorf("claimed in the order %v, want %v", got, want)
	}
}

func claimBatch(e *env) {
	for range 5 {
		e.seed(Seed{})
	}
	c := e.claim(3)
	if len(c) != 3 {
		e.Fatalf("claimed %d of 5, want 3", len(c))
	}
	for _, one := range c {
		is(e, "the batch's token", one.Token, c[0].Token)
		is(e, "the row's token", e.row(one.Key).Token, one.Token)
	}
	if rest := e.claim(10); len(rest) != 2 {
		e.Errorf("claimed %d of the two that were left", len(rest))
	}
}

func claimBound(e *env) {
	e.seed(Seed{Attempts: 5, Priority: model.NumberOf(1)})
	e.seed(Seed{Attempts: 9, Priority: model.NumberOf(1)})
	k := e.seed(Seed{Attempts: 4})
	c := e.claim(10)
	if len(c) != 1 || c[0].Key != k {
		e.Fatalf("claimed %v, want only %s, which has an attempt left", c, k)
	}
	is(e, "attempts", c[0].Attempts, model.NumberOf(5))
}

func claimTail(e *env) {
	k, tok := e.held(time.Minute)
	other := e.seed(Seed{Available: -time.Minute})
	e.one(second(e.apply(model.Force, k, tok)))
	is(e, "first claimed", e.claimOne().Key, other)
	is(e, "claimed after it", e.claimOne().Key, k)
}

// second drops the action id.
func second(_ string, c []model.Change, err error) ([]model.Change, error) { return c, err }

func claimEnqueued(e *env) {
	at := e.now()
	op := e.guid()
	keys, err := e.q.Enqueue(e.ctx, []model.NewJob{
		{Payload: "later", Delay: time.Hour},
		{Payload: "low"},
		{Payload: "high", Priority: model.NumberOf(1), MaxAttempts: model.NumberOf(2), Operation: op},
	})
	if err != nil || len(keys) != 3 {
		e.Fatalf("enqueue = %v, %v", keys, err)
	}
	later := e.row(keys[0])
	is(e, "state of the delayed job", later.State, model.Scheduled)
	e.around("due time of the delayed job", later.Available, at.Add(time.Hour))
	e.around("enqueued time", later.Enqueued, at)
	c := e.claim(10)
	if len(c) != 2 {
		e.Fatalf("claimed %v, want two", c)
	}
	is(e, "first", c[0].Key, keys[2])
	is(e, "operation", c[0].Operation, op)
	is(e, "bound", c[0].MaxAttempts, model.NumberOf(2))
	is(e, "payload", c[1].Payload, "low")
	is(e, "default bound", c[1].MaxAttempts, model.NumberOf(5))
	is(e, "default priority", e.row(keys[1]).Priority, model.NumberOf(100))
	if keys, err := e.q.Enqueue(e.ctx, nil); err != nil || len(keys) != 0 {
		e.Errorf("enqueue of nothing = %v, %v", keys, err)
	}
}
