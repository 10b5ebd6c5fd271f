package uitest_test

import (
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/leasetop/leasetop/internal/uitest"
	"github.com/leasetop/leasetop/model"
)

// repeater is a queue whose first ready job has failed twice already.
func repeater(w *world) model.Key {
	keys := w.enqueue(4)
	for range 2 {
		c := w.claim("pick-03", 1, time.Minute)[0]
		if c.Key != keys[0] {
			w.Fatalf("claimed %s, not %s", c.Key, keys[0])
		}
		if _, err := w.Fail(w.ctx, c.Key, c.Token, w.guid(), 0, "the pick list names no bin"); err != nil {
			w.Fatal(err)
		}
		if _, err := w.Promote(w.ctx, 10); err != nil {
			w.Fatal(err)
		}
	}
	return keys[0]
}

// TestDeadLetterAndRequeue gives a job up that fails again and again, finds it
// among the dead letters under its reason, and has it back at the tail with its
// attempts anew.
func TestDeadLetterAndRequeue(t *testing.T) {
	t.Parallel()
	for _, size := range []struct {
		name          string
		width, height int
	}{{"80x24", 80, 24}, {"120x40", 120, 40}} {
		t.Run(size.name, func(t *testing.T) {
			t.Parallel()
			var (
				w    *world
				poor model.Key
			)
			o := uitest.Options{Width: size.width, Height: size.height, Token: token, Model: func(s *uitest.Session) tea.Model {
				w = newWorld(s.T)
				poor = repeater(w)
				return w.watch()
			}}
			uitest.Run(t, o, func(s *uitest.Session) { buried(s, w, poor) })
		})
	}
}

func buried(s *uitest.Session, w *world, poor model.Key) {
	const why = "poison until the bins are mapped"
	s.Press("2")
	s.UntilShown(2*time.Second, "retry: the pick list names no bin")
	for !s.Shows("▸ " + poor.String() + " ") {
		s.Press("down")
	}
	s.Press("d")
	s.Expect("dead-letter job "+poor.String(), "is not claimed again until", "a reason is wanted first")
	s.Press("tab", "tab", "enter") // over the reason to the button
	s.Wait(time.Second)
	if n := len(w.notes.sent); n != 0 {
		s.Fatalf("it was sent without a reason\n%s", s.Screen())
	}
	s.Press("shift+tab")
	s.Type(why)
	s.Press("tab")
	s.Press("enter")
	s.Expect("✓ APPLIED", "the job is failed under a new token", "reason "+why)
	s.Press("esc", "2")
	s.UntilShown(2*time.Second, "▹")
	s.Press("u")
	s.Expect(poor.String() + " left this list: enter opens its page, ↑ ↓ choose another")
	s.Press("enter")
	s.UntilShown(2*time.Second, "dead letter, failed")
	s.Expect(why)
	s.Press("pgdown")
	s.Expect("dead-lettered", "by ops")

	s.Press("esc", "4")
	s.UntilShown(2*time.Second, "▸ job "+poor.String())
	s.Expect("4 Dead", why, "u requeue", "2/5")
	s.Press("u")
	s.Expect("requeue job "+poor.String(), "ready at the tail", "Requeue")
	s.Press("tab", "enter")
	s.Expect("✓ APPLIED", "the job is ready under a new token", "0 of 5")
	s.Press("esc")
	s.UntilShown(2*time.Second, "no dead letters")
	s.Press("2")
	s.UntilShown(2*time.Second, "READY 4")
	page, _, err := w.Page(w.ctx, model.ViewReady)
	if err != nil || len(page.Jobs) != 4 {
		s.Fatalf("%d are ready: %v", len(page.Jobs), err)
	}
	if last := page.Jobs[3]; last.Key != poor || last.Attempts.N != 0 || last.TotalClaims.N != 2 {
		s.Errorf("the last is %s after %d attempts and %d claims", last.Key, last.Attempts.N, last.TotalClaims.N)
	}
	if len(w.notes.receipts) != 2 || w.notes.sent[0].Intent.Reason != why {
		s.Errorf("the journal: %+v", w.notes.receipts)
	}
}

// TestExtend gives a worker more time: the lease is later, the token the same, a
// beat meanwhile disturbs nobody, and the worker completes.
func TestExtend(t *testing.T) {
	t.Parallel()
	var (
		w    *world
		held model.Claim
	)
	uitest.Run(t, uitest.Options{Token: token, Model: func(s *uitest.Session) tea.Model {
		w = newWorld(s.T)
		w.enqueue(1)
		held = w.claim("pick-07", 1, lease)[0]
		return w.watch()
	}}, func(s *uitest.Session) {
		s.Wait(20*time.Second + half)
		s.Press("e", "tab", "tab") // over the time to the button
		s.Expect("extend job "+held.Key.String(), "the token stays", "Extend")
		if c, err := w.Heartbeat(w.ctx, held.Key, held.Token, 15*time.Second); err != nil || len(c) != 1 {
			t.Fatalf("the heartbeat: %v %v", c, err)
		}
		s.Wait(2 * time.Second)
		s.ExpectNot("changed while you were reading")
		before := w.job(held.Key)
		s.Press("enter")
		s.Expect("✓ APPLIED", "the lease runs for", "the token stays")
		after := w.job(held.Key)
		if after.Token != before.Token || !after.Lease.At.After(before.Lease.At) {
			t.Errorf("token kept %v, lease %v, it was %v", after.Token == before.Token, after.Lease, before.Lease)
		}
		s.Press("esc")
		s.Wait(20 * time.Second)
		s.Expect("EXP 0")
		if c, err := w.Complete(w.ctx, held.Key, held.Token); err != nil || len(c) != 1 {
			t.Errorf("its worker cannot complete: %v %v", c, err)
		}
	})
}

// TestGrantOneMore takes back a job whose worker died at its last attempt: a
// reclaim is refused with the two ways out, and one of them is the first key.
func TestGrantOneMore(t *testing.T) {
	t.Parallel()
	var (
		w    *world
		dead model.Claim
	)
	uitest.Run(t, uitest.Options{Token: token, Model: func(s *uitest.Session) tea.Model {
		w = newWorld(s.T)
		w.enqueue(1, func(j *model.NewJob) { j.MaxAttempts = model.NumberOf(1) })
		dead = w.claim("pick-07", 1, lease)[0]
		return w.watch()
	}}, func(s *uitest.Session) {
		s.Wait(lease + 12*time.Second + half)
		s.Expect("m grant one more  d dead-letter")
		s.Press("r")
		s.Expect("attempts are used up (1 of 1)")
		s.Press("m")
		s.Expect("grant job "+dead.Key.String()+" one more attempt", "bound rises to 2", "Grant one more")
		s.Press("tab", "enter")
		s.Expect("✓ APPLIED", "1 of 1", "1 of 2")
		s.Press("esc")
		again := w.claim("pick-08", 1, lease)[0]
		if again.Key != dead.Key || again.Attempts.N != 2 {
			t.Errorf("claimed again: %s, attempt %d", again.Key, again.Attempts.N)
		}
	})
}
