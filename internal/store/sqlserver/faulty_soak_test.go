//go:build soak

package sqlserver

// troubledHours is a day, of virtual time.
const troubledHours = 24
