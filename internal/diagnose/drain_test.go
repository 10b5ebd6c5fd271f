package diagnose

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/leasetop/leasetop/model"
)

func TestDrain(t *testing.T) {
	rate := func(f float64) model.Rate { return model.Rate{PerSec: f, Trust: model.Exact} }
	guess := model.Rate{PerSec: 5, Trust: model.Estimated}
	capped, least := model.Count{N: 10_000, Trust: model.Capped}, model.Count{N: 111, Trust: model.AtLeast}
	for _, c := range []struct {
		ready   model.Count
		in, out model.Rate
		went    float64
		want    string
	}{
		{exact(111), rate(11), rate(12), 9, "1m45s/1m45s"},
		{exact(1284), rate(12), rate(11.2), 9, "growing 0.8/s/growing"},
		{exact(5), rate(100), rate(101), 9, "steady/steady"},
		{exact(1 << 60), rate(0), rate(0.06), 9, "31y/31y"},
		{capped, rate(0), rate(100), 9, "≥ 1m30s/≥ 1m30s"},
		{least, rate(11), rate(12), 9, "≥ 1m45s/≥ 1m45s"},
		{model.Count{N: 111, Trust: model.Estimated}, rate(11), rate(12), 9, "~1m45s/~1m45s"},
		{exact(100), guess, rate(9), 2, "~50s/~50s"},
		{exact(100), rate(1), guess, -0.8, "growing ~0.8/s/growing"},
		{exact(100), model.Rate{}, model.Rate{}, 0.01, "steady/steady"},
		{exact(21), model.Rate{PerSec: 3, Trust: model.Estimated}, rate(1.9), 0.1, "–/–"}, // it went down, and grows by now
		{exact(21), guess, rate(4.9), 0.1, "~3m30s/~3m30s"},
		{exact(100), guess, rate(9), math.NaN(), "~25s/~25s"},
		{exact(100), rate(9), guess, math.NaN(), "growing ~4.0/s/growing"},
		{capped, guess, rate(105), 2, "≥ 1m30s/≥ 1m30s"},
		{exact(100), guess, model.Rate{}, math.NaN(), "–/–"},
		{exact(100), guess, model.Rate{PerSec: 9, Trust: model.AtLeast}, math.NaN(), "–/–"},
	} {
		s := model.Snapshot{In: c.in, Out: c.out}
		f := Drain(&s, &model.Pulse{Ready: c.ready}, c.went)
		if got := f.String() + "/" + f.Word(); got != c.want {
			t.Errorf("%d ready, in %v, out %v, %v a second: %q, not %q", c.ready.N, c.in, c.out, c.went, got, c.want)
		}
	}
}

// TestDrainAgreesWithItsNeighbours holds over all combinations that no forecast is
// made where a figure beside it says that there is none to be made.
func TestDrainAgreesWithItsNeighbours(t *testing.T) {
	rates := []model.Rate{
		{}, {Trust: model.Exact}, {PerSec: 3, Trust: model.Exact}, {PerSec: 9, Trust: model.Exact},
		{Trust: model.Estimated}, {PerSec: 3, Trust: model.Estimated}, {Trust: model.AtLeast}, {PerSec: 3, Trust: model.AtLeast},
	}
	readies := []model.Count{
		{}, exact(0), exact(7), {N: 10_000, Trust: model.Capped}, {N: 0, Trust: model.AtLeast}, {N: 7, Trust: model.AtLeast}, {N: 0, Trust: model.Estimated}, {N: 7, Trust: model.Estimated},
	}
	for _, ready := range readies {
		for _, brake := range []*model.Brake{nil, {}, {On: true}} {
			for _, stalled := range []bool{false, true} {
				for _, in := range rates {
					for _, out := range rates {
						for _, went := range []float64{math.NaN(), -2, 0, 2} {
							s := model.Snapshot{In: in, Out: out}
							if stalled {
								s.Findings = []model.Finding{{Kind: KindExpired}, {Kind: KindStalled}}
							}
							got := Drain(&s, &model.Pulse{Ready: ready, Brake: brake}, went).String()
							if ok, want := agrees(got, ready, brake, stalled, in, out, went); !ok {
								t.Errorf("ready %v, brake %v, stalled %v, in %v, out %v, went %v: %q, not %s", ready, brake, stalled, in, out, went, got, want)
							}
						}
					}
				}
			}
		}
	}
}

// agrees judges a forecast by what the screen shows beside it.
func agrees(got string, ready model.Count, brake *model.Brake, stalled bool, in, out model.Rate, went float64) (ok bool, want string) {
	braked := brake != nil && brake.On
	known := func(r model.Rate) bool { return r.Trust == model.Exact || r.Trust == model.Estimated }
	exactly := in.Trust == model.Exact && out.Trust == model.Exact
	switch {
	case !ready.Known():
		want = "–"
	case ready.N == 0 && ready.Trust != model.AtLeast:
		want = "empty"
	case braked:
		want = "braked"
	case ready.N == 0:
		want = "–"
	case stalled:
		want = "no claims"
	case known(out) && out.PerSec == 0:
		want = "none out"
	case !exactly && ready.Trust == model.Exact && went >= 0 && known(in) && known(out) && in.PerSec > out.PerSec:
		want = "–"
	case !exactly && ready.Trust == model.Exact && !math.IsNaN(went):
		return strings.Contains(got, "~") == (went != 0) && strings.HasPrefix(got, "growing ") == (went < 0), "a forecast from counts"
	case !known(in) || !known(out):
		want = "–"
	default:
		sure := exactly && ready.Trust == model.Exact || exactly && in.PerSec >= out.PerSec || in.PerSec == out.PerSec
		return strings.HasPrefix(got, "growing ") == (in.PerSec > out.PerSec) && (got == "steady") == (in.PerSec == out.PerSec) &&
			sure == !strings.ContainsAny(got, "~≥"), "a forecast from in and out"
	}
	return got == want, fmt.Sprintf("%q", want)
}
