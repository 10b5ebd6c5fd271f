package poller

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
)

// maxHung is how many calls of one queue may hang at once. A source is to come
// back by its deadline; one that does not keeps a goroutine each time.
const maxHung = 2

// parting is how long the end of Run waits for a call that is being cancelled.
const parting = 100 * time.Millisecond

type answer[T any] struct {
	data T
	at   time.Time
	err  error
}

// call asks the source one thing, in a place of the server's. It comes back by
// the budget and a quarter of it more, the time in which a source that keeps its
// deadline says itself what happened; after that the call is abandoned. It does
// not wait for a source at all once ctx has ended.
func call[T any](ctx context.Context, l *loop, op string, budget time.Duration, f func(context.Context) (T, time.Time, error)) (model.Part[T], *model.Fault) {
	var part model.Part[T]
	if err := l.server.acquire(ctx, l); err != nil {
		return part, faultOf(op, err)
	}
	if n := l.hung.Load(); n >= maxHung {
		fault := &model.Fault{
			Class: model.FaultHung, Op: op,
			Text: fmt.Sprintf("%d earlier calls have not come back", n),
			Cure: "wait for the server to answer them, or restart leasetop",
		}
		l.server.release(l, fault)
		return part, fault
	}
	l.p.sent.Add(1)
	l.cost.Statements++
	start := time.Now()
	got, ok := within(ctx, budget, f, &l.hung, &l.p.hung)
	part.Data, part.At, part.Got, part.Took = got.data, got.at, time.Now(), time.Since(start)
	l.cost.Took += part.Took
	fault := faultOf(op, got.err)
	if !ok {
		fault = &model.Fault{Class: model.FaultHung, Op: op, Text: "no answer within " + budget.String() + "; the call was abandoned"}
	}
	l.server.release(l, fault)
	return part, fault
}

// within runs f aside and waits for it as long as call promises. A call left
// behind is counted in all of hung until it comes back.
func within[T any](ctx context.Context, budget time.Duration, f func(context.Context) (T, time.Time, error), hung ...*atomic.Int64) (answer[T], bool) {
	limited, cancel := context.WithTimeout(ctx, budget)
	var (
		done    = make(chan answer[T], 1)
		settled atomic.Bool // whoever sets it decides: answered, or left behind
	)
	go func() {
		defer cancel()
		data, at, err := f(limited)
		done <- answer[T]{data, at, err}
		if !settled.CompareAndSwap(false, true) {
			add(hung, -1)
		}
	}()
	select {
	case got := <-done:
		return got, true
	case <-limited.Done():
	}
	grace := budget / 4
	if ctx.Err() != nil {
		grace = parting
	}
	t := time.NewTimer(grace)
	defer t.Stop()
	select {
	case got := <-done:
		return got, true
	case <-t.C:
	}
	add(hung, 1)
	if settled.CompareAndSwap(false, true) {
		return answer[T]{}, false
	}
	add(hung, -1)
	return <-done, true
}

func add(counts []*atomic.Int64, n int64) {
	for _, c := range counts {
		c.Add(n)
	}
}

// faultOf makes a fault of a source's error. A fault is copied before its
// operation is named, since a source may hand out the same one again.
func faultOf(op string, err error) *model.Fault {
	if err == nil {
		return nil
	}
	var f *model.Fault
	if errors.As(err, &f) {
		named := *f
		if named.Op == "" {
			named.Op = op
		}
		return &named
	}
	class := model.FaultOther
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		class = model.FaultHung
	}
	return &model.Fault{Class: class, Op: op, Text: text.Clean(err.Error())}
}
