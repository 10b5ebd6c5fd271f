package dialog

import (
	"strings"
	"testing"

	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/ui/kit"
)

// TestFootOfTheSmallestDialog holds what a terminal of 30x8 leaves of a dialog's foot:
// one sees what is typed, and a number whose end was cut off is not shown as another.
func TestFootOfTheSmallestDialog(t *testing.T) {
	e := env(30, 5)
	c, _ := NewConfirm(e, 1, kit.Ask{Queue: "orders", Action: model.PutBrake})
	p := plan(model.Confirm{Reason: true})
	p.Brake = &model.Brake{}
	c.Update(e, kit.Planned{ID: 1, Plan: p})
	drive(e, c, p, "'broken")
	if got := strings.Join(c.View(e), "\n"); !strings.Contains(got, "broken") || !strings.Contains(got, "Brake ") {
		t.Errorf("the reason or the button is out of view:\n%s", got)
	}

	var f form
	for room, want := range map[int]string{40: "  Dead-letter 1,234 ", 26: "  Dead-lette… "} {
		if got := f.buttons(e.Styles, "Dead-letter 1,234", 0, room); !strings.HasSuffix(got, want) {
			t.Errorf("buttons in %d cells: %q, want %q", room, got, want)
		}
	}
}
