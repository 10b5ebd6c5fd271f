//go:build !linux && !darwin

package scratch

// machine names what the ids of processes are counted by. Empty: it is not known.
func machine() string { return "" }
