package poller

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/leasetop/leasetop/model"
)

// deaf is a source whose pulse ignores its context until it is released.
func deaf() (*script, chan struct{}) {
	release := make(chan struct{})
	return &script{pulse: func(context.Context, model.PulseAsk) (model.Pulse, time.Time, error) {
		<-release
		return model.Pulse{}, time.Now(), nil
	}}, release
}

func TestASourceThatIgnoresItsDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		bad, release := deaf()
		good := &script{}
		p, stop := start(t, []Target{{Queue: "bad", Server: "s", Source: bad}, {Queue: "good", Server: "s", Source: good}}, Options{InFlight: 1})
		time.Sleep(DefaultBudget + DefaultBudget/2)
		if q := p.Board().Queue("bad"); q.Watch.Err == nil || q.Watch.Err.Class != model.FaultHung {
			t.Errorf("after the budget and its grace: %+v", q.Watch)
		}
		time.Sleep(10 * time.Minute)
		if q := p.Board().Queue("bad"); q.Watch.Health != model.Down || q.Watch.Failures < 5 {
			t.Errorf("after ten minutes: %+v", q.Watch)
		}
		if n := bad.count("pulse"); n != maxHung {
			t.Errorf("%d calls were left hanging, want %d", n, maxHung)
		}
		if got := p.Stats().Hung; got != maxHung {
			t.Errorf("Stats counts %d hung calls", got)
		}
		if n := good.count("pulse"); n < 290 {
			t.Errorf("the other queue was polled %d times in ten minutes", n)
		}
		if took := stop(); took > 200*time.Millisecond {
			t.Errorf("Run took %v to end", took)
		}
		close(release)
		synctest.Wait()
		if got := p.Stats().Hung; got != 0 {
			t.Errorf("%d calls count as hung after they came back", got)
		}
	})
}

func TestAQueueComesBackAfterItsHungCallsDid(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, release := deaf()
		p, stop := start(t, one(s), Options{})
		defer stop()
		time.Sleep(5 * time.Minute)
		close(release)
		time.Sleep(time.Minute)
		if q := p.Board().Queue("q"); q.Watch.Health != model.Live {
			t.Errorf("%+v", q.Watch)
		}
	})
}

func TestRunEndsAtOnceWhateverIsUnderWay(t *testing.T) {
	for _, at := range []time.Duration{0, time.Millisecond, 800 * time.Millisecond, 2 * time.Second, 3 * time.Second, time.Minute} {
		synctest.Test(t, func(t *testing.T) {
			var targets []Target
			bad, release := deaf()
			targets = append(targets, Target{Queue: "deaf", Server: "s", Source: bad})
			for i := range 10 {
				targets = append(targets, Target{Queue: fmt.Sprint(i), Server: "s", Source: &script{
					probe: func(ctx context.Context) (model.Caps, error) {
						return model.Caps{}, pause(ctx, 700*time.Millisecond)
					},
				}})
			}
			p, stop := start(t, targets, Options{})
			p.Want(Want{Queue: "deaf"}) // it goes first, so that its call hangs most of the time
			time.Sleep(at)
			if took := stop(); took > 200*time.Millisecond {
				t.Errorf("ended after %v: Run took %v more", at, took)
			}
			close(release)
		})
	}
}

func TestALatePollIsSaidToBeStaleBeforeItsDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		polls := 0
		s := &script{pulse: func(ctx context.Context, _ model.PulseAsk) (model.Pulse, time.Time, error) {
			if polls++; polls == 3 {
				if err := pause(ctx, 8*time.Second); err != nil {
					return model.Pulse{}, time.Time{}, err
				}
			}
			return model.Pulse{}, time.Now(), nil
		}}
		p, stop := start(t, one(s), Options{Budget: 10 * time.Second})
		defer stop()
		time.Sleep(4*time.Second + 1900*time.Millisecond)
		before := p.Board().Queue("q")
		if before.Watch.Health != model.Live {
			t.Errorf("after 1.9 s of waiting: %v", before.Watch.Health)
		}
		time.Sleep(200 * time.Millisecond)
		q := p.Board().Queue("q")
		if q.Watch.Health != model.Stale || q.Seq <= before.Seq || !q.Pulse.At.Equal(before.Pulse.At) {
			t.Errorf("after 2.1 s of waiting: %v, snapshot %d after %d", q.Watch.Health, q.Seq, before.Seq)
		}
		time.Sleep(6*time.Second + time.Second)
		if after := p.Board().Queue("q"); after.Watch.Health != model.Live || after.Seq <= q.Seq {
			t.Errorf("after it answered: %v, snapshot %d after %d", after.Watch.Health, after.Seq, q.Seq)
		}
	})
}
