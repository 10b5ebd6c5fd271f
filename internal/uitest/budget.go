package uitest

import "testing"

// Budget is a figure that was measured, beside what it may be.
type Budget struct {
	What, Unit string
	Got, Most  float64
	Slack      float64 // how far over Most fails the test: 1 when zero, more where the machine has a say
	Beside     string  // what others need for the same, or what else was measured
}

// Check prints the figure beside its limit and fails the test when it is over.
func (b Budget) Check(t testing.TB) {
	t.Helper()
	t.Logf("budget: %-58s %9.1f %-8s of %6.0f  %s", b.What, b.Got, b.Unit, b.Most, b.Beside)
	if b.Got > b.Most*max(b.Slack, 1) {
		t.Errorf("%s: %.1f %s, the limit is %.0f", b.What, b.Got, b.Unit, b.Most)
	}
}
