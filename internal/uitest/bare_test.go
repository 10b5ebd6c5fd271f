package uitest_test

import (
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/leasetop/leasetop/internal/profile"
	"github.com/leasetop/leasetop/internal/uitest"
	"github.com/leasetop/leasetop/model"
)

// TestBareTable watches the document's five-column table: what it does not record
// is never made up, ages begin with the watcher's first sight, and a job can be
// reclaimed all the same.
func TestBareTable(t *testing.T) {
	t.Parallel()
	var (
		w    *world
		dead model.Claim
	)
	uitest.Run(t, uitest.Options{Width: 100, Height: 30, Token: token, Model: func(s *uitest.Session) tea.Model {
		w = worldOf(s.T, profile.Bare, time.Second)
		w.enqueue(5)
		dead = w.claim("pick-07", 1, lease)[0]
		return w.watch()
	}}, func(s *uitest.Session) {
		s.Wait(20*time.Second + half)
		s.Expect("READY 4", "WORKING 1", "SCHEDULED –", "≥ 20s")
		s.ExpectNot("pick-07", "WORKER", "TRY") // no such columns
		s.Wait(lease)
		s.Expect("EXPIRED 1")
		s.Press("enter")
		s.Expect("LeaseUntil", "ClaimToken")
		s.ExpectNot("ClaimedBy", "Attempts")
		s.Press("esc", "r", "tab", "enter")
		s.UntilShown(time.Second, "APPLIED")
		s.Press("esc")
		s.Expect("WORKING 0", "READY 5")
		if j := w.job(dead.Key); j.State != model.Ready || j.Token.String() != w.notes.sent[0].Intent.ActionID {
			t.Errorf("the row is %s under %s", j.State, j.Token)
		}
	})
}
