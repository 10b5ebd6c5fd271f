package uitest_test

import (
	"fmt"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/leasetop/leasetop/internal/uitest"
	"github.com/leasetop/leasetop/model"
)

// outage is a queue with jobs that failed at their only attempt: eight because the
// carrier did not answer, one because of its own payload.
func outage(w *world) {
	w.enqueue(9, func(j *model.NewJob) { j.MaxAttempts = model.NumberOf(1) })
	for i, c := range w.claim("pick-03", 9, time.Minute) {
		why := fmt.Sprintf("HTTP 503 from the carrier for order %d after %d ms", 4700+i, 90*i)
		if i == 4 {
			why = "the payload names no article"
		}
		if _, err := w.Fail(w.ctx, c.Key, c.Token, w.guid(), 0, why); err != nil {
			w.Fatal(err)
		}
	}
}

// TestRequeueWhatFailedAlike finds what failed alike after an outage, looks into
// it, and requeues the whole group and nothing else.
func TestRequeueWhatFailedAlike(t *testing.T) {
	t.Parallel()
	var w *world
	uitest.Run(t, uitest.Options{Width: 120, Height: 40, Token: token, Model: func(s *uitest.Session) tea.Model {
		w = newWorld(s.T)
		outage(w)
		return w.watch()
	}}, func(s *uitest.Session) {
		s.Wait(2 * time.Second)
		s.Press("4")
		s.UntilShown(2*time.Second, "9 in 2 groups")
		s.Expect("▸ 8 jobs", "HTTP 503 from the carrier for order # after # ms", "the payload names no article")
		s.Press("enter")
		s.Expect("▾ 8 jobs", "for order 4701 after 90 ms")
		s.ExpectNot("names no article")
		s.Press("esc", "u")
		s.Expect("requeue 8 jobs", "group ‹HTTP 503 from the carrier for order # after # ms›", "Requeue 8")
		s.Press("tab", "enter")
		s.UntilShown(10*time.Second, "8 applied")
		s.Press("esc")
		s.UntilShown(3*time.Second, "FAILED 1")
		s.Expect("READY 8", "FAILED 1", "the payload names no article")
		if n := len(w.runs.sent); n != 8 {
			t.Errorf("%d statements were sent", n)
		}
	})
}

// TestFindTheStuckJob goes from the workers to the one that is silent, to its job,
// asks why, takes the job back, and reads the receipt.
func TestFindTheStuckJob(t *testing.T) {
	t.Parallel()
	reclaimed(t, nil, func(s *uitest.Session, w *world, dead model.Claim) {
		s.Press("5")
		s.UntilShown(2*time.Second, "silent")
		s.Expect("▸ pick-07", "may be alive")
		s.Press("enter")
		s.UntilShown(2*time.Second, "/ worker:pick-07")
		s.Expect("▸ "+dead.Key.String(), "expired, may be alive", "1 of the 1 listed")
		s.Press("w")
		s.UntilShown(2*time.Second, "why")
		s.Press("esc", "r", "tab", "enter")
		s.Expect("✓ APPLIED", "the job is ready under a new token")
		s.Press("esc", "esc", "6")
		s.UntilShown(2*time.Second, "reclaimed")
		s.Expect("ops", dead.Key.String())
		if j := w.job(dead.Key); j.State != model.Ready {
			t.Errorf("the job is %s", j.State)
		}
	})
}
