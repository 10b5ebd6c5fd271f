package uitest_test

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/model"
)

// gate stands between poller and store and can be shut: calls then hang for ever,
// as those to a server do that went away without a word. It can be far away too.
type gate struct {
	*store.Queue
	mu   sync.Mutex
	shut chan struct{}
	held atomic.Int32
	far  atomic.Int64 // how long each call is under way besides, in nanoseconds
}

func (g *gate) close() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.shut = make(chan struct{})
}

func (g *gate) open() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.shut != nil {
		close(g.shut)
		g.shut = nil
	}
}

func (g *gate) pass() {
	time.Sleep(time.Duration(g.far.Load()))
	g.mu.Lock()
	shut := g.shut
	g.mu.Unlock()
	if shut != nil {
		g.held.Add(1)
		<-shut
		g.held.Add(-1)
	}
}

func (g *gate) Pulse(ctx context.Context, ask model.PulseAsk) (model.Pulse, time.Time, error) {
	g.pass()
	return g.Queue.Pulse(ctx, ask)
}

func (g *gate) Page(ctx context.Context, v model.View) (model.Page, time.Time, error) {
	g.pass()
	return g.Queue.Page(ctx, v)
}

// journal keeps what was written into it.
type journal struct {
	mu       sync.Mutex
	sent     []model.Plan
	receipts []model.Receipt
}

func (j *journal) Sent(p model.Plan, _ time.Time) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.sent = append(j.sent, p)
	return nil
}

func (j *journal) Place() string { return "the journal" }

func (j *journal) Done(r model.Receipt) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.receipts = append(j.receipts, r)
	return nil
}
