package sqlserver

import (
	"maps"
	"testing"
	"testing/synctest"
	"time"

	"github.com/leasetop/leasetop/internal/tape"
	"github.com/leasetop/leasetop/internal/tdstest"
	"github.com/leasetop/leasetop/model"
)

// TestArrivalsByTheClusteredIndex holds what arrives to the counter that the login
// may see: marked as an estimate, and broken, never a spike, where the counter
// began anew, the server restarted, or the right went and another counter speaks.
func TestArrivalsByTheClusteredIndex(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		values, counter := map[string]any{}, map[string]any{}
		w := probed(t, facts{state: true}, func(tdstest.Request) tdstest.Reply {
			maps.Copy(values, counter)
			return one(values)
		})
		seen, at := tape.New(tape.Options{}), serverNow
		rate := func(inserted any, epoch string) model.Rate {
			counter["enqueued"], counter["epoch"] = inserted, epoch
			p, _, err := w.q.Pulse(t.Context(), model.PulseAsk{Since: at})
			if err != nil {
				t.Fatal(err)
			}
			at = at.Add(2 * time.Second)
			s := &model.Snapshot{Queue: "orders", Mapping: w.q.Mapping(), Watch: model.Watch{Health: model.Live}}
			s.Pulse = model.Part[model.Pulse]{Data: p, At: at, Got: at}
			seen.Observe(s)
			return s.In
		}
		rate(1000, "42/a/inserted")
		if r := rate(1024, "42/a/inserted"); r.PerSec != 12 || r.Trust != model.Estimated {
			t.Errorf("24 rows in 2 s are %+v", r)
		}
		for _, step := range []struct {
			what, epoch string
			inserted    any
		}{
			{"the counter began anew", "42/a/inserted", 3},
			{"the server restarted", "42/b/inserted", 90_000},
			{"the right went", "42/b", 7_000_000},
			{"the table was made anew", "43/b", 9_000_000},
			{"nobody knows", "43/b", nil},
		} {
			if r := rate(step.inserted, step.epoch); r.Known() {
				t.Errorf("%s: a rate of %+v", step.what, r)
			}
		}
	})
}
