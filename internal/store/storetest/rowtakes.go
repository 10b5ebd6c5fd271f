package storetest

import (
	"slices"
	"sync"
	"time"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/model"
)

func rowTakes() []rowCase {
	needs := []store.Op{store.OpDequeue}
	return []rowCase{
		{name: "dequeue in order", needs: needs, run: dequeueOrder},
		{name: "dequeue a batch", needs: needs, run: dequeueBatch},
		{name: "each row to one process", needs: needs, run: dequeueTogether},
		{name: "equal rows one at a time", needs: needs, run: dequeueEqual},
		{name: "a taken row becomes a dead letter", needs: needs, run: buryTaken},
	}
}

// three adds rows so that the order in which they came is not that of their times,
// not even of the first two.
func (e *rowEnv) three() {
	e.row(-time.Second, 7, 3)
	e.row(-time.Hour, 7, 1)
	e.row(-time.Minute, 7, 2)
}

func (e *rowEnv) inOrder() string {
	return map[model.Order]string{model.FIFO: "[1 2 3]", model.LIFO: "[3 2 1]"}[e.shape.Order]
}

func dequeueOrder(e *rowEnv) {
	if c := e.dequeue(3); len(c) != 0 {
		e.Errorf("dequeued %v of nothing", c)
	}
	e.three()
	var keys []model.Key
	for range 3 {
		keys = append(keys, claimed(e.dequeue(1))...)
	}
	got := e.orders(keys...)
	slices.Sort(got)
	e.same("rows, each once", got, "[1 2 3]")
	if e.shape.Order != model.OrderNone {
		e.same("order", e.orders(keys...), e.inOrder())
	}
	e.same("depth", e.pulse().Ready.N, 0)
}

func dequeueBatch(e *rowEnv) {
	e.three()
	first, rest := e.dequeue(2), e.dequeue(50)
	e.same("first batch", len(first), 2)
	e.same("second batch", len(rest), 1)
	if e.shape.Order != model.OrderNone {
		e.same("order", e.orders(claimed(append(first, rest...))...), e.inOrder())
	}
}

func dequeueEqual(e *rowEnv) {
	for range 3 {
		e.row(-time.Minute, 7, 1)
	}
	for left := int64(2); left >= 0; left-- {
		e.same("rows", len(e.dequeue(1)), 1)
		e.same("depth", e.pulse().Ready.N, left)
	}
}

// dequeueTogether is two processes with four goroutines each: what is inserted is
// what they get, each row once.
func dequeueTogether(e *rowEnv) {
	const rows = 200
	var jobs []model.NewJob
	for i := range rows {
		jobs = append(jobs, model.NewJob{Payload: `{"CustomerID": 1, "OrderID": ` + model.IntValue(int64(i)).Text + `}`})
	}
	e.put(jobs...)
	queues := []*store.Queue{e.q, e.another()}
	var (
		wg   sync.WaitGroup
		mu   sync.Mutex
		seen = map[string]int{}
	)
	for i := range 8 {
		wg.Go(func() {
			for {
				c, err := queues[i%2].Dequeue(e.ctx, 1+i%3)
				if err != nil {
					e.Errorf("dequeue: %v", err)
					return
				}
				if len(c) == 0 {
					return
				}
				mu.Lock()
				for _, id := range e.orders(claimed(c)...) {
					seen[id]++
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	e.same("rows handed out", len(seen), rows)
	for id, n := range seen {
		if n != 1 {
			e.Errorf("row %s was handed out %d times", id, n)
		}
	}
}

func buryTaken(e *rowEnv) {
	e.row(-time.Minute, 7, 1)
	c := e.dequeue(1)[0]
	id := e.guid()
	if err := e.q.Bury(e.ctx, c.Key, id, "worker-01", "no such order"); err != nil {
		e.Fatalf("bury: %v", err)
	}
	j := e.first(model.ViewFailed)
	e.same("row", e.orders(j.Key), "[1]")
	e.same("reason", j.Error, "no such order")
	e.same("act", j.Token, model.TokenOf(model.GUIDValue(id)))
	e.same("dead", e.pulse().Failed.N, 1)
}
