package ui

import (
	"reflect"
	"testing"
	"time"

	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/ui/internal/fixture"
)

// TestReclaim is one act from the key to the receipt.
func TestReclaim(t *testing.T) {
	r := newRig(80, 24, nil, fixture.Snapshot())
	r.desk.plan = plan()
	after := *fixture.Jobs()[0]
	after.State = model.Ready
	r.desk.receipt = model.Receipt{Outcome: model.Applied, After: &after, At: fixture.Now(), Message: "the job is ready again"}
	r.press("r")
	r.expect(t, "reclaim job 10421", "what will follow", "UPDATE [dbo].[QueueDemo]")
	r.press("enter")
	if len(r.desk.sent) != 0 {
		t.Fatal("enter on the default sent it")
	}
	r.press("tab", "enter")
	if len(r.desk.sent) != 1 {
		t.Fatalf("it was sent %d times", len(r.desk.sent))
	}
	r.expect(t, "✓ APPLIED", "the job is ready again", "working", "→ ready")
	if !reflect.DeepEqual(r.feed.kicks, []string{"orders"}) {
		t.Errorf("after it these were polled: %v", r.feed.kicks)
	}
	r.press("esc")
	r.expectNot(t, "APPLIED")
}

func TestUnknownIsLookedAtAgain(t *testing.T) {
	r := newRig(80, 24, nil, fixture.Snapshot())
	r.desk.plan = plan()
	r.desk.receipt = model.Receipt{Outcome: model.OutcomeUnknown, Message: "the reply was lost"}
	r.press("r", "tab", "enter")
	r.expect(t, "? UNKNOWN", "u look again")
	r.press("u")
	r.expect(t, "✓ APPLIED")
}

func TestRefusedKeySaysWhy(t *testing.T) {
	r := newRig(80, 24, nil, fixture.Snapshot())
	r.desk.verdict = func(a model.Action, _ *model.Job, now time.Time) model.Verdict {
		if !a.OnQueue() && !now.Equal(fixture.Now()) {
			t.Errorf("it is judged at %v", now)
		}
		if a == model.Reclaim {
			return model.No("the lease still runs for 3m48s", "wait, or force")
		}
		return model.Yes()
	}
	r.press("r")
	r.expect(t, "the lease still runs for 3m48s: wait, or force")
	if tok, _ := r.screen().Token(12, 23); tok != "off" {
		t.Errorf("the key is drawn %s", tok)
	}
	r.press("down")
	r.expectNot(t, "the lease still runs")
	r.press("f")
	r.expect(t, "force-reclaim job 10433")
}
