package uitest_test

import (
	"math/rand/v2"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/leasetop/leasetop/internal/uitest"
	"github.com/leasetop/leasetop/internal/worker"
)

// resized is a queue with something of everything and a worker on it.
func resized(s *uitest.Session) tea.Model {
	w := newWorld(s.T)
	mixed(w)
	w.enqueue(200)
	w.work(worker.Simulate{Seed: 1, Mean: 10 * time.Second, Spread: 0.4}.Handle, worker.Options{Workers: 6})
	return w.watch()
}

// TestEverySize draws every screen at every size from nothing to a wall. What the
// oracle holds at each: nothing is too wide or too high, and the terminal shows
// what was drawn.
func TestEverySize(t *testing.T) {
	t.Parallel()
	uitest.Run(t, uitest.Options{Width: 80, Height: 24, Model: resized}, func(s *uitest.Session) {
		for _, open := range [][]string{{}, {"enter"}, {"r"}, {"f"}, {"?"}, {"2"}, {"p"}} {
			s.Press(open...)
			for width := 1; width <= 140; width += 13 * coarser {
				for height := 1; height <= 50; height += 9 * coarser {
					s.Resize(width, height)
				}
			}
			s.Resize(80, 24)
			s.Press("esc")
		}
	})
}

// TestResizeStorm drags the window about while keys are pressed and work goes on.
func TestResizeStorm(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 4))
	keys := []string{"down", "up", "pgdown", "enter", "esc", "esc", "r", "f", "tab", "1", "2", "?", "p", "z", "t", "R", "v", "home", "end"}
	uitest.Run(t, uitest.Options{Width: 80, Height: 24, Modern: true, Model: resized}, func(s *uitest.Session) {
		for range 120 {
			for range r.IntN(4) {
				s.Drag(1+r.IntN(200), 1+r.IntN(70))
			}
			s.Resize(1+r.IntN(160), 1+r.IntN(60))
			s.Press(keys[r.IntN(len(keys))])
			if r.IntN(10) == 0 {
				s.Wait(time.Duration(r.IntN(3000)) * time.Millisecond)
			}
		}
		s.Resize(80, 24)
		s.Press("esc", "esc", "1")
		s.Expect("WORK")
	})
}
