package diagnose_test

import (
	"testing"
	"time"

	"github.com/leasetop/leasetop/internal/diagnose"
	"github.com/leasetop/leasetop/model"
)

func TestReadings(t *testing.T) {
	at := time.Date(2026, 5, 4, 3, 2, 1, 0, time.UTC)
	both := model.Limit{Warn: model.NumberOf(10), Bad: model.NumberOf(100)}
	ms := model.Limit{Warn: model.NumberOf(60_000), Bad: model.NumberOf(600_000)}
	cases := []struct {
		name    string
		pulse   model.Pulse
		measure model.Measure
		limit   model.Limit
		want    model.Severity
		decided bool
		text    string
	}{
		{"under", model.Pulse{Ready: count(10, model.Exact)}, model.MeasureReady, both, model.Normal, true, "ready 10"},
		{"over the warning", model.Pulse{Ready: count(11, model.Exact)}, model.MeasureReady, both, model.Warn, true, "ready 11, over 10"},
		{"over both", model.Pulse{Ready: count(101, model.Exact)}, model.MeasureReady, both, model.Bad, true, "ready 101, over 100"},
		{"an estimate decides", model.Pulse{Ready: count(101, model.Estimated)}, model.MeasureReady, both, model.Bad, true, "ready ~101, over 100"},
		{"at least, over", model.Pulse{Ready: count(101, model.AtLeast)}, model.MeasureReady, both, model.Bad, true, "ready ≥ 101, over 100"},
		{"at least, between", model.Pulse{Ready: count(11, model.AtLeast)}, model.MeasureReady, both, model.Warn, false, "ready ≥ 11, over 10; whether over 100 is not known"},
		{"at least, under", model.Pulse{Ready: count(1, model.AtLeast)}, model.MeasureReady, both, model.Normal, false, "ready ≥ 1; whether over 100 is not known"},
		{"only a warning, at least", model.Pulse{Ready: count(1, model.AtLeast)}, model.MeasureReady, model.Limit{Warn: model.NumberOf(5)}, model.Normal, false, "ready ≥ 1; whether over 5 is not known"},
		{"only a warning, passed", model.Pulse{Ready: count(6, model.AtLeast)}, model.MeasureReady, model.Limit{Warn: model.NumberOf(5)}, model.Warn, true, "ready ≥ 6, over 5"},
		{"unknown", model.Pulse{}, model.MeasureFailed, both, model.Normal, false, "failed is not known"},
		{"zero is a limit", model.Pulse{Failed: count(1, model.Exact)}, model.MeasureFailed, model.Limit{Bad: model.NumberOf(0)}, model.Bad, true, "failed 1, over 0"},
		{"nothing waits", model.Pulse{Ready: count(0, model.Exact)}, model.MeasureOldest, ms, model.Normal, true, "oldest ready 0s"},
		{"it is not known who waits", model.Pulse{Ready: count(3, model.Exact)}, model.MeasureOldest, ms, model.Normal, false, "oldest ready is not known"},
		{"too old", waiting(11*time.Minute, model.Exact), model.MeasureOldest, ms, model.Bad, true, "oldest ready 11m, over 10m"},
		{"first seen just now", waiting(0, model.AtLeast), model.MeasureOldest, ms, model.Normal, false, "oldest ready ≥ 0s; whether over 10m is not known"},
		{"first seen long ago", waiting(11*time.Minute, model.AtLeast), model.MeasureOldest, ms, model.Bad, true, "oldest ready ≥ 11m, over 10m"},
		{"overdue", model.Pulse{Expired: count(1, model.Exact), WorstOverdue: model.Age{D: 2 * time.Minute, Trust: model.Exact}}, model.MeasureOverdue, ms, model.Warn, true, "worst lease overdue 2m00s, over 1m"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s := &model.Snapshot{Pulse: model.Part[model.Pulse]{Data: c.pulse, At: at}}
			limits := model.Limits{c.measure: c.limit}
			got := diagnose.Readings(s, limits)
			if len(got) != 1 || got[0].Severity != c.want || got[0].Decided != c.decided || got[0].Text != c.text {
				t.Errorf("got %+v, want %v, decided %v, %q", got, c.want, c.decided, c.text)
			}
			if n := len(diagnose.OverLimits(s, limits)); n > 0 != (c.want != model.Normal) {
				t.Errorf("%d findings", n)
			}
			s.Pulse.Err = &model.Fault{Class: model.FaultNetwork}
			if got := diagnose.Readings(s, limits); got[0].Decided {
				t.Errorf("figures of a poll that failed decide: %+v", got)
			}
		})
	}
}

func count(n int64, trust model.Trust) model.Count { return model.Count{N: n, Trust: trust} }

func waiting(d time.Duration, trust model.Trust) model.Pulse {
	return model.Pulse{Ready: count(1, model.Exact), Oldest: &model.Oldest{Waiting: model.Age{D: d, Trust: trust}}}
}
