package uitest_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/leasetop/leasetop/actions"
	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/uitest"
	"github.com/leasetop/leasetop/model"
)

// cut is a store whose line breaks behind the statement: it is applied, nobody
// hears of it, and nothing can be read until the line is mended.
type cut struct {
	*store.Queue
	broken atomic.Bool
}

func (c *cut) Apply(ctx context.Context, i model.Intent) ([]model.Change, time.Time, error) {
	changes, at, err := c.Queue.Apply(ctx, i)
	if c.broken.Load() {
		return nil, time.Time{}, &model.Fault{Class: model.FaultNetwork, Op: "reclaim", Text: "the connection broke", Unsure: true}
	}
	return changes, at, err
}

func (c *cut) Inspect(ctx context.Context, k model.Key) (*model.Job, time.Time, error) {
	if c.broken.Load() {
		return nil, time.Time{}, &model.Fault{Class: model.FaultNetwork, Op: "inspect", Text: "no route to the server"}
	}
	return c.Queue.Inspect(ctx, k)
}

// TestLostReply loses the reply of a reclaim that was applied. The receipt says
// that it does not know; once the server can be read again it says applied.
func TestLostReply(t *testing.T) {
	t.Parallel()
	var line cut
	reclaimed(t, func(w *world) {
		line.Queue = w.Queue
		line.broken.Store(true)
		w.target.Store = &line
	}, func(s *uitest.Session, w *world, dead model.Claim) {
		s.Press("r", "tab", "enter")
		s.Expect("UNKNOWN")
		s.ExpectNot("APPLIED", "REFUSED")
		if n := len(w.notes.sent); n != 1 {
			t.Fatalf("%d statements were sent", n)
		}
		line.broken.Store(false)
		s.Press("u") // look again
		s.UntilShown(time.Minute, "APPLIED")
		if n := len(w.notes.sent); n != 1 {
			t.Errorf("looking again sent the statement again: %d", n)
		}
		if j := w.job(dead.Key); j.State != model.Ready {
			t.Errorf("the job is %s", j.State)
		}
	})
}

// TestTwoOperators has somebody else reclaim the job between the last poll and
// Enter: the second receipt is not applied.
func TestTwoOperators(t *testing.T) {
	t.Parallel()
	reclaimed(t, nil, func(s *uitest.Session, w *world, dead model.Claim) {
		s.Press("r", "tab")
		w.gate.close()
		j := w.job(dead.Key)
		plan, err := w.desk.Plan(w.ctx, queueName, actions.Ask{Action: model.Reclaim, Row: j, At: time.Now()})
		if err != nil {
			t.Fatal(err)
		}
		if r := w.desk.Apply(w.ctx, plan, ""); r.Outcome != model.Applied {
			t.Fatalf("the other operator: %s %s", r.Outcome, r.Message)
		}
		s.Press("enter")
		s.Expect("CHANGED")
		s.ExpectNot("APPLIED")
	})
}
