package worker_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/leasetop/leasetop/internal/worker"
	"github.com/leasetop/leasetop/model"
)

// TestRowTricks does each trick of the menu to the training of a destructive queue:
// it does what the menu says, or it is refused for the reason that the menu gives.
func TestRowTricks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, m := &trainingBox{rowBox: box(0)}, &worker.Mischief{}
		do := func(trick worker.Trick, can bool) {
			t.Helper()
			does, why := m.DoesRows(trick)
			said, err := m.DoRows(t.Context(), trick)
			if (does == "") == (why == "") || (why == "") != can {
				t.Errorf("the menu says of %s that it does %q, and not because %q", trick, does, why)
			}
			if (err == nil) != can || can == (said == "") || !can && err.Error() != why {
				t.Errorf("%s: %q, %v", trick, said, err)
			}
		}
		if _, err := m.DoRows(t.Context(), worker.TrickKill); err == nil {
			t.Error("before it runs a worker could be killed")
		}
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan error, 1)
		of := &model.Mapping{Family: model.Destructive, Keys: []model.Column{{Name: "OrderID", Type: model.Int, Declared: "int"}}}
		go func() { done <- worker.RowTraining{Seed: 1, Mapping: of, Mischief: m}.Run(ctx, b) }()
		figures := func() (abandoned, dead, ready int) {
			b.mu.Lock()
			defer b.mu.Unlock()
			return b.abandoned, len(b.dead), len(b.ready)
		}
		wait(time.Second)
		do(worker.TrickCalm, true)
		wait(time.Minute)
		killed, dead, ready := figures()
		wait(time.Minute)
		if k, d, _ := figures(); k != killed || d != dead {
			t.Errorf("while it is calm %d are killed and %d fail", k-killed, d-dead)
		}
		do(worker.TrickKill, true)
		do(worker.TrickPoison, true)
		wait(10 * time.Second)
		if k, d, _ := figures(); k != killed+1 || d != dead+1 {
			t.Errorf("%d are killed and %d fail, want one each", k-killed, d-dead)
		}
		do(worker.TrickFlood, true)
		if _, _, r := figures(); r < ready+40 {
			t.Errorf("%d rows after a flood, %d before", r, ready)
		}
		do(worker.TrickClock, true)
		if d := time.Until(m.Now()).Round(time.Second); d != 5*time.Minute {
			t.Errorf("the clock is %v ahead", d)
		}
		for _, trick := range []worker.Trick{worker.TrickStall, worker.TrickLoseReply, worker.TrickKiller, worker.TrickRecovery} {
			do(trick, false)
		}
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}
