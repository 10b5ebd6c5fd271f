package ui

import (
	"strings"
	"testing"

	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/ui/internal/fixture"
)

// TestABrakeIsOnEveryScreen holds that the frame of a braked queue says so, on its
// list and on a job's page.
func TestABrakeIsOnEveryScreen(t *testing.T) {
	s := fixture.Snapshot()
	s.Pulse.Data.Brake = &model.Brake{On: true, Actor: "ops@jump", Reason: "bad deploy"}
	r := newRig(80, 24, nil, s)
	for _, screen := range []string{"", "enter"} {
		if screen != "" {
			r.press(screen)
		}
		if text := r.text(); !strings.Contains(text, "BRAKED") {
			t.Errorf("after %q:\n%s", screen, text)
		}
	}
}
