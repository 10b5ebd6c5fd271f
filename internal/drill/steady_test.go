package drill_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/leasetop/leasetop/internal/drill"
	"github.com/leasetop/leasetop/model"
)

// halting is a lab on a machine that stands still now and then: of its questions one in
// five is not answered in time, and whoever waits waits three times as long.
type halting struct {
	drill.Lab
	asked atomic.Int64
}

func (l *halting) Make(ctx context.Context, o drill.Order) (drill.Bench, error) {
	if err := l.halts(); err != nil {
		return nil, err
	}
	b, err := l.Lab.Make(ctx, o)
	if err != nil {
		return nil, err
	}
	return haltingBench{b, l}, nil
}

func (l *halting) halts() error {
	if l.asked.Add(1)%5 == 0 {
		return &model.Fault{Class: model.FaultHung, Text: "no answer within 2s"}
	}
	return nil
}

type haltingBench struct {
	drill.Bench
	l *halting
}

func (b haltingBench) Pass(ctx context.Context, d time.Duration) error {
	return b.Bench.Pass(ctx, 3*d)
}

func (b haltingBench) Queue(i int) drill.Queue { return haltingQueue{b.Bench.Queue(i), b.l} }

type haltingQueue struct {
	drill.Queue
	l *halting
}

func (q haltingQueue) Inspect(ctx context.Context, k model.Key) (*model.Job, time.Time, error) {
	if err := q.l.halts(); err != nil {
		return nil, time.Time{}, err
	}
	return q.Queue.Inspect(ctx, k)
}

func (q haltingQueue) History(ctx context.Context, k model.Key, n int) ([]model.Event, time.Time, error) {
	if err := q.l.halts(); err != nil {
		return nil, time.Time{}, err
	}
	return q.Queue.History(ctx, k, n)
}

func (q haltingQueue) Pulse(ctx context.Context, ask model.PulseAsk) (model.Pulse, time.Time, error) {
	if err := q.l.halts(); err != nil {
		return model.Pulse{}, time.Time{}, err
	}
	return q.Queue.Pulse(ctx, ask)
}

// A machine that stands still for some seconds breaks no guarantee.
func TestAHaltingMachineBreaksNoGuarantee(t *testing.T) {
	o := small()
	o.Patience = time.Minute
	o.Only = []string{
		"conservation", "replaced-token", "killed-comes-back", "late-completes", "late-is-lost", "extension-stays",
		"release-not-counted", "poison-ends", "killer-ends", "backoff", "promotion", "acts-match-what-was-seen",
		"brake-stops-claims", "server-clock", "purge-under-load",
	}
	out, err := drill.Run(t.Context(), &halting{Lab: lab(t)}, o)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range out.Verdicts {
		if !v.OK {
			t.Errorf("%s: %s", v.Name, v.Text)
		}
	}
}
