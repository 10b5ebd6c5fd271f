package worker

import (
	"encoding/json"
	"math"
	"reflect"
	"testing"
	"time"

	"github.com/leasetop/leasetop/model"
)

func TestLoadIsRepeatable(t *testing.T) {
	a, b := Load{Seed: 4}.Jobs(50), Load{Seed: 4}.Jobs(50)
	if !reflect.DeepEqual(a, b) {
		t.Error("the same seed makes other jobs")
	}
	if reflect.DeepEqual(a, Load{Seed: 5}.Jobs(50)) {
		t.Error("another seed makes the same jobs")
	}
	for _, j := range a {
		var order struct {
			Order, Customer, SKU, Area string
			Qty                        int
		}
		if err := json.Unmarshal([]byte(j.Payload), &order); err != nil || order.Order == "" || order.Qty < 1 || len(j.Payload) > 100 {
			t.Fatalf("payload %s: %+v, %v", j.Payload, order, err)
		}
		if j.Delay != 0 {
			t.Fatal("Jobs are due at once")
		}
	}
}

func TestLoadArrivals(t *testing.T) {
	const ticks = 200_000
	seconds := ticks * tick.Seconds()
	for _, l := range []Load{
		{Rate: 3}, {Rate: 0.1}, {Rate: 400}, {Rate: 2, Burst: 30, Every: 20 * time.Second}, {},
	} {
		r := dice(1, "test")
		total := 0
		for range ticks {
			total += l.arrivals(r)
		}
		want := l.Rate
		if l.Burst > 0 {
			want += float64(l.Burst) / l.Every.Seconds()
		}
		if got := float64(total) / seconds; math.Abs(got-want) > 0.03*want+0.01 {
			t.Errorf("%+v: %.2f jobs a second, want %.2f", l, got, want)
		}
	}
}

// TestChances holds that shares are met, that the same claim goes wrong in the same
// way each time, and that what is wrong with a job stays wrong at every attempt.
func TestChances(t *testing.T) {
	c := Chances{Seed: 3, Poison: 0.1, Killer: 0.05, Kill: 0.1, Stall: 0.1, Flaky: 0.1, LoseReply: 0.1, LoseBeat: 0.1}
	const n = 20_000
	count := map[Fault]int{}
	for i := range n {
		claim := model.Claim{Key: model.KeyOf(model.IntValue(int64(i))), Attempts: model.NumberOf(1)}
		f := c.Of(claim)
		if f != c.Of(claim) {
			t.Fatal("the same claim is judged twice in two ways")
		}
		count[f]++
		claim.Attempts.N = 2
		if again := c.Of(claim); (f == Poison || f == Killer) && again != f {
			t.Fatalf("job %d: fault %d at the first attempt, %d at the second", i, f, again)
		}
	}
	for f, want := range map[Fault]float64{Poison: 0.1, Killer: 0.05, Kill: 0.085, Stall: 0.085, Flaky: 0.085, LoseReply: 0.085, LoseBeat: 0.085} {
		if got := float64(count[f]) / n; math.Abs(got-want) > 0.01 {
			t.Errorf("fault %d: a share of %.3f, want %.3f", f, got, want)
		}
	}
	if (Chances{}).Of(model.Claim{}) != NoFault {
		t.Error("no chances must give no fault")
	}
}

func TestSimulateTakesItsMean(t *testing.T) {
	s := Simulate{Seed: 1, Mean: time.Second, Spread: 0.5}
	var sum, most time.Duration
	const n = 20_000
	for i := range n {
		d := s.takes(model.Claim{Key: model.KeyOf(model.IntValue(int64(i)))})
		sum, most = sum+d, max(most, d)
	}
	if mean := sum / n; mean < 950*time.Millisecond || mean > 1050*time.Millisecond || most > 6*time.Second {
		t.Errorf("%v on average and %v at most, want about a second and up to six", mean, most)
	}
	if (Simulate{}).takes(model.Claim{}) != 0 {
		t.Error("work without a mean takes time")
	}
}

func TestJitter(t *testing.T) {
	low, high := time.Hour, time.Duration(0)
	for range 10_000 {
		d := jitter(time.Second, 20)
		low, high = min(low, d), max(high, d)
	}
	if low < 800*time.Millisecond || low > 810*time.Millisecond || high > 1200*time.Millisecond || high < 1190*time.Millisecond {
		t.Errorf("a second ± 20 %% spreads from %v to %v", low, high)
	}
	if jitter(0, 20) != 0 || jitter(time.Second, 0) != time.Second {
		t.Error("nothing to spread must stay as it is")
	}
	if p := jitterPct(); p < 80 || p > 120 {
		t.Errorf("a jitter of %d %%", p)
	}
}

func TestRamp(t *testing.T) {
	r := ramp{first: 100 * time.Millisecond, most: time.Second}
	for i, want := range []time.Duration{100, 200, 400, 800, 1000, 1000} {
		want *= time.Millisecond
		if d := r.wait(); d < want*8/10 || d > want*12/10 {
			t.Errorf("wait %d is %v, want about %v", i, d, want)
		}
	}
	r.reset()
	if d := r.wait(); d > 120*time.Millisecond {
		t.Errorf("after a reset it waits %v", d)
	}
}
