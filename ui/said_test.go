package ui

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/ui/internal/fixture"
	"github.com/leasetop/leasetop/ui/internal/shot"
)

// long is a refusal with its cure, as an engine gives it.
const long = "the login leasetop_reader may not UPDATE dbo.QueueDemo: GRANT UPDATE ON [dbo].[QueueDemo] TO [leasetop_reader], or ask for the role lease_operator"

// TestARefusalIsReadToItsEnd holds that neither a reason nor its cure is cut, that
// nothing above moves for it, and that the next key gives the footer back.
func TestARefusalIsReadToItsEnd(t *testing.T) {
	for _, size := range [][2]int{{200, 60}, {120, 40}, {80, 24}, {60, 20}} {
		r := newRig(size[0], size[1], func(o *Options) { o.Training = true }, fixture.Snapshot())
		r.desk.verdict = func(model.Action, *model.Job, time.Time) model.Verdict { return model.No(long, "") }
		before := strings.Split(r.text(), "\n")
		r.press("r")
		after := strings.Split(r.text(), "\n")
		told := strings.Join(strings.Fields(strings.NewReplacer("─", " ", "TRAINING", " ").Replace(r.text())), " ")
		if !strings.Contains(told, long) {
			t.Errorf("at %v it is cut:\n%s", size, r.text())
		}
		for i := range before[:len(before)-mostTold] {
			if before[i] != after[i] {
				t.Errorf("at %v line %d moved: %q", size, i, after[i])
			}
		}
		if size[0] == 80 {
			shot.Golden(t, "refused-80x24", r.screen())
		}
		r.press("down")
		r.expect(t, "? help")
	}
}

// TestEscapeLeavesAMessageFirst holds that esc takes away what was said, and leaves
// the screen only when nothing is.
func TestEscapeLeavesAMessageFirst(t *testing.T) {
	r := newRig(80, 24, func(o *Options) { o.First = "orders" }, fixture.Snapshot())
	r.desk.verdict = func(model.Action, *model.Job, time.Time) model.Verdict { return model.No("not now", "") }
	r.press("r")
	r.expect(t, "not now")
	r.press("esc")
	r.expectNot(t, "not now")
	r.expect(t, "1 Working")
	r.press("esc")
	r.expect(t, "› queues")
}

// TestAClickOnAMessageTakesItAway holds that a click presses no key of the footer
// that is covered.
func TestAClickOnAMessageTakesItAway(t *testing.T) {
	r := newRig(80, 24, nil, fixture.Snapshot())
	r.desk.verdict = func(model.Action, *model.Job, time.Time) model.Verdict { return model.No(long, "") }
	r.press("r")
	r.Update(tea.MouseClickMsg{X: 12, Y: 23, Button: tea.MouseLeft})
	r.expect(t, "r reclaim")
	r.expectNot(t, "GRANT UPDATE")
}
