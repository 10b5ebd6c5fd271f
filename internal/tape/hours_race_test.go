//go:build race && !soak

package tape

// A smaller queue for less long. The race detector costs twenty times and counts its
// own memory too: with it the same steps are taken, and what they cost is measured
// without it.
const (
	busyHours  = 1.25
	busyLeases = 100
	busyEnds   = 4
)
