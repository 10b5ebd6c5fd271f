package storetest

import (
	"slices"
	"time"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/model"
)

func rowActs() []rowCase {
	return []rowCase{
		{name: "dead-letter one of two equal rows", needs: []store.Op{store.OpBury}, run: buryOne},
		{name: "dead-letter what is gone", needs: []store.Op{store.OpBury}, run: buryGone},
		{name: "dead-letter what is being dequeued", needs: []store.Op{store.OpBury, store.OpHold}, run: buryLocked},
		{name: "dead-letter the oldest", needs: []store.Op{store.OpBuryOldest}, run: buryOldest},
		{name: "requeue to the tail", needs: []store.Op{store.OpBury, store.OpRequeueRow}, run: requeueTail},
		{name: "requeue with its time", needs: []store.Op{store.OpBury, store.OpRequeueKept}, run: requeueKept},
		{name: "acts of the lease queue", run: noLeaseActs},
	}
}

func buryOne(e *rowEnv) {
	e.row(-time.Minute, 7, 1)
	e.row(-time.Minute, 7, 1)
	e.row(-time.Minute, 7, 2)
	var seen *model.Job
	for _, j := range e.page(model.ViewReady).Jobs {
		if e.orders(j.Key)[0] == "1" {
			seen = j
		}
	}
	for left := int64(1); left >= 0; left-- {
		c, id := e.apply(model.Intent{Action: model.DeadLetter, Key: seen.Key})
		if len(c) != 1 {
			e.Fatalf("%d rows were taken, want one", len(c))
		}
		e.same("row", c[0].Key, seen.Key)
		e.same("equal rows left", c[0].Alike, model.NumberOf(left))
		e.same("token", c[0].NewToken, model.TokenOf(model.GUIDValue(id)))
		ev, err := e.q.Audit(e.ctx, seen.Key, id)
		if err != nil || ev == nil {
			e.Fatalf("the act is not proved by its dead letter: %v, %v", ev, err)
		}
		e.same("proof", []string{string(ev.Kind), ev.Actor, ev.Reason}, "[dead-lettered ops@jump stuck since noon]")
	}
	p := e.pulse()
	e.same("depth", p.Ready.N, 1)
	e.same("dead", p.Failed.N, 2)
	e.same("different dead letters", len(e.page(model.ViewFailed).Jobs), 2)
}

func buryGone(e *rowEnv) {
	e.row(-time.Minute, 7, 1)
	seen := e.first(model.ViewReady)
	e.apply(model.Intent{Action: model.DeadLetter, Key: seen.Key})
	if c, _ := e.apply(model.Intent{Action: model.DeadLetter, Key: seen.Key}); len(c) != 0 {
		e.Errorf("a row that is gone was taken: %v", c)
	}
	j, _, err := e.q.Inspect(e.ctx, seen.Key)
	if err != nil || j != nil {
		e.Errorf("inspect = %v, %v", j, err)
	}
	if ev, err := e.q.Audit(e.ctx, seen.Key, e.guid()); err != nil || ev != nil {
		e.Errorf("an act that never was is proved: %v, %v", ev, err)
	}
}

// buryLocked: a row that is being dequeued now is none that an act could take or tell
// of, not even among rows that are equal to it.
func buryLocked(e *rowEnv) {
	e.row(-time.Minute, 7, 1)
	e.row(-time.Minute, 7, 1)
	e.row(-time.Minute, 7, 1)
	seen := e.first(model.ViewReady)
	h := e.hold(e.another(), 1)
	for left := int64(1); left >= 0; left-- {
		c, _ := e.apply(model.Intent{Action: model.DeadLetter, Key: seen.Key})
		if len(c) != 1 {
			e.Fatalf("%d free rows were taken, want one", len(c))
		}
		e.same("equal rows left that are free", c[0].Alike, model.NumberOf(left))
	}
	if c, _ := e.apply(model.Intent{Action: model.DeadLetter, Key: seen.Key}); len(c) != 0 {
		e.Errorf("a row that is being dequeued was taken: %v", c)
	}
	if c, _ := e.apply(model.Intent{Action: model.DeadLetter, Oldest: 5}); len(c) != 0 {
		e.Errorf("a row that is being dequeued was taken: %v", c)
	}
	if err := h.Rollback(e.ctx); err != nil {
		e.Fatal(err)
	}
	if c, _ := e.apply(model.Intent{Action: model.DeadLetter, Key: seen.Key}); len(c) != 1 {
		e.Errorf("%d rows were taken when it was free again, want one", len(c))
	}
}

// buryOldest goes by age, whatever the order of dequeue is.
func buryOldest(e *rowEnv) {
	e.three()
	c, id := e.apply(model.Intent{Action: model.DeadLetter, Oldest: 2})
	var keys []model.Key
	for _, one := range c {
		keys = append(keys, one.Key)
	}
	got := e.orders(keys...)
	slices.Sort(got)
	e.same("taken", got, "[1 2]")
	p := e.page(model.ViewFailed)
	e.same("dead letters", len(p.Jobs), 2)
	for _, j := range p.Jobs {
		e.same("act", j.Token, model.TokenOf(model.GUIDValue(id)))
	}
	if c, _ := e.apply(model.Intent{Action: model.DeadLetter, Oldest: 50}); len(c) != 1 {
		e.Errorf("%d rows were taken, want the one that was left", len(c))
	}
}

func requeueTail(e *rowEnv) {
	e.row(-time.Hour, 7, 1)
	e.row(-time.Minute, 7, 2)
	seen := e.find("1", model.ViewReady)
	e.apply(model.Intent{Action: model.DeadLetter, Key: seen.Key})
	dead := e.first(model.ViewFailed)
	again, _, err := e.q.Inspect(e.ctx, dead.Key)
	if err != nil || again == nil || again.Key != dead.Key || again.Error != "stuck since noon" {
		e.Fatalf("inspect of a dead letter = %+v, %v", again, err)
	}
	c, _ := e.apply(model.Intent{Action: model.Requeue, Key: dead.Key, Seen: model.Seen{State: model.Failed, Token: dead.Token}})
	if len(c) != 1 {
		e.Fatalf("%d rows were requeued, want one", len(c))
	}
	e.same("dead", e.pulse().Failed.N, 0)
	back := e.find("1", model.ViewReady)
	e.near("age", back.Waiting, 0)
	e.same("captured row", c[0].Key, back.Key)
	if c, _ := e.apply(model.Intent{Action: model.Requeue, Key: dead.Key}); len(c) != 0 {
		e.Errorf("what is gone was requeued: %v", c)
	}
	if e.shape.Order == model.FIFO {
		e.same("tail", e.orders(e.pulse().Tail.Key), "[1]")
	}
}

func (e *rowEnv) find(order string, v model.View) *model.Job {
	e.Helper()
	for _, j := range e.page(v).Jobs {
		if e.orders(j.Key)[0] == order {
			return j
		}
	}
	e.Fatalf("no row %s in %s", order, v)
	return nil
}

func requeueKept(e *rowEnv) {
	e.row(-time.Hour, 7, 1)
	seen := e.first(model.ViewReady)
	e.apply(model.Intent{Action: model.DeadLetter, Key: seen.Key})
	dead := e.first(model.ViewFailed)
	c, _ := e.apply(model.Intent{Action: model.Requeue, Key: dead.Key, KeepTime: true})
	if len(c) != 1 {
		e.Fatalf("%d rows were requeued, want one", len(c))
	}
	e.same("row", e.first(model.ViewReady).Key, seen.Key)
}

// noLeaseActs: nothing in a destructive queue can be reclaimed, extended or forced.
func noLeaseActs(e *rowEnv) {
	e.row(-time.Hour, 7, 1)
	for _, a := range []model.Action{model.Reclaim, model.Force, model.Extend, model.Grant} {
		if _, err := e.q.Render(e.ctx, model.Intent{Action: a, Key: e.first(model.ViewReady).Key}); err == nil {
			e.Errorf("there is a statement for %s", a)
		}
	}
}
