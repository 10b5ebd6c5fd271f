//go:build soak

package tape

// A day: the suite makes do with two hours.
const (
	busyHours  = 24
	busyLeases = 500
	busyEnds   = 24
)
