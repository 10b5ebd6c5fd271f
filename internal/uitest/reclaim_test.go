package uitest_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/leasetop/leasetop/internal/uitest"
	"github.com/leasetop/leasetop/internal/worker"
	"github.com/leasetop/leasetop/model"
)

// half is half a poll: between two of them the picture stands still.
const half = 500 * time.Millisecond

// reclaimed is a story in which the lease of the only working job has run out. The
// story gets the claim of the worker that may be dead.
func reclaimed(t *testing.T, prepare func(*world), story func(*uitest.Session, *world, model.Claim)) {
	t.Helper()
	var (
		w    *world
		dead model.Claim
	)
	uitest.Run(t, uitest.Options{Width: 100, Height: 32, Token: token, Model: func(s *uitest.Session) tea.Model {
		w = newWorld(s.T)
		if prepare != nil {
			prepare(w)
		}
		w.enqueue(3)
		dead = w.claim("pick-07", 1, lease)[0]
		return w.watch()
	}}, func(s *uitest.Session) {
		s.Wait(lease + 12*time.Second + half)
		s.Expect("EXPIRED 1", "pick-07")
		story(s, w, dead)
	})
}

// TestReclaim takes a job back through the dialog: the receipt is true, the row is
// ready, the journal knows, and the worker's token is dead.
func TestReclaim(t *testing.T) {
	t.Parallel()
	reclaimed(t, nil, func(s *uitest.Session, w *world, dead model.Claim) {
		s.Press("r")
		s.Expect("reclaim job 1", "what will follow", "pick-07 may still be working", "the statement")
		s.Press("enter") // on the default
		s.Expect("nothing was sent")
		if n := len(w.notes.sent); n != 0 {
			t.Fatalf("Enter on the default sent %d statements", n)
		}
		s.Press("tab", "enter")
		s.Expect("APPLIED", "the job is ready under a new token", dead.Token.String())
		s.Press("esc")
		s.Expect("WORKING 0", "READY 3", "EXPIRED 0")

		j := w.job(dead.Key)
		if j.State != model.Ready || j.Token == dead.Token || j.Attempts.N != 1 {
			t.Errorf("the row: %s, token changed %v, attempts %d", j.State, j.Token != dead.Token, j.Attempts.N)
		}
		if len(w.notes.sent) != 1 || len(w.notes.receipts) != 1 || w.notes.receipts[0].Outcome != model.Applied {
			t.Errorf("the journal: %d sent, %+v", len(w.notes.sent), w.notes.receipts)
		}
		if got := w.notes.sent[0].Intent.ActionID; j.Token.String() != got {
			t.Errorf("the row's token is %s, the action's id %s", j.Token, got)
		}
		if c, err := w.Complete(w.ctx, dead.Key, dead.Token); err != nil || len(c) != 0 {
			t.Errorf("the old token completes: %v %v", c, err)
		}
	})
}

// TestRenewedMeanwhile has the worker come back while the dialog is open: the
// dialog freezes, says so, and Enter does nothing.
func TestRenewedMeanwhile(t *testing.T) {
	t.Parallel()
	reclaimed(t, nil, func(s *uitest.Session, w *world, dead model.Claim) {
		s.Press("r", "tab")
		if c, err := w.Heartbeat(w.ctx, dead.Key, dead.Token, time.Hour); err != nil || len(c) != 1 {
			t.Fatalf("the heartbeat: %v %v", c, err)
		}
		s.UntilShown(3*time.Second, "renewed")
		if got := s.Style("changed while you were reading"); got != "bad bold" {
			t.Errorf("the frozen dialog says so in %q", got)
		}
		s.Press("enter")
		s.Wait(5 * time.Second)
		if n := len(w.notes.sent); n != 0 {
			t.Errorf("a frozen dialog sent %d statements", n)
		}
		s.Press("esc")
		s.Expect("EXPIRED 0", "WORKING 1")
		if j := w.job(dead.Key); j.Token != dead.Token {
			t.Error("the worker lost its job")
		}
	})
}

// TestChangedUnseen has the job end after the last poll and before Enter: the
// statement matches nothing and the receipt says what the row is now.
func TestChangedUnseen(t *testing.T) {
	t.Parallel()
	reclaimed(t, nil, func(s *uitest.Session, w *world, dead model.Claim) {
		s.Press("r", "tab")
		w.gate.close()
		if c, err := w.Complete(w.ctx, dead.Key, dead.Token); err != nil || len(c) != 1 {
			t.Fatalf("the late completion: %v %v", c, err)
		}
		s.Press("enter")
		s.Expect("CHANGED", "done")
		s.ExpectNot("APPLIED")
		if j := w.job(dead.Key); j.State != model.Done {
			t.Errorf("the job is %s", j.State)
		}
	})
}

// TestForceOnAWorkerThatBeatsAndHangs is refused plainly with the seconds left,
// works by force, and the worker learns of it within one beat.
func TestForceOnAWorkerThatBeatsAndHangs(t *testing.T) {
	t.Parallel()
	var (
		w    *world
		lost atomic.Int64 // when the worker said so
		keys []model.Key
	)
	const beat = time.Second
	uitest.Run(t, uitest.Options{Width: 100, Height: 34, Token: token, Model: func(s *uitest.Session) tea.Model {
		w = newWorld(s.T)
		keys = w.enqueue(1)
		hang := func(ctx context.Context, _ model.Claim) error {
			<-ctx.Done()
			return context.Cause(ctx)
		}
		w.work(hang, worker.Options{Names: []string{"pick-09"}, Beat: beat, Alone: true, Events: func(e worker.Event) {
			if e.Kind == worker.EventLost {
				lost.CompareAndSwap(0, time.Now().UnixNano())
			}
		}})
		return w.watch()
	}}, func(s *uitest.Session) {
		s.UntilShown(5*time.Second, "pick-09")
		s.Wait(2 * lease)
		s.Expect("EXPIRED 0")
		s.Press("r")
		if n := len(w.notes.sent); n > 0 || s.Shows("what will follow") {
			t.Fatalf("a plain reclaim of a live lease is offered\n%s", s.Screen())
		}
		// A beat is up to its period and a jitter old.
		if line := s.Line(-2); !strings.Contains(line, "28s") && !strings.Contains(line, "29s") && !strings.Contains(line, "30s") {
			t.Errorf("the refusal does not say how many seconds are left: %q", line)
		}
		s.Press("f")
		s.Expect("force-reclaim", "from a worker that says it")
		s.Press("tab", "enter")
		s.Expect("APPLIED")
		began := time.Now()
		s.Until(beat+200*time.Millisecond, "the worker says lost", func() bool { return lost.Load() > 0 })
		t.Logf("the worker says lost %v after the receipt", time.Unix(0, lost.Load()).Sub(began))
		if j := w.job(keys[0]); j.Token.String() == "" || j.State == model.Done {
			t.Errorf("the job is %s", j.State)
		}
	})
}

// TestProductionWantsTheName applies a force on a production server only with a
// reason and the queue's name typed.
func TestProductionWantsTheName(t *testing.T) {
	t.Parallel()
	reclaimed(t, func(w *world) { w.target.Production = true }, func(s *uitest.Session, w *world, dead model.Claim) {
		s.Expect("PRODUCTION")
		s.Press("f")
		s.Expect(queueName)
		s.Press("tab", "tab", "tab", "enter")
		s.Wait(time.Second)
		if n := len(w.notes.sent); n != 0 {
			t.Fatalf("force without the name was sent\n%s", s.Screen())
		}
		s.Expect("type "+queueName, "a reason is wanted first")

		s.Press("esc", "f", "tab")
		s.Type("it hangs since noon")
		s.Press("tab")
		s.Type("order")
		s.Press("tab", "enter")
		s.Wait(time.Second)
		if n := len(w.notes.sent); n != 0 {
			t.Fatalf("force with half the name was sent\n%s", s.Screen())
		}
		s.Press("shift+tab")
		s.Type("s")
		s.Press("tab", "enter")
		s.UntilShown(time.Second, "APPLIED")
		if got := w.notes.sent[0].Intent.Reason; got != "it hangs since noon" {
			t.Errorf("the journal has the reason %q", got)
		}
		if j := w.job(dead.Key); j.State != model.Ready {
			t.Errorf("the job is %s", j.State)
		}
	})
}
