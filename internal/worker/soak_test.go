//go:build soak

package worker_test

import (
	"testing"
	"time"
)

// TestClaimersSoak is TestClaimers at its full size.
func TestClaimersSoak(t *testing.T) { claimers(t, 100_000) }

// TestTrainingLastsSoak plays six hours of the training queue.
func TestTrainingLastsSoak(t *testing.T) { trainingLasts(t, 6*time.Hour) }
