//go:build soak

package drill_test

import (
	"testing"

	"github.com/leasetop/leasetop/internal/drill"
)

// TestKilledProcessesSoak is TestKilledProcesses at its full size.
func TestKilledProcessesSoak(t *testing.T) { killProcesses(t, 20) }

// TestDrillSoak is the drill at the design's size.
func TestDrillSoak(t *testing.T) {
	out, err := drill.Run(t.Context(), lab(t), drill.Options{Claimers: 64, Jobs: 100_000, Seed: 7})
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range out.Verdicts {
		t.Logf("%-26s %6.4g  %s", v.Name, v.Figure, v.Text)
		if !v.OK {
			t.Errorf("%s: %g of %g", v.Name, v.Figure, v.Limit)
		}
	}
	t.Logf("took %v", out.Took)
}
