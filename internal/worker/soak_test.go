//go:build soak

package worker_test

import "testing"

// TestClaimersSoak is TestClaimers at its full size.
func TestClaimersSoak(t *testing.T) { claimers(t, 100_000) }
