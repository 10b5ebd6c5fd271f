package ui

import (
	"context"
	"testing"

	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/ui/internal/fixture"
	"github.com/leasetop/leasetop/ui/kit"
)

type mischief struct{}

func (mischief) Tricks(string) []kit.Trick { return []kit.Trick{{Name: "kill", Does: "kill a worker"}} }

func (mischief) Do(context.Context, string, string, model.Key) (string, error) { return "", nil }

// TestMenuOfFaults holds whose faults the menu offers, and that it says why there is
// none of the past.
func TestMenuOfFaults(t *testing.T) {
	a, b := fixture.Snapshot(), fixture.Snapshot()
	a.Queue, b.Queue = "alpha", "beta"
	r := newRig(120, 30, func(o *Options) {
		o.Mischief, o.Past = mischief{}, &past{to: fixture.Now()}
	}, a, b)
	r.press("end", "F")
	r.expect(t, "what if", "beta · any worker")
	r.press("esc", "home", "F")
	r.expect(t, "alpha · any worker")
	r.press("esc", "[", "F")
	r.expectNot(t, "what if")
	r.expect(t, offPast)
}
