package storetest

import (
	"errors"
	"time"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/model"
)

func brakeCases() []testCase {
	needs := []store.Op{store.OpBrake, store.OpReleaseBrake, store.OpBrakeState}
	return []testCase{
		{name: "put and released", needs: append(needs, store.OpEvents, store.OpPulse), lease: true, run: brakeActs},
		{name: "stops claims", needs: append(needs, store.OpClaim, store.OpComplete, store.OpHeartbeat, store.OpFail), lease: true, run: brakeClaims},
	}
}

// braking sends an act on the brake.
func (e *env) braking(a model.Action, reason string) (id string, done bool, now *model.Brake) {
	e.Helper()
	id = e.guid()
	done, now, at, err := e.q.ApplyBrake(e.ctx, model.Intent{Action: a, ActionID: id, Actor: "ops@jump", Reason: reason})
	if err != nil {
		e.Fatalf("%s: %v", a, err)
	}
	if now == nil || at.IsZero() {
		e.Fatalf("%s: brake %v at %s", a, now, at)
	}
	return id, done, now
}

func brakeActs(e *env) {
	b, _, err := e.q.Brake(e.ctx)
	if err != nil || b == nil || b.On || !b.At.IsZero() {
		e.Fatalf("the brake of a new table: %+v, %v", b, err)
	}
	_, done, _ := e.braking(model.FreeBrake, "none is on")
	is(e, "releasing a brake that is off", done, false)
	first, done, now := e.braking(model.PutBrake, "bad deploy")
	is(e, "put", done, true)
	is(e, "on", now.On, true)
	is(e, "reason", now.Reason, "bad deploy")
	e.around("since", now.At, e.now())
	_, done, now = e.braking(model.PutBrake, "me too")
	is(e, "putting a brake that is on", done, false)
	is(e, "whose it stays", now.Reason, "bad deploy")
	if p := e.pulse(time.Time{}); p.Brake == nil || !p.Brake.On || p.Brake.Reason != "bad deploy" || p.Brake.Actor != "ops@jump" {
		e.Errorf("the pulse says %+v", p.Brake)
	}
	_, done, now = e.braking(model.FreeBrake, "mended")
	is(e, "released", done, true)
	is(e, "off", now.On, false)
	if p := e.pulse(time.Time{}); p.Brake == nil || p.Brake.On {
		e.Errorf("the pulse says %+v", p.Brake)
	}

	evs, _, err := e.q.Events(e.ctx, model.Number{}, 10)
	if err != nil || len(evs) != 2 {
		e.Fatalf("%d events of two acts, %v", len(evs), err)
	}
	is(e, "newest", evs[0].Kind, model.EventUnbraked)
	is(e, "who", evs[1].Actor, "ops@jump")
	is(e, "why", evs[1].Reason, "bad deploy")
	is(e, "key", evs[1].Key, model.Key{})
	is(e, "action", evs[1].Action, first)
	ev, err := e.q.BrakeEvent(e.ctx, first)
	if err != nil || ev == nil || ev.Kind != model.EventBraked {
		e.Errorf("the event of the act: %v, %v", ev, err)
	}
	if ev, err = e.q.BrakeEvent(e.ctx, e.guid()); err != nil || ev != nil {
		e.Errorf("the event of no act: %v, %v", ev, err)
	}
}

func brakeClaims(e *env) {
	for range 3 {
		e.seed(Seed{})
	}
	held := e.claimOne()
	e.braking(model.PutBrake, "bad deploy")
	_, err := e.q.Claim(e.ctx, e.guid(), "tester", 1, aLease)
	var f *model.Fault
	if !errors.As(err, &f) || f.Brake == nil || !f.Brake.On || f.Brake.Reason != "bad deploy" || f.Unsure {
		e.Fatalf("a claim under the brake: %v", err)
	}
	// Those that work go on.
	e.one(e.q.Heartbeat(e.ctx, held.Key, held.Token, 2*aLease))
	e.one(e.q.Complete(e.ctx, held.Key, held.Token))
	e.braking(model.FreeBrake, "mended")
	is(e, "claimed after the release", len(e.claim(5)), 2)
	is(e, "empty and no brake", len(e.claim(5)), 0)
}
