package ui

import (
	"testing"
	"time"

	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/ui/internal/fixture"
	"github.com/leasetop/leasetop/ui/internal/shot"
)

// rowsOnly judges as the desk does a destructive queue.
func rowsOnly(a model.Action, j *model.Job, _ time.Time) model.Verdict {
	if a == model.DeadLetter && j.State == model.Ready || a == model.Requeue && j.State == model.Failed {
		return model.Yes()
	}
	return model.No("a destructive queue has no leases", "")
}

// TestScreensOfADestructiveQueue are its screens, as a person reads them.
func TestScreensOfADestructiveQueue(t *testing.T) {
	training := func(o *Options) { o.Training, o.First = true, "orders" }
	for name, c := range map[string]struct {
		w, h   int
		change func(*Options)
		board  []*model.Snapshot
		keys   []string
	}{
		"rows-80x24":           {80, 24, nil, []*model.Snapshot{fixture.Rows()}, []string{"down"}},
		"rows-120x40":          {120, 40, nil, []*model.Snapshot{fixture.RowsEmulated()}, []string{"down"}},
		"rows-dead-80x24":      {80, 24, nil, []*model.Snapshot{fixture.RowsDead()}, []string{"3"}},
		"rows-dead-120x40":     {120, 40, nil, []*model.Snapshot{fixture.RowsDead()}, []string{"3", "down"}},
		"rows-job-80x24":       {80, 24, nil, []*model.Snapshot{fixture.Rows()}, []string{"down", "enter"}},
		"rows-reclaim-80x24":   {80, 24, nil, []*model.Snapshot{fixture.Rows()}, []string{"r"}},
		"training-both-80x24":  {80, 24, training, []*model.Snapshot{fixture.RowsEmulated(), fixture.Snapshot()}, nil},
		"training-both-120x40": {120, 40, training, []*model.Snapshot{fixture.RowsEmulated(), fixture.Snapshot()}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(c.w, c.h, c.change, c.board...)
			r.desk.verdict = rowsOnly
			if len(c.board) > 1 {
				r.desk.verdict = nil
			}
			r.details.job = fixture.Rows().Page.Data.Jobs[1]
			r.Update(tick(fixture.Now().Add(14 * time.Second)))
			r.press(c.keys...)
			shot.Golden(t, name, r.screen())
		})
	}
}

// TestRowsAreNotMarked holds that nothing is offered on several rows of a destructive
// queue, which no set can name: not even the mark.
func TestRowsAreNotMarked(t *testing.T) {
	for _, key := range []string{" ", "A", "*"} {
		r := newRig(80, 24, nil, fixture.Rows())
		r.press(key)
		r.expect(t, "acted on one by one", "--oldest N")
		r.press("esc", "d")
		r.expectNot(t, "marked", "2 jobs")
		r.expect(t, "dead-letter")
	}
}

// TestADeadLetterOfIdenticalRows takes one of two identical rows from the key to
// the receipt.
func TestADeadLetterOfIdenticalRows(t *testing.T) {
	r := newRig(120, 40, nil, fixture.Rows())
	p := plan()
	p.Mapping = fixture.RowMapping()
	p.Effects = []string{"1 of 2 identical rows moves to dbo.CustomerOrderToShip_Dead; which one cannot matter."}
	r.desk.plan = p
	r.desk.receipt = model.Receipt{Outcome: model.Applied, At: fixture.Now(), Message: "applied: 1 row is a dead letter; 1 identical row left"}
	r.press("down", "d")
	r.expect(t, "which one cannot matter")
	r.press("tab", "enter")
	r.expect(t, "1 identical row left")
}
