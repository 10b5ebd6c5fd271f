package uitest_test

import (
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/leasetop/leasetop/internal/uitest"
	"github.com/leasetop/leasetop/internal/worker"
	"github.com/leasetop/leasetop/model"
)

// TestKilledWorker is the story of a worker that vanishes after its claim: its
// lease runs out, the screen says so, recovery returns the job, the next claim is
// attempt 2, and the token of the dead one is never honoured.
func TestKilledWorker(t *testing.T) {
	t.Parallel()
	var (
		w    *world
		dead model.Claim
	)
	uitest.Run(t, uitest.Options{Width: 100, Height: 30, Token: token, Model: func(s *uitest.Session) tea.Model {
		w = newWorld(s.T)
		w.enqueue(1)
		dead = w.claim("pick-07", 1, lease)[0]
		return w.watch()
	}}, func(s *uitest.Session) {
		s.UntilShown(time.Second, "1/5  pick-07")
		s.Expect("WORKING 1", "EXPIRED 0")
		s.Wait(lease + 2*time.Second)
		s.Expect("EXPIRED 1", "expired")
		s.UntilShown(2*lease, "nobody returns expired rows")

		// A pool starts; recovery is part of it.
		stop := w.work(worker.Simulate{Mean: 90 * time.Second}.Handle, worker.Options{Names: []string{"pick-08"}})
		s.UntilShown(2*lease, "2/5  pick-08")
		s.Expect("EXPIRED 0", "WORKING 1")
		s.UntilShown(time.Minute, "nothing needs a person")
		for what, refused := range map[string]func() ([]model.Change, error){
			"heartbeat":  func() ([]model.Change, error) { return w.Heartbeat(w.ctx, dead.Key, dead.Token, lease) },
			"completion": func() ([]model.Change, error) { return w.Complete(w.ctx, dead.Key, dead.Token) },
		} {
			if changes, err := refused(); err != nil || len(changes) != 0 {
				t.Errorf("the %s of the dead worker: %v %v", what, changes, err)
			}
		}
		s.UntilShown(2*time.Minute, "WORKING 0")
		if j := w.job(dead.Key); j.State != model.Done || j.Attempts.N != 2 {
			t.Errorf("the job is %s after %d attempts", j.State, j.Attempts.N)
		}
		stop()
	})
}
