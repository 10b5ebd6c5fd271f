package storetest

import (
	"slices"
	"time"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/model"
)

func pageCases() []testCase {
	return []testCase{
		{name: "empty", needs: []store.Op{store.OpWorking, store.OpReady}, run: pageEmpty},
		{name: "working", needs: []store.Op{store.OpWorking}, run: pageWorking},
		{name: "ready", needs: []store.Op{store.OpReady}, lease: true, run: pageReady},
		{name: "more", needs: []store.Op{store.OpReady, store.OpWorking}, run: pageMore},
		{name: "inspect", needs: []store.Op{store.OpInspect, store.OpWorking}, run: inspectCase},
	}
}

func (e *env) page(v model.View) model.Page {
	e.Helper()
	p, at, err := e.q.Page(e.ctx, v)
	if err != nil {
		e.Fatalf("page: %v", err)
	}
	if at.IsZero() {
		e.Fatal("the page has no server time")
	}
	return p
}

func keysOf(jobs []*model.Job) []model.Key {
	keys := make([]model.Key, len(jobs))
	for i, j := range jobs {
		keys[i] = j.Key
	}
	return keys
}

func pageEmpty(e *env) {
	for _, v := range []model.View{model.ViewWorking, model.ViewReady} {
		p := e.page(v)
		is(e, "view", p.View, v)
		is(e, "jobs", len(p.Jobs), 0)
		is(e, "more", p.More, false)
	}
}

func pageWorking(e *env) {
	alive, _ := e.held(time.Minute)
	late, _ := e.held(-time.Second)
	later, _ := e.held(time.Hour)
	latest, _ := e.held(-time.Hour)
	e.seed(Seed{})
	e.seed(Seed{State: model.Done, Token: e.guid()})
	p := e.page(model.ViewWorking)
	if want := []model.Key{late, latest, alive, later}; !slices.Equal(keysOf(p.Jobs), want) {
		e.Errorf("in the order %v, want %v: expired first, then by key", keysOf(p.Jobs), want)
	}
	is(e, "more", p.More, false)
}

func pageReady(e *env) {
	last := e.seed(Seed{Priority: model.NumberOf(200), Available: -time.Hour})
	middle := e.seed(Seed{Available: -time.Second})
	first := e.seed(Seed{Available: -time.Minute})
	e.seed(Seed{State: model.Scheduled, Available: time.Minute})
	p := e.page(model.ViewReady)
	if want := []model.Key{first, middle, last}; !slices.Equal(keysOf(p.Jobs), want) {
		e.Errorf("in the order %v, want %v: as they would be claimed", keysOf(p.Jobs), want)
	}
	if d := p.Jobs[0].Waiting.D - time.Minute; d < 0 || d > e.stand.Slack() {
		e.Errorf("the first waits %s, want a minute", p.Jobs[0].Waiting.D)
	}
}

func pageMore(e *env) {
	for range store.PageLimit {
		e.seed(Seed{})
	}
	p := e.page(model.ViewReady)
	is(e, "jobs", len(p.Jobs), store.PageLimit)
	is(e, "more at the limit", p.More, false)
	e.seed(Seed{})
	p = e.page(model.ViewReady)
	is(e, "jobs past the limit", len(p.Jobs), store.PageLimit)
	is(e, "more past the limit", p.More, true)
}

func inspectCase(e *env) {
	j, at, err := e.q.Inspect(e.ctx, model.KeyOf(e.nobody()))
	if err != nil || j != nil || at.IsZero() {
		e.Errorf("inspect of a missing row = %v at %s, %v", j, at, err)
	}
	k, _ := e.held(time.Minute)
	e.same(k, *e.page(model.ViewWorking).Jobs[0])
	_, _, err = e.q.Inspect(e.ctx, model.Key{})
	e.faulty(err, model.FaultTarget)
	odd := e.seed(Seed{State: model.Done, Token: e.guid()})
	j = e.row(odd)
	is(e, "raw state", j.RawState.Text, e.m().States[model.Done].Text)
	is(e, "lease", j.Lease.IsZero(), true)
}
