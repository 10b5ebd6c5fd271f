package poller

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/leasetop/leasetop/model"
)

func TestWhatIsLateDoesNotReplaceWhatIsNewer(t *testing.T) {
	old, newer := &model.Snapshot{Queue: "q"}, &model.Snapshot{Queue: "q"}
	s := newShelf(0, []*model.Snapshot{old})
	s.put(0, newer, true)
	s.swap(0, old, &model.Snapshot{Queue: "q"})
	if got := s.board.Load().Queue("q"); got != newer || got.Seq != 1 {
		t.Errorf("the board shows %p with the number %d, want %p", got, got.Seq, newer)
	}
}

// An answer that comes when a board falls due brings that board, and the next one keeps
// its pace, though the timer of the first had been running already.
func TestABoardThatWasBroughtForwardIsNotDueAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newShelf(time.Second, []*model.Snapshot{{Queue: "q"}})
		snap := &model.Snapshot{Queue: "q"}
		s.put(0, snap, true)
		s.put(0, snap, false)
		s.mu.Lock()
		time.Sleep(time.Second) // the timer fires, and finds the shelf in use
		s.publish(false)
		s.publish(false)
		s.mu.Unlock()
		synctest.Wait()
		if seq := s.board.Load().Seq; seq != 2 {
			t.Errorf("board %d at the moment that the second was due", seq)
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if seq := s.board.Load().Seq; seq != 3 {
			t.Errorf("board %d when the third was due", seq)
		}
	})
}

func TestTheLastBoardHoldsTheLastAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var n atomic.Int64
		s := &script{pulse: func(context.Context, model.PulseAsk) (model.Pulse, time.Time, error) {
			return model.Pulse{Ready: model.Count{N: n.Add(1), Trust: model.Exact}}, time.Now(), nil
		}}
		p, stop := start(t, one(s), Options{Every: 200 * time.Millisecond, Pace: time.Minute})
		time.Sleep(10*time.Second + 100*time.Millisecond)
		if got := p.Board().Queue("q").Pulse.Data.Ready.N; got != 1 {
			t.Errorf("within its pace the board moved on to %d", got)
		}
		stop()
		if got := p.Board().Queue("q").Pulse.Data.Ready.N; got != n.Load() {
			t.Errorf("the last board shows answer %d of %d", got, n.Load())
		}
		seq := p.Board().Seq
		time.Sleep(time.Hour)
		if p.Board().Seq != seq {
			t.Error("after Run has ended there is a new board")
		}
	})
}

func TestAPollThatTheEndCutShortIsNoFault(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &script{pulse: func(ctx context.Context, _ model.PulseAsk) (model.Pulse, time.Time, error) {
			return model.Pulse{}, time.Now(), pause(ctx, 500*time.Millisecond)
		}}
		var faults atomic.Int64
		p, stop := start(t, one(s), Options{Enrich: func(s *model.Snapshot) {
			if s.Watch.Err != nil {
				faults.Add(1)
			}
		}})
		time.Sleep(20*time.Second + 250*time.Millisecond)
		stop()
		if faults.Load() != 0 || p.Board().Queue("q").Watch.Err != nil {
			t.Errorf("%d faults, and the board says %v", faults.Load(), p.Board().Queue("q").Watch.Err)
		}
	})
}

func TestThePollsOfAServerAreSpread(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const queues = 10
		var (
			targets []Target
			sources []*script
		)
		for i := range queues {
			s := &script{}
			sources = append(sources, s)
			targets = append(targets, Target{Queue: fmt.Sprint(i), Server: "s", Source: s})
		}
		_, stop := start(t, targets, Options{})
		time.Sleep(time.Minute + time.Millisecond)
		stop()
		starts := map[time.Time]bool{}
		for i, s := range sources {
			times := s.times("pulse")
			starts[times[len(times)-1]] = true
			for _, g := range s.gaps("pulse")[1:] {
				if g != 2*time.Second {
					t.Fatalf("queue %d was polled after %v", i, g)
				}
			}
		}
		if len(starts) != queues {
			t.Errorf("the polls of %d queues begin at %d moments", queues, len(starts))
		}
	})
}

func TestAPlaceIsNotLostWhenItsWaiterLeaves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &server{limit: 1, proven: true}
		holder, waiter := &loop{server: s}, &loop{server: s}
		for range 200 {
			if err := s.acquire(t.Context(), holder); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			got := make(chan error, 1)
			go func() { got <- s.acquire(ctx, waiter) }()
			synctest.Wait()
			cancel()
			s.release(holder, nil) // in the same moment: the waiter may see either first
			if <-got == nil {
				s.release(waiter, nil)
			}
			if s.busy != 0 || len(s.waiting) != 0 {
				t.Fatalf("%d places are taken by nobody, %d wait", s.busy, len(s.waiting))
			}
		}
	})
}
