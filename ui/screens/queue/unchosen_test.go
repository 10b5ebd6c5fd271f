package queue

import (
	"strings"
	"testing"

	"github.com/leasetop/leasetop/ui/internal/fixture"
	"github.com/leasetop/leasetop/ui/kit"
)

// TestARowThatNobodyChose holds that the row on which a list opens can leave it
// without a word, that no other is chosen in its place, and that one with which
// something was done is missed.
func TestARowThatNobodyChose(t *testing.T) {
	for _, used := range []string{"", "r", "w", "enter", "down"} {
		u := sit(t, 120, 37, fixture.Snapshot())
		if used != "" {
			u.keys(used)
		}
		fewer := fixture.Snapshot()
		fewer.Page.Data.Jobs = fewer.Page.Data.Jobs[2:]
		u.polled(fewer)
		missed := strings.Contains(strings.Join(u.View(u.e), "\n"), "left this list")
		if missed != (used != "") {
			t.Errorf("after %q it is missed: %v", used, missed)
		}
		if say, ok := u.keys("r").(kit.Say); !ok || strings.Contains(say.Text, "left this list") != missed {
			t.Errorf("after %q r says %v", used, say)
		}
	}
}

// TestAListThatIsNotInTheFrozenPicture holds that a list that was opened after the
// picture froze promises no rows: nothing is read for it.
func TestAListThatIsNotInTheFrozenPicture(t *testing.T) {
	u := sit(t, 120, 37, fixture.Snapshot())
	u.keys("2")
	u.expect("reading …")
	u.e.Frozen = true
	u.expect("this list is not in the frozen picture: p goes on")
	u.keys("1")
	u.expect("10421")
}
