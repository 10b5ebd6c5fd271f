package uitest_test

import (
	"runtime"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/leasetop/leasetop/internal/uitest"
	"github.com/leasetop/leasetop/internal/worker"
)

// TestHour watches a queue at work for six stretches, an hour: the screen stays live
// and right, neither memory nor goroutines grow, and a minute costs what it cost
// before.
//
// It runs alone, because it counts what the whole process holds.
func TestHour(t *testing.T) {
	var w *world
	o := uitest.Options{FPS: 2, Linger: 10 * time.Minute, Model: func(s *uitest.Session) tea.Model {
		w = newWorld(s.T)
		w.enqueue(40)
		w.work(worker.Simulate{Seed: 1, Mean: time.Minute, Spread: 0.4}.Handle, worker.Options{Workers: 8, Lease: 2 * time.Minute})
		w.all.Go(func() { _ = worker.Load{Seed: 1, Rate: 0.12}.Run(w.ctx, w.Queue) })
		return w.watch()
	}}
	uitest.Run(t, o, func(s *uitest.Session) {
		s.Wait(stretch)
		first, goroutines := held(), runtime.NumGoroutine()
		s.Views()
		statements := w.poller.Stats().Statements
		for range 5 {
			s.Wait(stretch)
			s.Expect("live", "nothing needs a person", "1 Work")
		}
		uitest.Budget{
			What: "heap that an hour adds to its first sixth", Unit: "MB", Got: float64(held()-first) / 1e6, Most: 8,
		}.Check(t)
		if n := runtime.NumGoroutine(); n > goroutines+4 {
			t.Errorf("%d goroutines have become %d", goroutines, n)
		}
		minutes := (5 * stretch).Minutes()
		uitest.Budget{What: "views a minute", Got: float64(s.Views()) / minutes, Most: 62}.Check(t)
		asked := float64(w.poller.Stats().Statements-statements) / minutes
		uitest.Budget{What: "statements a minute, a pulse and a list each second", Got: asked, Most: 122}.Check(t)
		s.Quit("q")
	})
}

// held is the memory that is in use, in bytes.
func held() int64 {
	runtime.GC()
	runtime.GC() // what finalizers let go of
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc) //nolint:gosec // far below the bound
}
