//go:build !soak

package drill_test

// How many rows the dequeuers of the suite share, one or many a statement; the soak
// has the full size.
const (
	dequeuedOne  = 400
	dequeuedMany = 4000
)
