//go:build pictures

package uitest_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/leasetop/leasetop/internal/uitest"
	"github.com/leasetop/leasetop/internal/worker"
	"github.com/leasetop/leasetop/model"
)

// TestPictures makes the pictures of the documentation from the real program on
// virtual time; which worker takes which job is all that differs each time:
//
//	go test -tags pictures -run Pictures ./internal/uitest
func TestPictures(t *testing.T) {
	dir := filepath.Join("..", "..", "docs", "pictures")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	picture := func(s *uitest.Session, on uitest.Paper, name string) {
		if err := os.WriteFile(filepath.Join(dir, name+".svg"), []byte(s.SVG(on)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	uitest.Run(t, uitest.Options{Width: 110, Height: 32, Token: token, Model: func(s *uitest.Session) tea.Model { return busy(newWorld(s.T)) }}, func(s *uitest.Session) {
		take := func(name string, keys ...string) {
			s.Press(keys...)
			s.Wait(1500 * time.Millisecond)
			picture(s, uitest.Dark, name)
		}
		s.Wait(14 * time.Minute)
		take("queue", "home")
		take("why", "w")
		take("reclaim", "esc", "r")
		s.Press("esc")
		s.Resize(110, 20)
		take("groups", "4")
		s.Resize(110, 32)
		take("past", "1", "{", "[", "[")
		s.Press("p")
	})
	light := func(s *uitest.Session) tea.Model {
		w := newWorld(s.T)
		w.theme = "light"
		return busy(w)
	}
	uitest.Run(t, uitest.Options{Width: 110, Height: 32, Model: light}, func(s *uitest.Session) {
		s.Wait(14 * time.Minute)
		s.Press("4", "v", "home", "enter", "v")
		s.Wait(time.Second)
		picture(s, uitest.Light, "job")
	})
	uitest.Run(t, uitest.Options{Width: 110, Height: 30, Token: token, Model: classroom(4)}, func(s *uitest.Session) {
		s.UntilShown(2*time.Second, "the bad half")
		for range 5 {
			s.Press("enter")
			s.Wait(100 * time.Millisecond)
		}
		picture(s, uitest.Dark, "lesson")
	})
}

// busy is a queue on a working day: jobs come, most are done, some fail, one of
// its workers was killed and nobody recovers.
func busy(w *world) tea.Model {
	n := 0
	w.enqueue(40, func(j *model.NewJob) {
		if n++; n%9 == 0 {
			j.MaxAttempts = model.NumberOf(1)
		}
	})
	w.claim("pick-07", 2, 10*time.Second)
	faults := worker.Chances{Seed: 3, Poison: 0.02, Flaky: 0.06, LoseReply: 0.01}.Of
	work := worker.Simulate{Seed: 2, Mean: 9 * time.Second, Spread: 0.5}
	names := make([]string, 6)
	for i := range names {
		names[i] = fmt.Sprintf("pick-%02d", i+1)
	}
	w.work(worker.FaultyHandler(work.Handle, faults), worker.Options{Workers: 18, Names: names, Recover: worker.RecoverOptions{Grace: time.Hour}})
	w.all.Go(func() {
		_ = worker.Load{Seed: 5, Rate: 1.9, Burst: 12, Every: 50 * time.Second, Later: 0.1, Delay: time.Minute, Bound: model.NumberOf(3)}.Run(w.ctx, w.Queue)
	})
	return w.watch()
}
