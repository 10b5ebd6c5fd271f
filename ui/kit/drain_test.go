package kit_test

import (
	"math"
	"testing"
	"time"

	"github.com/leasetop/leasetop/ui/internal/fixture"
	"github.com/leasetop/leasetop/ui/kit"
)

// TestForecastStandsStill holds that the forecast is what the rates say, and not
// another one at every poll.
func TestForecastStandsStill(t *testing.T) {
	var f kit.Drain
	show := func(sec int, out float64) string {
		s := fixture.Snapshot()
		s.Pulse.At = s.Pulse.At.Add(time.Duration(sec) * time.Second)
		s.Out.PerSec = out
		p := s.Figures()
		f.Take(s, &p, math.NaN())
		return f.Words(true) + "/" + f.Words(false)
	}
	for i, c := range []struct {
		sec  int
		out  float64
		want string
	}{
		{0, 11.2, "growing 0.8/s/growing"}, {2, 99, "growing 0.8/s/growing"}, {5, 24, "1m45s/1m45s"}, {8, 12, "1m45s/1m45s"}, {10, 12, "steady/steady"},
		{1, 24, "1m45s/1m45s"},                              // the clock was set back
		{2, 0, "none out/none out"}, {3, 24, "1m45s/1m45s"}, // what is a fact is said at once
	} {
		if got := show(c.sec, c.out); got != c.want {
			t.Errorf("step %d: %q, not %q", i, got, c.want)
		}
	}
}
