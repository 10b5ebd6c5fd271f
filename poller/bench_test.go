package poller

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/leasetop/leasetop/model"
)

// TestTheCostOfFiftyQueues watches fifty queues of one server for ten virtual
// minutes and holds what that costs to its limits.
func TestTheCostOfFiftyQueues(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const queues = 50
		var (
			m       meter
			targets []Target
		)
		for i := range queues {
			targets = append(targets, Target{Queue: fmt.Sprint(i), Server: "s", Source: &script{meter: &m, pulse: func(ctx context.Context, _ model.PulseAsk) (model.Pulse, time.Time, error) {
				return model.Pulse{Ready: model.Count{N: 1, Trust: model.Exact}}, time.Now(), pause(ctx, 4*time.Millisecond)
			}}})
		}
		p, stop := start(t, targets, Options{})
		p.Want(Want{Queue: "0", View: model.ViewWorking})
		ctx, cancel := context.WithCancel(t.Context())
		rings := listen(ctx, p)
		time.Sleep(10 * time.Minute)
		stop()
		cancel()
		statements := float64(p.Stats().Statements) / 10
		published := float64(len(rings())) / 600
		t.Logf("%d queues: %.0f statements a minute, %.2f boards a second, at most %d statements at once", queues, statements, published, m.top)
		if most := float64(queues*30+queues/5+30) * 1.01; statements > most {
			t.Errorf("%.0f statements a minute, want at most %.0f", statements, most)
		}
		if published > 1.1 { // and a ring for each first answer
			t.Errorf("%.2f boards a second, want one", published)
		}
		if m.top > DefaultInFlight {
			t.Errorf("%d statements at once", m.top)
		}
	})
}

func BenchmarkPoll(b *testing.B) {
	l := New(one(&script{}), Options{}).loops[0]
	l.view.Store(uint32(model.ViewWorking))
	b.ReportAllocs()
	for b.Loop() {
		l.poll(b.Context())
		l.target.Source.(*script).calls = nil
	}
}

func BenchmarkBoardOfFiftyQueues(b *testing.B) {
	var targets []Target
	for i := range 50 {
		targets = append(targets, Target{Queue: fmt.Sprint(i), Server: "s", Source: &script{}})
	}
	p := New(targets, Options{})
	snap := *p.Board().Queues[7]
	b.ReportAllocs()
	for b.Loop() {
		p.shelf.put(7, &snap, true)
	}
}
