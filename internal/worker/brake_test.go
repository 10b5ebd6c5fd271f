package worker_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/leasetop/leasetop/internal/worker"
	"github.com/leasetop/leasetop/model"
)

// TestWorkersWaitUnderTheBrake holds that the brake stops claims and nothing else:
// no trouble is told, its beginning and its end once each, and work goes on when it
// is released.
func TestWorkersWaitUnderTheBrake(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		act := func(a model.Action, id string) {
			t.Helper()
			done, _, _, err := b.ApplyBrake(t.Context(), model.Intent{Action: a, ActionID: id, Actor: "ops@jump", Reason: "bad deploy"})
			if err != nil || !done {
				t.Fatalf("%s: %v, %v", a, done, err)
			}
		}
		act(model.PutBrake, "0E5E70B5-0000-4000-8000-0000000000A1")
		keys := b.enqueue(4)
		r := b.start(b, worker.Simulate{Mean: time.Second}.Handle, worker.Options{Workers: 3, Lease: testLease, Alone: true})
		wait(time.Minute)
		if n := len(b.of(worker.EventClaimed)); n != 0 {
			t.Errorf("%d jobs were claimed under the brake", n)
		}
		if got := b.of(worker.EventBraked); len(got) != 1 || got[0].Text != "by ops@jump, bad deploy" {
			t.Errorf("told %+v, want one event with who and why", got)
		}
		act(model.FreeBrake, "0E5E70B5-0000-4000-8000-0000000000A2")
		wait(time.Minute)
		r.stop()
		if err := <-r.done; err != nil {
			t.Fatal(err)
		}
		for _, k := range keys {
			if j := b.job(k); j.State != model.Done {
				t.Errorf("job %s is %s after the release", k, j.State)
			}
		}
		if n := len(b.of(worker.EventUnbraked)); n != 1 {
			t.Errorf("the release was told %d times", n)
		}
		if got := b.of(worker.EventTrouble); len(got) != 0 {
			t.Errorf("trouble: %+v", got)
		}
	})
}
