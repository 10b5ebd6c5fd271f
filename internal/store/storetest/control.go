package storetest

import (
	"strings"
	"time"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/model"
)

func controlCases() []testCase {
	needs := []store.Op{store.OpReclaim, store.OpForce, store.OpInspect}
	workers := append(needs, store.OpHeartbeat, store.OpComplete, store.OpFail, store.OpRelease)
	return []testCase{
		{name: "reclaim", needs: workers, run: reclaimCase},
		{name: "reclaim of a live lease", needs: needs, run: reclaimLive},
		{name: "force", needs: workers, run: forceCase},
		{name: "nothing else", needs: needs, run: controlNothing},
		{name: "a renewed lease", needs: append(needs, store.OpHeartbeat), run: controlRenewed},
		{name: "audit", needs: append(needs, store.OpHistory, store.OpAudit), lease: true, run: auditCase},
		{name: "no history", needs: needs, run: noHistory},
		{name: "render", needs: needs, run: renderCase},
	}
}

func reclaimCase(e *env) {
	k, tok := e.held(-time.Minute)
	before := e.row(k)
	id, changes, err := e.apply(model.Reclaim, k, tok)
	c := e.one(changes, err)
	is(e, "key", c.Key, k)
	is(e, "old state", c.OldState, model.Working)
	is(e, "new state", c.NewState, model.Ready)
	is(e, "old token", c.OldToken, tok)
	is(e, "new token", c.NewToken, e.token(id))
	is(e, "old lease", c.OldLease.Raw, before.Lease.Raw)
	is(e, "new lease", c.NewLease.IsZero(), true)
	e.reclaimed(k, id)
	e.refused(k, tok)
	e.none(second(e.apply(model.Reclaim, k, tok)))
}

// reclaimed is a row that an act gave back.
func (e *env) reclaimed(k model.Key, id string) {
	e.Helper()
	j := e.row(k)
	is(e, "state", j.State, model.Ready)
	is(e, "token", j.Token, e.token(id))
	is(e, "lease", j.Lease.IsZero(), true)
	if e.leaseTable() {
		is(e, "attempts", j.Attempts, model.NumberOf(1))
		e.around("claimable from", j.Available, e.now())
	}
}

func reclaimLive(e *env) {
	k, tok := e.held(time.Minute)
	before := *e.row(k)
	e.none(second(e.apply(model.Reclaim, k, tok)))
	e.same(k, before)
	e.advance(2 * time.Minute)
	id, c, err := e.apply(model.Reclaim, k, tok)
	e.one(c, err)
	e.reclaimed(k, id)
}

func forceCase(e *env) {
	k, tok := e.held(time.Minute)
	id, changes, err := e.apply(model.Force, k, tok)
	c := e.one(changes, err)
	is(e, "new state", c.NewState, model.Ready)
	is(e, "new token", c.NewToken, e.token(id))
	e.reclaimed(k, id)
	e.refused(k, tok)
}

// controlNothing is every row that an act must not touch.
func controlNothing(e *env) {
	for _, a := range []model.Action{model.Reclaim, model.Force} {
		e.none(second(e.apply(a, model.KeyOf(e.nobody()), e.token(e.guid()))))
		k, _ := e.held(-time.Minute)
		before := *e.row(k)
		e.none(second(e.apply(a, k, e.token(e.guid()))))
		e.none(second(e.apply(a, k, model.Token{})))
		e.same(k, before)
		for _, s := range model.States() {
			if s == model.Working || e.m().States[s].IsNull() {
				continue
			}
			g := e.guid()
			k := e.seed(Seed{State: s, Token: g, Lease: new(-time.Minute)})
			before := *e.row(k)
			e.none(second(e.apply(a, k, e.token(g))))
			e.same(k, before)
		}
		k = e.seed(Seed{State: model.Working, Lease: new(-time.Minute)})
		before = *e.row(k)
		e.none(second(e.apply(a, k, model.Token{})))
		e.same(k, before)
	}
}

func controlRenewed(e *env) {
	k, tok := e.held(-time.Minute)
	e.one(e.q.Heartbeat(e.ctx, k, tok, time.Hour))
	e.none(second(e.apply(model.Reclaim, k, tok)))
	is(e, "the holder", e.row(k).Token, tok)
}

func auditCase(e *env) {
	k, tok := e.held(-time.Minute)
	before := e.row(k)
	id, changes, err := e.apply(model.Reclaim, k, tok)
	e.one(changes, err)
	ev := e.recorded(k, model.EventReclaimed)
	is(e, "action", strings.ToUpper(ev.Action), id)
	is(e, "actor", ev.Actor, "ops@jump")
	is(e, "reason", ev.Reason, "stuck since noon")
	is(e, "old token", ev.OldToken, tok)
	is(e, "new token", ev.NewToken, e.token(id))
	is(e, "old lease", ev.OldLease.Raw, before.Lease.Raw)
	is(e, "worker", ev.Worker, "seed")

	found, err := e.q.Audit(e.ctx, k, id)
	if err != nil || found == nil {
		e.Fatalf("audit = %v, %v", found, err)
	}
	is(e, "audited token", found.NewToken, e.token(id))
	if found, err := e.q.Audit(e.ctx, k, e.guid()); err != nil || found != nil {
		e.Errorf("audit of an act that never was = %v, %v", found, err)
	}
	other, _ := e.held(-time.Minute)
	if found, err := e.q.Audit(e.ctx, other, id); err != nil || found != nil {
		e.Errorf("audit of the act on another job = %v, %v", found, err)
	}
}

func noHistory(e *env) {
	if e.leaseTable() {
		is(e, "history", e.caps.Allows(model.CanHistory).OK, true)
		is(e, "ours", e.caps.Ours, true)
		return
	}
	is(e, "ours", e.caps.Ours, false)
	k := e.seed(Seed{})
	_, _, err := e.q.History(e.ctx, k, 5)
	e.faulty(err, model.FaultReshaped)
	_, err = e.q.Audit(e.ctx, k, e.guid())
	e.faulty(err, model.FaultReshaped)
	_, err = e.q.Promote(e.ctx, 5)
	e.faulty(err, model.FaultReshaped)
}

func renderCase(e *env) {
	k, tok := e.held(-time.Minute)
	s, err := e.q.Render(e.ctx, model.Intent{Action: model.Reclaim, Key: k, Seen: model.Seen{Token: tok}, ActionID: e.guid()})
	if err != nil {
		e.Fatalf("render: %v", err)
	}
	is(e, "operation", s.Op, string(store.OpReclaim))
	for _, a := range s.Args {
		if a.Name == "token" {
			is(e, "token", a.Value.Text, tok.String())
		}
	}
	is(e, "the row is untouched", e.row(k).State, model.Working)
}
