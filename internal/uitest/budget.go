package uitest

import (
	"fmt"
	"testing"
)

// Budget is a figure that was measured, beside what it may be.
type Budget struct {
	What, Unit string
	Got, Most  float64 // Most zero: there is no limit, the figure is for comparison
	Slack      float64 // how far over Most fails the test: 1 when zero, more where the machine has a say
	Beside     string  // what others need for the same, or what else was measured
}

// Check prints the figure beside its limit and fails the test when it is over.
func (b Budget) Check(t testing.TB) {
	t.Helper()
	limit := ""
	if b.Most > 0 {
		limit = fmt.Sprintf("of at most %.0f", b.Most)
	}
	t.Logf("budget: %-52s %8.1f %-8s %-16s %s", b.What, b.Got, b.Unit, limit, b.Beside)
	if b.Most > 0 && b.Got > b.Most*max(b.Slack, 1) {
		t.Errorf("%s: %.1f %s, the limit is %.0f", b.What, b.Got, b.Unit, b.Most)
	}
}
