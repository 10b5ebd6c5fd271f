package dialog

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/ui/internal/shot"
	"github.com/leasetop/leasetop/ui/kit"
)

// TestTheStatementThatChangesComesFirst holds that of several steps the one that
// changes the row is read first, and that none is left out.
func TestTheStatementThatChangesComesFirst(t *testing.T) {
	e := env(76, 40)
	p := plan(model.Confirm{})
	p.Statement.Steps = []string{
		"SELECT @now AS now, job.*\nFROM \"Orders\"\nWHERE \"JobId\" = @key", "INSERT INTO \"Orders_History\"\n  SELECT @now",
		"UPDATE \"Orders\"\nSET \"State\" = 'R'\nWHERE \"JobId\" = @key",
	}
	p.Statement.Main, p.Statement.Text = 2, strings.Join(p.Statement.Steps, ";\n\n")
	c, _ := NewConfirm(e, 1, ask(model.Reclaim))
	c.Update(e, kit.Planned{ID: 1, Plan: p})
	shot.Golden(t, "steps", box(c.View(e)))
}

// TestTheRowIsReadOnANarrowScreen holds that neither who holds it nor its token is
// cut, however little room there is.
func TestTheRowIsReadOnANarrowScreen(t *testing.T) {
	for _, w := range []int{30, 40, 60, 76} {
		e := env(w, 60)
		c, _ := NewConfirm(e, 1, ask(model.Reclaim))
		c.Update(e, kit.Planned{ID: 1, Plan: plan(model.Confirm{})})
		var read strings.Builder
		for _, line := range c.View(e) {
			read.WriteString(strings.Trim(ansi.Strip(line), "│ ") + " ")
		}
		got := strings.ReplaceAll(strings.Join(strings.Fields(read.String()), " "), " ", "")
		for _, want := range []string{"workerpick-07", "try3of5", "token9F3CCA95-8B86-4011-B42D-00C04FC964FF", "leaseexpired2m04sago"} {
			if !strings.Contains(got, want) {
				t.Errorf("in %d cells %q is not read:\n%s", w, want, strings.Join(c.View(e), "\n"))
			}
		}
	}
}
