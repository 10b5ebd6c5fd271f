package storetest

import (
	"time"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/model"
)

// nothingCases are rows that look almost like what an act is about.
func nothingCases() []testCase {
	look := []store.Op{store.OpInspect}
	return []testCase{
		{name: "requeue of another row", needs: append(look, store.OpRequeue, store.OpRequeueUnclaimed), run: requeueNothing},
		{name: "extend of a row that nobody works on", needs: append(look, store.OpExtend), run: extendOfOthers},
		{name: "grant of another row", needs: append(look, store.OpGrant), lease: true, run: grantNothing},
	}
}

// untouched sends an act about a row as it is not, and holds that nothing happens.
func (e *env) untouched(a model.Action, k model.Key, s model.Seen) {
	e.Helper()
	before := *e.row(k)
	_, c := e.act(model.Intent{Action: a, Key: k, By: time.Hour, Seen: s})
	e.none(c, nil)
	e.same(k, before)
}

func requeueNothing(e *env) {
	g := e.guid()
	claimed := e.seed(Seed{State: model.Failed, Token: g, Attempts: 5})
	e.untouched(model.Requeue, claimed, model.Seen{State: model.Failed, Token: e.token(e.guid())})
	e.untouched(model.Requeue, claimed, model.Seen{State: model.Failed}) // "no token" never means "any token"
	for _, s := range model.States() {
		if s == model.Failed || e.m().States[s].IsNull() {
			continue
		}
		for _, g := range []string{"", e.guid()} {
			k := e.seed(Seed{State: s, Token: g, Lease: new(-time.Minute)})
			e.untouched(model.Requeue, k, model.Seen{State: model.Failed, Token: e.row(k).Token})
		}
	}
}

func extendOfOthers(e *env) {
	for _, s := range model.States() {
		if s == model.Working || e.m().States[s].IsNull() {
			continue
		}
		g := e.guid()
		k := e.seed(Seed{State: s, Token: g, Lease: new(-time.Minute)})
		e.untouched(model.Extend, k, model.Seen{State: model.Working, Token: e.token(g)})
	}
}

func grantNothing(e *env) {
	g := e.guid()
	k := e.seed(Seed{State: model.Working, Token: g, Lease: new(-time.Minute), Attempts: 5})
	e.untouched(model.Grant, k, model.Seen{State: model.Working, Token: e.token(e.guid())})
	for _, s := range []model.State{model.Ready, model.Failed, model.Done} {
		g := e.guid()
		k := e.seed(Seed{State: s, Token: g, Lease: new(-time.Minute), Attempts: 5})
		e.untouched(model.Grant, k, model.Seen{State: model.Working, Token: e.token(g)})
	}
}
