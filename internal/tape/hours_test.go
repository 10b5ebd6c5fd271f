//go:build !soak && !race

package tape

// Two hours, since one is remembered.
const (
	busyHours  = 2
	busyLeases = 500
	busyEnds   = 24
)
