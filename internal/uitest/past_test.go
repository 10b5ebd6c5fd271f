package uitest_test

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/leasetop/leasetop/internal/uitest"
	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/poller"
)

// TestWhatWasItLikeTenMinutesAgo is the question of every incident. Ten minutes ago
// pick-07 held a job whose lease had run out; by now it was taken back and done.
func TestWhatWasItLikeTenMinutesAgo(t *testing.T) {
	t.Parallel()
	var (
		w     *world
		stuck model.Claim
	)
	uitest.Run(t, uitest.Options{Width: 100, Height: 30, Token: token, Model: func(s *uitest.Session) tea.Model {
		w = newWorld(s.T)
		w.poller.Want(poller.Want{Queue: queueName, View: model.ViewWorking}) // the first poll has the list
		w.enqueue(3)
		stuck = w.claim("pick-07", 1, lease)[0]
		return w.watch()
	}}, func(s *uitest.Session) {
		s.Wait(2*lease + half)
		s.Expect("EXPIRED 1", "pick-07")
		if c, err := w.Complete(w.ctx, stuck.Key, stuck.Token); err != nil || len(c) != 1 {
			t.Fatalf("the late completion: %v %v", c, err)
		}
		s.Wait(10 * time.Minute)
		s.Expect("EXPIRED 0", "● live")
		s.ExpectNot("pick-07")

		s.Press("{", "{", "[")
		s.Expect("THE PAST", "10m ago", "EXPIRED 1", "pick-07")
		if got := s.Style("━"); !strings.Contains(got, "past") {
			t.Errorf("the scrubber is drawn %q", got)
		}
		s.Golden("ten minutes ago")
		s.Press("r")
		s.Expect("this is the past: p returns to now")
		s.Press("enter")
		s.Expect("not read: this is the past", "not recorded: payloads are kept only with --record-payloads", "working, lease expired")
		s.Wait(5 * time.Second) // the watching goes on, the picture stands
		s.Expect("THE PAST", "working, lease expired")
		s.Press("p")
		s.Expect("done")
		s.ExpectNot("THE PAST")
		s.Press("esc", "{", "2")
		s.Expect("this list was not watched then")
		s.Press("esc")
		s.ExpectNot("THE PAST")
		if n := len(w.notes.sent); n != 0 {
			t.Errorf("looking back sent %d statements", n)
		}
	})
}
