package sqlite_test

import (
	"strings"
	"testing"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqlite"
)

// TestTheStepThatChanges holds that of an act's steps the one that changes the row
// or the brake is known: it is shown first.
func TestTheStepThatChanges(t *testing.T) {
	want := map[string]string{
		"reclaim": `UPDATE "Orders"`, "extend": `UPDATE "Orders"`, "dead-letter": `UPDATE "Orders"`,
		"requeue": `UPDATE "Orders"`, "brake": `UPDATE "Orders_Control"`,
	}
	m := mapping(t, "lease", "Orders")
	sendable, _ := store.Assumed(&sqlite.Dialect{}, &m)
	for _, s := range sendable {
		begin, ok := want[s.Op]
		if !ok {
			continue
		}
		delete(want, s.Op)
		if len(s.Steps) < 2 || !strings.HasPrefix(s.Steps[s.Main], begin+"\n") {
			t.Errorf("%s: %d steps, the main one is %d:\n%s", s.Op, len(s.Steps), s.Main, s.Text)
		}
		if got := strings.Join(s.Steps, ";\n\n"); got != s.Text {
			t.Errorf("%s: its steps are not its text", s.Op)
		}
	}
	if len(want) > 0 {
		t.Errorf("not among the statements: %v", want)
	}
}
