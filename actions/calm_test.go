package actions

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/leasetop/leasetop/model"
)

// TestCalm waits one full lease after an outage, a restart and a step of the clock,
// and not after what takes nothing from anybody.
func TestCalm(t *testing.T) {
	const lease = time.Minute
	for name, tc := range map[string]struct {
		gap, step time.Duration
		epoch     string
		says      string
	}{
		"the next look":            {gap: 2 * time.Second},
		"a short outage":           {gap: 30 * time.Second},
		"an outage":                {gap: 40 * time.Second, says: "could not be reached"},
		"a restart":                {gap: 2 * time.Second, epoch: "other", says: "restarted"},
		"the clock steps":          {gap: 2 * time.Second, step: 5 * time.Second, says: "stepped by 5s"},
		"the clock steps back":     {gap: 2 * time.Second, step: -5 * time.Second, says: "stepped by -5s"},
		"the clock drifts a bit":   {gap: 2 * time.Second, step: 500 * time.Millisecond},
		"nothing but a slow reply": {gap: 9 * time.Second},
	} {
		synctest.Test(t, func(t *testing.T) {
			c := NewCalm()
			look := func(step time.Duration, epoch string) {
				s := &model.Snapshot{Queue: "orders", Mapping: &model.Mapping{Lease: lease}, Watch: model.Watch{Every: 2 * time.Second}}
				s.Pulse.At, s.Pulse.Got = time.Now().Add(step), time.Now()
				s.Pulse.Data.Enqueued.Epoch = epoch
				c.Observe(s)
			}
			look(0, "e")
			time.Sleep(tc.gap)
			epoch := tc.epoch
			if epoch == "" {
				epoch = "e"
			}
			look(tc.step, epoch)
			why, wait, err := c.Look(t.Context(), "orders")
			if err != nil || (why == "") != (tc.says == "") || !strings.Contains(why, tc.says) || why != "" && wait != lease {
				t.Errorf("%s: %q, %s, %v", name, why, wait, err)
			}
			time.Sleep(lease)
			if why, _, _ := c.Look(t.Context(), "orders"); why != "" {
				t.Errorf("%s: a lease later still %q", name, why)
			}
		})
	}
	if why, wait, err := NewCalm().Look(t.Context(), "orders"); why != "" || wait != 0 || err != nil {
		t.Error("a queue that nobody watched is not calm")
	}
}

// TestMass counts what ran out within one lease, against all.
func TestMass(t *testing.T) {
	list := func(fresh, old, live int) (out []*model.Job) {
		for i, left := range []time.Duration{-10 * time.Second, -10 * time.Minute, time.Minute} {
			for range []int{fresh, old, live}[i] {
				out = append(out, row(model.Working, held, noon.Add(left)))
			}
		}
		return out
	}
	for _, tc := range []struct {
		jobs []*model.Job
		all  int64
		want time.Duration
	}{
		{list(12, 0, 3), 0, 50 * time.Second},
		{list(9, 0, 0), 0, 0},
		{list(12, 0, 12), 0, 0},
		{list(12, 0, 11), 0, 50 * time.Second},
		{list(0, 40, 0), 0, 0}, // long ago: their workers had their time
		{list(12, 0, 0), 500, 0},
	} {
		if why, wait := Mass(tc.jobs, tc.all, noon, time.Minute); wait != tc.want || (why == "") != (tc.want == 0) {
			t.Errorf("%d jobs of %d: %q, %s, want %s", len(tc.jobs), tc.all, why, wait, tc.want)
		}
	}
}
