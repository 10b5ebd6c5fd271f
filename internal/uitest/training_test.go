package uitest_test

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/leasetop/leasetop/internal/uitest"
	"github.com/leasetop/leasetop/internal/worker"
)

// TestTraining plays the training queue: within half a minute there was an expired
// lease, a retry and a dead letter on the screen, and every frame says TRAINING.
func TestTraining(t *testing.T) {
	t.Parallel()
	uitest.Run(t, uitest.Options{Width: 100, Height: 40, Model: func(s *uitest.Session) tea.Model {
		w := newWorld(s.T)
		w.training = true
		w.all.Go(func() { _ = worker.Training{Seed: 1}.Run(w.ctx, w.Queue) })
		return w.watch()
	}}, func(s *uitest.Session) {
		seen := map[string]bool{}
		for range 60 {
			s.Wait(half - s.Frame())
			s.Expect("TRAINING")
			for what, shown := range map[string]bool{
				"an expired lease": strings.Contains(s.Line(2), "!"),
				"a retry":          s.Shows("2/3") || s.Shows("2/5"),
				"a dead letter":    !s.Shows("FAILED 0"),
			} {
				seen[what] = seen[what] || shown
			}
		}
		if len(seen) != 3 {
			t.Errorf("not looked for: %v", seen)
		}
		for what, shown := range seen {
			if !shown {
				t.Errorf("half a minute of training did not show %s\n%s", what, s.Screen())
			}
		}
		for _, key := range []string{"r", "esc", "enter", "esc", "?", "esc", "2"} {
			s.Press(key)
			s.Expect("TRAINING")
		}
		s.Bytes()
		s.Wait(time.Minute)
		uitest.Budget{What: "wire, training queue, 100x40, polls of 1 s", Unit: "bytes/s", Got: float64(s.Bytes()) / 60}.Check(t)
	})
}
