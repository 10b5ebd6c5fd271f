package actions

import (
	"testing"
	"time"

	"github.com/leasetop/leasetop/model"
)

// TestToll holds what is counted of the jobs of a list, by what an act does to each.
func TestToll(t *testing.T) {
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	lease := func(d time.Duration) model.Instant { return model.Instant{At: at.Add(d), Raw: model.TimeValue("t")} }
	jobs := []*model.Job{
		{State: model.Working, Lease: lease(time.Minute), Operation: "1B4E"},
		{State: model.Working, Lease: lease(-time.Minute), Operation: "1B4F"},
		{State: model.Working, Lease: lease(-time.Minute)},
		{State: model.Failed},
	}
	for action, want := range map[model.Action]map[string]int{
		model.Force:      {"worker-refused": 3, "lease-taken": 1, "runs-again": 2, "runs-again-unknown": 2},
		model.DeadLetter: {"worker-refused": 3, "lease-taken": 1},
		model.Extend:     {},
	} {
		var toll Toll
		for _, j := range jobs {
			toll.Add(Ask{Action: action, Row: j, At: at})
		}
		got := map[string]int{}
		for _, e := range toll.Effects() {
			got[e.Kind] = e.N
			if e.Text == "" {
				t.Errorf("%s says nothing", e.Kind)
			}
		}
		if len(got) != len(want) {
			t.Errorf("%s: %v, want %v", action, got, want)
		}
		for k, n := range want {
			if got[k] != n {
				t.Errorf("%s: %s is %d, want %d", action, k, got[k], n)
			}
		}
	}
}
