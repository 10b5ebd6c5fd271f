package diagnose

import (
	"fmt"
	"time"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
)

// longBrake is how long a brake may be on before it looks forgotten.
const longBrake = 30 * time.Minute

// braked says that the claims are stopped, and since when: nobody is to look for
// another reason.
func braked(f facts) (model.Finding, bool) {
	b := f.s.Pulse.Data.Brake
	if b == nil || !b.On {
		return model.Finding{}, false
	}
	x := model.Finding{Kind: KindBraked, Severity: model.Warn, Cure: "release the brake when the incident is over"}
	since := "is on"
	if !b.At.At.IsZero() {
		on := f.now.Sub(b.At.At)
		since = "has been on for " + text.Short(on)
		if on >= longBrake {
			x.Severity, x.Cure = model.Bad, "ask whoever put it, or release it: it may have been forgotten"
		}
	}
	x.Text = fmt.Sprintf("the brake %s: no claim begins (%s)", since, text.Clean(b.Words()))
	return x, true
}
