package uitest_test

import (
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/leasetop/leasetop/internal/uitest"
)

// TestHungStore watches a server that goes away without a word. Keys answer within
// a frame, the screen says how old it is, nothing piles up, and q leaves at once.
func TestHungStore(t *testing.T) {
	t.Parallel()
	var w *world
	uitest.Run(t, uitest.Options{Width: 100, Height: 30, Token: token, Model: func(s *uitest.Session) tea.Model {
		w = newWorld(s.T)
		w.enqueue(30)
		w.claim("pick-02", 5, time.Hour)
		return w.watch()
	}}, func(s *uitest.Session) {
		s.Wait(5 * time.Second)
		s.Expect("live")
		w.gate.close()
		s.Wait(5 * time.Second)
		s.ExpectNot("live")
		s.Until(10*time.Second, "the screen says that it is old", func() bool { return s.Shows("STALE") || s.Shows("DOWN") })

		for _, k := range []string{"down", "down", "up", "2", "1", "?", "esc", "enter", "esc", "p", "p"} {
			before := s.Screen()
			s.Press(k) // one frame
			if s.Screen() == before {
				t.Errorf("%s has no effect while the server hangs\n%s", k, before)
			}
		}
		s.Wait(10 * time.Minute)
		if n := w.gate.held.Load(); n > 3 {
			t.Errorf("%d calls hang at once", n)
		}
		s.Expect("WORKING 5") // the last that was known
		began := time.Now()
		s.Quit("q")
		if took := time.Since(began); took > 200*time.Millisecond {
			t.Errorf("q took %v", took)
		}
	})
}

// TestHungStoreComesBack opens the gate again: the screen is live without a key.
func TestHungStoreComesBack(t *testing.T) {
	t.Parallel()
	var w *world
	uitest.Run(t, uitest.Options{Model: func(s *uitest.Session) tea.Model {
		w = newWorld(s.T)
		w.enqueue(3)
		return w.watch()
	}}, func(s *uitest.Session) {
		s.Wait(3 * time.Second)
		w.gate.close()
		s.Wait(time.Minute)
		s.ExpectNot("live")
		w.enqueue(2)
		w.gate.open()
		s.UntilShown(2*time.Minute, "live")
		s.UntilShown(5*time.Second, "READY 5")
	})
}

// TestFarAway watches over a link on which each call takes 200 ms: keys answer within
// a frame, figures keep coming, and nothing is called old.
func TestFarAway(t *testing.T) {
	t.Parallel()
	var w *world
	uitest.Run(t, uitest.Options{Width: 100, Height: 30, Token: token, Model: func(s *uitest.Session) tea.Model {
		w = newWorld(s.T)
		w.gate.far.Store(int64(200 * time.Millisecond))
		w.enqueue(30)
		w.claim("pick-02", 5, time.Hour)
		return w.watch()
	}}, func(s *uitest.Session) {
		s.Expect("connecting") // a frame before the first answer
		s.UntilShown(3*time.Second, "pick-02")
		for range 10 {
			for _, k := range []string{"down", "up", "2", "1", "?", "esc", "enter", "esc", "p", "p", ":", "esc"} {
				before := s.Screen()
				s.Press(k) // one frame
				if s.Screen() == before {
					t.Errorf("%s has no effect while a call is under way\n%s", k, before)
				}
			}
			s.Wait(time.Second)
			s.Expect("● live")
		}
		w.enqueue(1)
		s.UntilShown(3*time.Second, "READY 26") // such a link is asked half as often
	})
}
