package storetest

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/model"
)

// RowBench is what a dialect's test brings for destructive queues.
type RowBench interface {
	// CanRow reports whether this server can run an operation on a queue of a shape
	// and, if not, why.
	CanRow(op store.Op, s RowShape) (ok bool, why string)
	// Rows gives a database of its own with an empty queue of the document's three
	// columns, which goes with the test.
	Rows(t testing.TB, s RowShape) RowStand
}

// RowStand is one database with one destructive queue in it.
type RowStand interface {
	Open(t testing.TB) *store.DB
	Dialect() store.Dialect
	// Mapping is the queue's, as a user would write it.
	Mapping() model.Mapping
	// Row adds a row by plain INSERT, its time at so far from now.
	Row(t testing.TB, at time.Duration, customer, order int64)
	// Advance lets time pass: it moves the clock, or every time in the table back.
	Advance(t testing.TB, d time.Duration)
	Slack() time.Duration
	Columns(t testing.TB, s store.Stmt) []string
}

// RowShape is a kind of destructive queue.
type RowShape struct {
	Name  string
	Order model.Order
}

func rowShapes() []RowShape {
	return []RowShape{{"fifo", model.FIFO}, {"lifo", model.LIFO}, {"unordered", model.OrderNone}}
}

type rowCase struct {
	name  string
	needs []store.Op
	run   func(e *rowEnv)
}

// RunRows holds a dialect to the contract of destructive queues.
func RunRows(t *testing.T, b RowBench) {
	for _, shape := range rowShapes() {
		t.Run(shape.Name, func(t *testing.T) {
			for _, c := range slices.Concat(rowReads(), rowTakes(), rowHolds(), rowActs(), rowTexts()) {
				t.Run(c.name, func(t *testing.T) {
					t.Parallel()
					skipUnlessCan(t, b, shape, c.needs)
					c.run(newRowEnv(t, b, shape))
				})
			}
		})
	}
}

func skipUnlessCan(t *testing.T, b RowBench, s RowShape, needs []store.Op) {
	t.Helper()
	for _, op := range needs {
		if ok, why := b.CanRow(op, s); !ok {
			t.Skipf("%s: %s", op, why)
		}
	}
}

// rowEnv is one case at work.
type rowEnv struct {
	testing.TB
	ctx   context.Context
	stand RowStand
	shape RowShape
	q     *store.Queue
	caps  model.Caps
	can   func(store.Op) (bool, string)
	ids   atomic.Int64
}

func newRowEnv(t testing.TB, b RowBench, s RowShape) *rowEnv {
	t.Helper()
	e := &rowEnv{TB: t, ctx: t.Context(), shape: s, stand: b.Rows(t, s), can: func(op store.Op) (bool, string) { return b.CanRow(op, s) }}
	e.q = e.stand.Open(t).Queue(e.stand.Mapping())
	var err error
	if e.caps, err = e.q.Probe(e.ctx); err != nil {
		t.Fatalf("probe: %v", err)
	}
	return e
}

func (e *rowEnv) guid() string { return fmt.Sprintf("0E5E70B5-0000-4000-8000-%012X", e.ids.Add(1)) }

// another opens the queue as another process would.
func (e *rowEnv) another() *store.Queue { return e.stand.Open(e).Queue(e.stand.Mapping()) }

func (e *rowEnv) row(at time.Duration, customer, order int64) {
	e.Helper()
	e.stand.Row(e, at, customer, order)
}

func (e *rowEnv) page(v model.View) model.Page {
	e.Helper()
	p, at, err := e.q.Page(e.ctx, v)
	if err != nil || at.IsZero() {
		e.Fatalf("page %s at %s: %v", v, at, err)
	}
	return p
}

func (e *rowEnv) pulse() model.Pulse {
	e.Helper()
	p, at, err := e.q.Pulse(e.ctx, model.PulseAsk{})
	if err != nil || at.IsZero() {
		e.Fatalf("pulse at %s: %v", at, err)
	}
	return p
}

// orders are the OrderIDs of jobs, which tell the rows of a test.
func (e *rowEnv) orders(keys ...model.Key) []string {
	out := make([]string, len(keys))
	for i, k := range keys {
		out[i] = k.Values()[2].Text
	}
	return out
}

func claimed(claims []model.Claim) []model.Key {
	keys := make([]model.Key, len(claims))
	for i, c := range claims {
		keys[i] = c.Key
	}
	return keys
}

func (e *rowEnv) dequeue(n int) []model.Claim {
	e.Helper()
	c, err := e.q.Dequeue(e.ctx, n)
	if err != nil {
		e.Fatalf("dequeue: %v", err)
	}
	return c
}

func (e *rowEnv) hold(q *store.Queue, n int) *store.Held {
	e.Helper()
	h, err := q.Hold(e.ctx, e.guid(), n)
	if err != nil {
		e.Fatalf("hold: %v", err)
	}
	return h
}

func (e *rowEnv) apply(i model.Intent) ([]model.Change, string) {
	e.Helper()
	i.ActionID, i.Actor, i.Reason = e.guid(), "ops@jump", "stuck since noon"
	c, at, err := e.q.Apply(e.ctx, i)
	if err != nil || at.IsZero() {
		e.Fatalf("%s: %v", i.Action, err)
	}
	return c, i.ActionID
}

// first is the first row of a list that must not be empty.
func (e *rowEnv) first(v model.View) *model.Job {
	e.Helper()
	p := e.page(v)
	if len(p.Jobs) == 0 {
		e.Fatalf("the list %s is empty", v)
	}
	return p.Jobs[0]
}

// same fails the case where two texts or numbers differ.
func (e *rowEnv) same(what string, got, want any) {
	e.Helper()
	if fmt.Sprint(got) != fmt.Sprint(want) {
		e.Errorf("%s = %v, want %v", what, got, want)
	}
}

// near fails the case where an age is further from the wanted one than the
// server's clock can have run.
func (e *rowEnv) near(what string, got model.Age, want time.Duration) {
	e.Helper()
	if d := got.D - want; !got.Known() || d < -2*time.Second || d > e.stand.Slack()+10*time.Millisecond {
		e.Errorf("%s = %v, want %s", what, got, want)
	}
}
