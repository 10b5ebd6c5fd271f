//go:build soak

package drill_test

// How many rows the dequeuers of the soak share, one or many a statement.
const (
	dequeuedOne  = 100_000
	dequeuedMany = 100_000
)
