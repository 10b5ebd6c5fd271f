//go:build !soak

package sqlserver

// troubledHours is as much of a day as the suite has time for.
const troubledHours = 2
