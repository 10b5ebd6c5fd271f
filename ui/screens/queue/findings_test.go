package queue

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"github.com/leasetop/leasetop/model"
)

// TestTheWorstFindingIsReadToItsEnd holds that on a narrow screen both what is wrong
// and what to do about it are read, and that it is said how many others there are.
func TestTheWorstFindingIsReadToItsEnd(t *testing.T) {
	worst := model.Finding{
		Severity: model.Bad, Text: "nobody returns expired rows: the worst is 14m overdue, and three of them lie at their bound",
		Cure: "leasetop recover orders takes them back",
	}
	short := model.Finding{Severity: model.Warn, Text: "short", Cure: "nothing"}
	for _, c := range []struct {
		findings      []model.Finding
		width, height int
		want          []string
	}{
		{[]model.Finding{worst}, 80, 2, []string{
			" ! nobody returns expired rows: the worst is 14m overdue, and three of them lie",
			"   at their bound: leasetop recover orders takes them back",
		}},
		{[]model.Finding{worst, short, short}, 80, 2, []string{
			" ! nobody returns expired rows: the worst is 14m overdue, and three of them lie",
			"   at their bound: leasetop recover orders takes them back              +2 more",
		}},
		{[]model.Finding{worst, short, short}, 80, 3, []string{
			" ! nobody returns expired rows: the worst is 14m overdue, and three of them lie",
			"   at their bound: leasetop recover orders takes them back", " ! short: nothing" + strings.Repeat(" ", 55) + "+1 more",
		}},
		{[]model.Finding{short, worst}, 80, 2, []string{" ! short: nothing", " ! nobody returns expired rows: the worst is 14m overdue, and three of them li…"}},
		{[]model.Finding{short}, 80, 2, []string{" ! short: nothing", ""}},
	} {
		n := notices{health: model.Live, findings: c.findings}
		got := strings.Split(ansi.Strip(strings.Join(n.view(env(c.width, 21), c.height), "\n")), "\n")
		for i := range got {
			if got[i] = strings.TrimRight(got[i], " "); i >= len(c.want) || got[i] != c.want[i] {
				t.Errorf("%d findings in %d lines: line %d is\n%q", len(c.findings), c.height, i, got[i])
			}
		}
	}
}
