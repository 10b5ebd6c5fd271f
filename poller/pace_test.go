package poller

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/leasetop/leasetop/model"
)

func TestWaitsAfterFaults(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base := time.Duration(rapid.Int64Range(int64(100*time.Millisecond), int64(2*time.Minute)).Draw(t, "base"))
		top := max(base, backoffMax)
		p := newPace(Options{Every: base, Jitter: func() float64 { return rapid.Float64Range(0, 0.999).Draw(t, "jitter") }})
		class := model.FaultClass(rapid.IntRange(0, 11).Draw(t, "class"))
		full := time.Duration(0)
		for range rapid.IntRange(1, 60).Draw(t, "failures") {
			wait := p.bad(class)
			if class == model.FaultLogin {
				if wait != 0 {
					t.Fatalf("a refused login is tried again after %v", wait)
				}
				continue
			}
			if wait < base*3/4 || wait > top {
				t.Fatalf("waits %v with a base of %v", wait, base)
			}
			if wait < full*3/4 {
				t.Fatalf("waits %v after %v: shorter than any jitter makes it", wait, full)
			}
			full = max(full, wait)
		}
		if got := p.good(0, true, false); got != base || p.failures != 0 {
			t.Fatalf("after a good poll the interval is %v", got)
		}
	})
}

func TestTheIntervalSettlesWhereAPollIsAQuarterOfIt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		took := time.Duration(rapid.Int64Range(0, int64(6*time.Second)).Draw(t, "took"))
		p := newPace(Options{Every: 2 * time.Second, Jitter: steady})
		p.slowed = 2 * time.Second << rapid.IntRange(0, 3).Draw(t, "start")
		for range 50 {
			p.good(took, false, false)
		}
		settled := p.good(took, false, false)
		if settled < p.base || took > settled/4 || settled > p.base && took < settled/16 {
			t.Fatalf("polls of %v settle at %v", took, settled)
		}
		if p.good(9*time.Second, false, false) != settled && took <= settled/4 {
			t.Fatal("one slow poll changed the interval")
		}
		for range 50 {
			if got := p.good(took, false, false); got != settled {
				t.Fatalf("polls of %v swing between %v and %v", took, settled, got)
			}
		}
	})
}

func TestASlowServerIsAskedLessAndNotInSwings(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var slow atomic.Bool
		s := &script{pulse: func(ctx context.Context, _ model.PulseAsk) (model.Pulse, time.Time, error) {
			d := 10 * time.Millisecond
			if slow.Load() {
				d = 1200 * time.Millisecond
			}
			return model.Pulse{}, time.Now(), pause(ctx, d)
		}}
		p, stop := start(t, one(s), Options{})
		defer stop()
		time.Sleep(time.Minute)
		slow.Store(true)
		time.Sleep(time.Minute)
		if got := p.Board().Queue("q").Watch.Every; got != 8*time.Second {
			t.Errorf("polls of 1.2 s come every %v", got)
		}
		changes, last := 0, 8*time.Second
		for range 60 {
			time.Sleep(10 * time.Second)
			if got := p.Board().Queue("q").Watch.Every; got != last {
				changes, last = changes+1, got
			}
		}
		if changes != 0 {
			t.Errorf("with polls of 1.2 s the interval changed %d times in ten minutes", changes)
		}
		slow.Store(false)
		time.Sleep(3 * time.Minute)
		if got := p.Board().Queue("q").Watch.Every; got != 2*time.Second {
			t.Errorf("after it was quick again polls come every %v", got)
		}
	})
}

func TestAnEmptyQueueIsAskedLess(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var ready atomic.Int64
		s := &script{pulse: func(context.Context, model.PulseAsk) (model.Pulse, time.Time, error) {
			return model.Pulse{
				Ready:   model.Count{N: ready.Load(), Trust: model.Exact},
				Working: model.Count{Trust: model.Exact},
			}, time.Now(), nil
		}}
		p, stop := start(t, one(s), Options{IdleMax: 10 * time.Second})
		defer stop()
		every := func() time.Duration { return p.Board().Queue("q").Watch.Every }
		time.Sleep(time.Minute)
		if every() != 10*time.Second {
			t.Errorf("an empty queue is polled every %v", every())
		}
		p.Want(Want{Queue: "q"})
		time.Sleep(time.Second)
		if every() != 2*time.Second {
			t.Errorf("in view it is polled every %v", every())
		}
		p.Want(Want{})
		time.Sleep(time.Minute)
		ready.Store(1)
		time.Sleep(11 * time.Second)
		if every() != 2*time.Second {
			t.Errorf("with a job it is polled every %v", every())
		}
	})
}

func TestUnknownIsNotEmpty(t *testing.T) {
	if empty(&model.Pulse{}) {
		t.Error("a queue of which nothing is known passes for an empty one")
	}
}
