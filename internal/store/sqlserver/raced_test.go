//go:build race

package sqlserver

// raced says that the race detector watches.
const raced = true
