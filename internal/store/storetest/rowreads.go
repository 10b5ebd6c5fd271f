package storetest

import (
	"time"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/model"
)

func rowReads() []rowCase {
	return []rowCase{
		{name: "empty", run: rowsEmpty},
		{name: "both ends and their ages", run: rowEnds},
		{name: "a time in the future", run: rowFuture},
		{name: "lists", run: rowLists},
		{name: "equal rows are one", run: rowsEqual},
		{name: "more than a list", run: rowsMore},
		{name: "payload", run: rowPayload},
	}
}

func rowsEmpty(e *rowEnv) {
	p := e.pulse()
	e.same("depth", p.Ready, model.Count{N: 0, Trust: model.Exact})
	e.same("dead", p.Failed, model.Count{N: 0, Trust: model.Exact})
	if p.Head != nil || p.Tail != nil || p.Oldest != nil {
		e.Errorf("an empty queue has the ends %v, %v", p.Head, p.Tail)
	}
	for _, v := range []model.View{model.ViewReady, model.ViewFailed} {
		e.same("rows of "+v.String(), len(e.page(v).Jobs), 0)
	}
	j, at, err := e.q.Inspect(e.ctx, model.KeyOf(model.TimeValue("2026-03-01T12:00:00.000"), model.IntValue(1), model.IntValue(2)))
	if err != nil || j != nil || at.IsZero() {
		e.Errorf("inspect of no row = %v at %s: %v", j, at, err)
	}
}

func rowEnds(e *rowEnv) {
	e.row(-time.Minute, 7, 2)
	e.row(-time.Hour, 7, 1)
	e.row(-time.Second, 7, 3)
	p := e.pulse()
	e.same("depth", p.Ready, model.Count{N: 3, Trust: model.Exact})
	switch e.shape.Order {
	case model.OrderNone:
		if p.Head != nil || p.Tail != nil {
			e.Error("a queue without an order has no ends")
		}
		return
	case model.FIFO:
		e.same("ends", e.orders(p.Head.Key, p.Tail.Key), "[1 3]")
		e.near("age of the head", p.Head.Waiting, time.Hour)
		e.near("age of the tail", p.Tail.Waiting, time.Second)
	case model.LIFO:
		e.same("ends", e.orders(p.Head.Key, p.Tail.Key), "[3 1]")
		e.near("age of the tail", p.Tail.Waiting, time.Hour)
	}
	e.same("oldest", e.orders(p.Oldest.Key), "[1]")
	if p.Arrived.Known() && p.Arrived.N != 1 && e.stand.Slack() == 0 {
		e.Errorf("%d arrived within a minute, want one: another did so a minute ago, and that is not within", p.Arrived.N)
	}
}

// rowFuture is a clock that is off, or another than was mapped: the age is what it
// is, and not made nicer.
func rowFuture(e *rowEnv) {
	e.row(3*time.Hour, 7, 1)
	e.near("age", e.first(model.ViewReady).Waiting, -3*time.Hour)
}

func rowLists(e *rowEnv) {
	e.row(-time.Minute, 7, 2)
	e.row(-time.Hour, 7, 1)
	e.row(-time.Second, 7, 3)
	want := map[model.Order][2]string{model.FIFO: {"[1 2 3]", "[3 2 1]"}, model.LIFO: {"[3 2 1]", "[1 2 3]"}}[e.shape.Order]
	ready := e.page(model.ViewReady)
	e.same("view", ready.View, model.ViewReady)
	e.same("more", ready.More, false)
	for _, j := range ready.Jobs {
		e.same("state", j.State, model.Ready)
		e.same("copies", j.Copies, model.NumberOf(1))
	}
	if e.shape.Order == model.OrderNone {
		e.same("rows", len(ready.Jobs), 3)
		return
	}
	e.same("head first", e.orders(keysOf(ready.Jobs)...), want[0])
	e.same("tail first", e.orders(keysOf(e.page(model.ViewTail).Jobs)...), want[1])
}

func rowsEqual(e *rowEnv) {
	for range 10 {
		e.row(-time.Minute, 7, 1)
	}
	e.row(-time.Minute, 7, 2)
	p := e.page(model.ViewReady)
	e.same("different rows", len(p.Jobs), 2)
	for _, j := range p.Jobs {
		want := int64(10)
		if e.orders(j.Key)[0] == "2" {
			want = 1
		}
		e.same("copies of "+j.Key.String(), j.Copies.N, want)
		again, _, err := e.q.Inspect(e.ctx, j.Key)
		if err != nil || again == nil {
			e.Fatalf("inspect %s: %v, %v", j.Key, again, err)
		}
		e.same("key", again.Key, j.Key)
		e.same("copies", again.Copies, model.NumberOf(want))
	}
}

func rowsMore(e *rowEnv) {
	var jobs []model.NewJob
	for range store.PageLimit {
		jobs = append(jobs, model.NewJob{Payload: `{"CustomerID": 1, "OrderID": 2}`})
	}
	e.put(jobs...)
	e.same("more at the limit", e.page(model.ViewReady).More, false)
	e.row(-time.Hour, 7, 1)
	p := e.page(model.ViewReady)
	n := int64(0)
	for _, j := range p.Jobs {
		n += j.Copies.N
	}
	e.same("rows", n, store.PageLimit)
	e.same("more past the limit", p.More, true)
}

func (e *rowEnv) put(jobs ...model.NewJob) []model.Key {
	e.Helper()
	keys, err := e.q.Enqueue(e.ctx, jobs)
	if err != nil || len(keys) != len(jobs) {
		e.Fatalf("put = %v, %v", keys, err)
	}
	return keys
}

func rowPayload(e *rowEnv) {
	keys := e.put(model.NewJob{Payload: `{"OrderID": 4711, "CustomerID": "17"}`})
	j := e.first(model.ViewReady)
	e.same("key", j.Key, keys[0])
	e.near("age of a row without a time", j.Waiting, 0)
	p, err := e.q.Payload(e.ctx, j.Key, 1000)
	want := `{"QDateTime":"` + j.Key.Values()[0].Text + `","CustomerID":17,"OrderID":4711}`
	if err != nil || p.Text != want {
		e.Errorf("payload %q, %v, want %q", p.Text, err, want)
	}
	if c := e.dequeueIf(); len(c) == 1 {
		e.same("payload of the worker", c[0].Payload, want)
	}
	for _, wrong := range []string{`{"Order": 1}`, `[1]`, `no JSON`, `{"OrderID": {"a": 1}}`} {
		if _, err := e.q.Enqueue(e.ctx, []model.NewJob{{Payload: wrong}}); err == nil {
			e.Errorf("%s was put", wrong)
		}
	}
	if keys, err := e.q.Enqueue(e.ctx, nil); err != nil || len(keys) != 0 {
		e.Errorf("put of nothing = %v, %v", keys, err)
	}
}

// dequeueIf dequeues where the server can.
func (e *rowEnv) dequeueIf() []model.Claim {
	if ok, _ := e.can(store.OpDequeue); !ok {
		return nil
	}
	return e.dequeue(1)
}
