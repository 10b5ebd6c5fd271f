package cli

import (
	"maps"
	"math"
	"slices"
	"time"

	"github.com/spf13/cobra"
)

const (
	// maxWorkers is how many jobs one process works on at once, at the most: each has a
	// goroutine, a heartbeat and, while it is on the wire, a connection.
	maxWorkers = 10_000
	// minPace is the slowest act on a list, in jobs a second: one in a quarter of an hour.
	// Below that a pause overflows what a time can hold, and there would be none.
	minPace = 0.001
	// minLease is the shortest lease: a claim must reach the server, and a heartbeat after it.
	minLease = time.Second
	// maxSpan bounds a duration that the engine adds to its clock in milliseconds.
	maxSpan = 366 * 24 * time.Hour
)

// paced refuses a pace that is no number of jobs a second.
func paced(pace float64) error {
	if math.IsNaN(pace) || math.IsInf(pace, 0) || pace < minPace {
		return usage("--pace cannot be %v: it is a number of jobs a second, at least %v", pace, minPace)
	}
	return nil
}

// spans refuses durations that were given and lie out of bounds. A flag that was not
// given keeps its default.
func spans(cmd *cobra.Command, least map[string]time.Duration) error {
	for _, flag := range slices.Sorted(maps.Keys(least)) {
		d, err := cmd.Flags().GetDuration(flag)
		if err != nil {
			return err
		}
		if cmd.Flags().Changed(flag) && (d < least[flag] || d > maxSpan) {
			return usage("--%s cannot be %s: it is from %s to 366 days", flag, d, least[flag])
		}
	}
	return nil
}
