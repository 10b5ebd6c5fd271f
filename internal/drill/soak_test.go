//go:build soak

package drill_test

import "testing"

// TestKilledProcessesSoak is TestKilledProcesses at its full size.
func TestKilledProcessesSoak(t *testing.T) { killProcesses(t, 20) }
