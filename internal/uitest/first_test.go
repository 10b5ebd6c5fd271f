package uitest_test

import (
	"fmt"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/leasetop/leasetop/internal/uitest"
	"github.com/leasetop/leasetop/internal/worker"
	"github.com/leasetop/leasetop/model"
)

// mixed is a queue in which a bit of everything has happened: working jobs with
// and without a lease left, a retry, a dead letter, a job of later.
func mixed(w *world) {
	n := 0
	w.enqueue(14, func(j *model.NewJob) {
		n++
		switch n {
		case 2:
			j.MaxAttempts = model.NumberOf(1)
		case 14:
			j.Delay = time.Hour
		}
	})
	w.claim("pick-07", 1, 20*time.Second)
	for _, why := range []string{"no such article 4711", "the carrier's API answered 503 twice"} {
		c := w.claim("pick-03", 1, time.Minute)[0]
		if _, err := w.Fail(w.ctx, c.Key, c.Token, w.guid(), 10*time.Minute, why); err != nil {
			w.Fatal(err)
		}
	}
	w.claim("pick-02", 1, 2*time.Minute)
	w.claim("pick-05", 1, 5*time.Minute)
}

// TestFirstScreen opens the program on a queue that has been running: the first
// screen says it all, within one frame, at the sizes of a jump box and of a desk.
func TestFirstScreen(t *testing.T) {
	t.Parallel()
	for _, size := range []struct{ width, height int }{{80, 24}, {120, 40}} {
		t.Run(fmt.Sprintf("%dx%d", size.width, size.height), func(t *testing.T) {
			t.Parallel()
			o := uitest.Options{Width: size.width, Height: size.height, Token: token, Model: func(s *uitest.Session) tea.Model {
				w := newWorld(s.T)
				mixed(w)
				return w.watch()
			}}
			uitest.Run(t, o, func(s *uitest.Session) {
				s.UntilShown(200*time.Millisecond, "pick-07")
				s.Expect("READY 8", "1 Work", "2 Ready", "pick-02", "pick-05")
				s.Wait(93*time.Second + half)
				s.Expect("EXP", "1 !", "oldest ready", "per second", "expired")
				s.Golden("after 93 s")
			})
		})
	}
}

// TestFirstFrameComesBeforeTheAnswer watches a server that never answers: there is
// a frame at once, it says what it waits for, and q leaves.
func TestFirstFrameComesBeforeTheAnswer(t *testing.T) {
	t.Parallel()
	uitest.Run(t, uitest.Options{Model: func(s *uitest.Session) tea.Model {
		w := newWorld(s.T)
		w.gate.close()
		return w.watch()
	}}, func(s *uitest.Session) {
		s.Expect("connecting", queueName)
		s.Quit("q")
	})
}

// TestWorkMovesOnTheScreen has real workers: the figures follow them, the charts
// get lines, and at the end nothing is left.
func TestWorkMovesOnTheScreen(t *testing.T) {
	t.Parallel()
	var w *world
	uitest.Run(t, uitest.Options{Width: 120, Height: 40, Model: func(s *uitest.Session) tea.Model {
		w = newWorld(s.T)
		w.enqueue(60)
		w.work(worker.Simulate{Seed: 1, Mean: 10 * time.Second, Spread: 0.4}.Handle, worker.Options{Workers: 8})
		return w.watch()
	}}, func(s *uitest.Session) {
		s.UntilShown(5*time.Second, "WORKING 8")
		s.Wait(time.Minute)
		s.Expect("▕", "╌╮")
		s.Until(3*time.Minute, "everything done", func() bool { return s.Shows("READY 0") && s.Shows("WORKING 0") })
		if p, _, err := w.Pulse(w.ctx, model.PulseAsk{}); err != nil || p.Failed.N != 0 {
			t.Errorf("%d failed: %v", p.Failed.N, err)
		}
	})
}
