package uitest_test

import (
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/leasetop/leasetop/internal/uitest"
	"github.com/leasetop/leasetop/model"
)

// TestAnEarlierSessionsActIsResolved has a session that died after it sent a reclaim.
// The next one says so at its start, looks in the background, says what became of
// it, and closes the journal; all of that beside the watching.
func TestAnEarlierSessionsActIsResolved(t *testing.T) {
	t.Parallel()
	var (
		w    *world
		left model.Receipt
	)
	uitest.Run(t, uitest.Options{Width: 80, Height: 24, Token: token, Model: func(s *uitest.Session) tea.Model {
		w = newWorld(s.T)
		w.notice, w.notices = "an earlier act has no known outcome: reclaim of job 1", make(chan string, 1)
		w.enqueue(1)
		c := w.claim("pick-07", 1, time.Millisecond)[0]
		time.Sleep(time.Second)
		left = model.Receipt{Sent: time.Now(), Before: w.job(c.Key), Intent: model.Intent{
			Action: model.Reclaim, Queue: queueName, Key: c.Key, Seen: model.Seen{State: model.Working, Token: c.Token}, ActionID: w.guid(), Actor: "anna",
		}}
		if changes, _, err := w.Apply(w.ctx, left.Intent); err != nil || len(changes) != 1 {
			s.Fatal(changes, err)
		}
		return w.watch()
	}}, func(s *uitest.Session) {
		s.Wait(2 * time.Second)
		s.Expect("an earlier act has no known outcome: reclaim of job 1", "● live")
		w.all.Go(func() {
			got := w.desk.Resolve(w.ctx, left)
			w.notices <- "an earlier session's reclaim of job 1 in orders: " + got.Outcome.String()
		})
		s.Wait(time.Second)
		s.Expect("an earlier session's reclaim of job 1 in orders: applied")
		s.ExpectNot("no known outcome")
		if n := len(w.notes.receipts); n != 1 || w.notes.receipts[0].Outcome != model.Applied || w.notes.receipts[0].Intent.ActionID != left.Intent.ActionID {
			t.Errorf("the journal was not closed: %+v", w.notes.receipts)
		}
		if n := len(w.notes.sent); n != 0 {
			t.Errorf("resolving sent %d acts", n)
		}
		s.Press("down")
		s.ExpectNot("earlier session")
	})
}
