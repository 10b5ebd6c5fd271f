package queue

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/ui/internal/fixture"
	"github.com/leasetop/leasetop/ui/kit"
)

// TestAClickIsOnWhatIsThere clicks on the row and on the tab where they stand on the
// screen, whatever stands above them: at each size, beside another queue and alone,
// behind a filter and without.
func TestAClickIsOnWhatIsThere(t *testing.T) {
	other := fixture.Snapshot()
	other.Queue = "audit"
	for _, size := range [][2]int{{40, 9}, {80, 21}, {100, 27}, {120, 37}, {200, 57}} {
		for _, beside := range []bool{false, true} {
			for _, filter := range []bool{false, true} {
				u := sit(t, size[0], size[1], fixture.Snapshot())
				u.e.Beside, u.e.Board = beside, fixture.Board(fixture.Snapshot(), other)
				if filter {
					u.keys("/")
					u.types("1")
					u.keys("enter")
				}
				line := func(part string) (x, y int) {
					for y, l := range u.View(u.e) {
						if before, _, ok := strings.Cut(ansi.Strip(l), part); ok {
							return ansi.StringWidth(before), y
						}
					}
					t.Fatalf("%v: %q is nowhere:\n%s", size, part, strings.Join(u.View(u.e), "\n"))
					return 0, 0
				}
				x, y := line("10439 ")
				u.Update(u.e, kit.Click{X: x, Y: y})
				if j := u.list().job(); j == nil || j.Key != fixture.Key(10439) {
					t.Errorf("%v, beside another queue: %v, filter %v: a click on 10439 chooses %v", size, beside, filter, j)
				}
				x, y = line("│") // the first between two tabs
				if size[0] >= 80 {
					x, y = line("2 Ready")
				}
				u.Update(u.e, kit.Click{X: x + 2, Y: y})
				if got := u.Subject().View; got != model.ViewReady {
					t.Errorf("%v, beside another queue: %v, filter %v: a click on the second tab opens %v", size, beside, filter, got)
				}
			}
		}
	}
}
