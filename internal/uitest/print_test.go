package uitest_test

import (
	"testing"
	"time"

	"github.com/leasetop/leasetop/internal/uitest"
	"github.com/leasetop/leasetop/model"
)

// TestPrintedInsteadOfSent shows the statement for somebody else to run, and goes
// back to the act.
func TestPrintedInsteadOfSent(t *testing.T) {
	t.Parallel()
	reclaimed(t, nil, func(s *uitest.Session, w *world, _ model.Claim) {
		s.Press("r", "ctrl+p")
		s.Expect("for somebody else to run", "BEGIN IMMEDIATE;")
		s.ExpectNot("what will follow")
		s.Press("ctrl+p")
		s.Expect("what will follow")
		s.Press("tab", "enter")
		s.Expect("APPLIED")
	})
}

// TestPrintOnly has no way to send anything: no button, and Enter closes.
func TestPrintOnly(t *testing.T) {
	t.Parallel()
	reclaimed(t, func(w *world) { w.target.PrintOnly, w.target.Control = true, false }, func(s *uitest.Session, w *world, dead model.Claim) {
		s.Press("r")
		s.Expect("BEGIN IMMEDIATE;", "Close")
		s.ExpectNot("Cancel", "  Reclaim ")
		s.Press("tab", "tab", "ctrl+p", "enter")
		s.Expect("EXPIRED 1")
		if n := len(w.notes.sent); n != 0 {
			t.Errorf("%d statements were sent", n)
		}
		s.Press("space", "r")
		s.UntilShown(time.Second, "acts are only printed here")
		s.ExpectNot("Reclaim 1")
		s.Press("tab", "enter")
		if j := w.job(dead.Key); j.Token != dead.Token || len(w.runs.sets) != 0 {
			t.Error("something was sent")
		}
	})
}

// TestExtendByAnHour asks for longer than one lease, which wants leave of its own.
func TestExtendByAnHour(t *testing.T) {
	t.Parallel()
	reclaimed(t, nil, func(s *uitest.Session, w *world, dead model.Claim) {
		s.Press("e")
		s.Type("soon")
		s.Press("tab", "enter")
		s.Expect("is no length")
		s.Press("esc", "e")
		s.Type("1h")
		s.Press("tab", "tab", "enter") // past the choice, to the button
		s.Expect("refused", "also beyond one lease")
		s.Golden("refused")
		s.Press("shift+tab", "space", "tab")
		s.Expect("The lease runs to 1h00m00s beyond the server's now")
		s.Expect("the statement, sent once, in one transaction after SELECT, INSERT", `UPDATE "Orders"`, "by_s INTEGER = 3600")
		s.Press("enter")
		s.Expect("APPLIED")
		if left := time.Until(w.job(dead.Key).Lease.At); left < 59*time.Minute || left > 61*time.Minute {
			t.Errorf("the lease runs for %s", left)
		}
	})
}
