package tape

import (
	"testing"
	"time"

	"github.com/leasetop/leasetop/model"
)

// TestRatesOfADestructiveQueue holds how far each source of them is trusted.
func TestRatesOfADestructiveQueue(t *testing.T) {
	m := &model.Mapping{Family: model.Destructive}
	exact := func(n int64) model.Count { return model.Count{N: n, Trust: model.Exact} }
	counter := func(n int64) model.Counter {
		return model.Counter{Count: model.Count{N: n, Trust: model.Estimated}, Epoch: "1"}
	}
	came := func(n int64) model.Flow {
		return model.Flow{Count: model.Count{N: n, Trust: model.AtLeast}, Over: 2 * time.Second}
	}
	for name, c := range map[string]struct {
		before, now model.Pulse
		in, out     model.Rate
	}{
		"counted by the server": {
			model.Pulse{Ready: exact(5), Enqueued: counter(100), Dequeued: counter(90)},
			model.Pulse{Ready: exact(7), Enqueued: counter(110), Dequeued: counter(98)},
			model.Rate{PerSec: 5, Trust: model.Estimated}, model.Rate{PerSec: 4, Trust: model.Estimated},
		},
		"by the times of rows": {
			model.Pulse{Ready: exact(5), Arrived: came(1)}, model.Pulse{Ready: exact(3), Arrived: came(6)},
			model.Rate{PerSec: 3, Trust: model.AtLeast}, model.Rate{PerSec: 4, Trust: model.AtLeast},
		},
		"by the depth alone": {
			model.Pulse{Ready: exact(5)}, model.Pulse{Ready: exact(1)},
			model.Rate{PerSec: 0, Trust: model.AtLeast}, model.Rate{PerSec: 2, Trust: model.AtLeast},
		},
		"nothing known": {model.Pulse{}, model.Pulse{}, model.Rate{}, model.Rate{}},
		"the server restarted": {
			model.Pulse{Ready: exact(5), Enqueued: counter(100), Dequeued: counter(90)},
			model.Pulse{Ready: exact(7), Enqueued: counter(3), Dequeued: counter(1)},
			model.Rate{PerSec: 1, Trust: model.AtLeast}, model.Rate{PerSec: 0, Trust: model.AtLeast},
		},
	} {
		r := rates{window: 10 * time.Second}
		r.observe(&c.before, m, 0)
		in, out := r.observe(&c.now, m, 2*time.Second)
		if in != c.in || out != c.out {
			t.Errorf("%s: in %+v, out %+v, want %+v, %+v", name, in, out, c.in, c.out)
		}
	}
}
