package uitest_test

import (
	"fmt"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/leasetop/leasetop/internal/profile"
	"github.com/leasetop/leasetop/internal/uitest"
	"github.com/leasetop/leasetop/internal/worker"
)

// leased is a queue with twenty leases in view of a terminal of 120 by 40 cells
// that has synchronized output; each job takes about mean.
func leased(mean, lease time.Duration) uitest.Options {
	return uitest.Options{Width: 120, Height: 40, Modern: true, Linger: 10 * time.Minute, Model: func(s *uitest.Session) tea.Model {
		w := newWorld(s.T)
		w.enqueue(500)
		w.work(worker.Simulate{Seed: 1, Mean: mean, Spread: 0.4}.Handle, worker.Options{Workers: 20, Lease: lease})
		w.all.Go(func() { _ = worker.Load{Seed: 1, Rate: 20 / mean.Seconds()}.Run(w.ctx, w.Queue) })
		return w.watch()
	}}
}

// TestBudgetWire counts the bytes of a minute of screen time at polls of one second.
func TestBudgetWire(t *testing.T) {
	for _, c := range []struct {
		what        string
		mean, lease time.Duration
		most        float64
	}{
		{"leases of 5 min, nothing ends", 100 * time.Hour, 5 * time.Minute, 450},
		{"leases of 5 min, a job ends every 3 s", time.Minute, 5 * time.Minute, 0},
		{"leases of 30 s, nothing ends", 100 * time.Hour, 30 * time.Second, 0},
		{"leases of 30 s, a job ends every second", 20 * time.Second, 30 * time.Second, 0},
	} {
		if raced && c.most == 0 {
			continue // a figure for comparison, the same without the detector
		}
		t.Run(c.what, func(t *testing.T) {
			t.Parallel()
			uitest.Run(t, leased(c.mean, c.lease), func(s *uitest.Session) {
				s.Wait(2 * time.Minute)
				s.Bytes()
				s.Views()
				s.Wait(time.Minute - s.Frame())
				uitest.Budget{
					What: "wire, 120x40, polls of 1 s, " + c.what, Unit: "bytes/s", Got: float64(s.Bytes()) / 60, Most: c.most,
					Beside: "htop 690, asynq dash 1,450, pg_activity 2,580",
				}.Check(t)
				uitest.Budget{What: "views a minute", Got: float64(s.Views()), Most: 66}.Check(t)
			})
		})
	}
}

// TestBudgetCursor counts the bytes of the dearest cursor key, in the list and
// where it scrolls. No poll falls between the keys.
func TestBudgetCursor(t *testing.T) {
	t.Parallel()
	o := uitest.Options{Width: 120, Height: 40, Modern: true, Model: func(s *uitest.Session) tea.Model {
		w := worldOf(s.T, profile.Lease, time.Hour)
		w.enqueue(200)
		w.claim("pick-07", 20, 5*time.Minute)
		return w.watch()
	}}
	uitest.Run(t, o, func(s *uitest.Session) {
		for _, list := range []struct {
			key, what string
			keys      int
		}{{"1", "in view", 18}, {"2", "in view and scrolling", 50}} {
			s.Press(list.key, "down")
			most, sum := 0, 0
			for range list.keys {
				s.Press("down")
				n := len(s.Output())
				most, sum = max(most, n), sum+n
			}
			uitest.Budget{
				What: "wire, the dearest cursor key, " + list.what, Unit: "bytes", Got: float64(most), Most: 250,
				Beside: fmt.Sprintf("mean %d; asynq dash 1,500 to 3,000, pg_activity 2,770", sum/list.keys),
			}.Check(t)
		}
	})
}
