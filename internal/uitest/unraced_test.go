//go:build !race

package uitest_test

import "time"

// raced says that the race detector watches.
const (
	raced   = false
	stretch = 10 * time.Minute
	coarser = 1
)
