package diagnose

import (
	"strings"
	"testing"
	"time"

	"github.com/leasetop/leasetop/model"
)

// rowSnapshot is one look at a destructive queue.
func rowSnapshot(order model.Order, at time.Time, head, tail time.Duration, headKey int64) *model.Snapshot {
	m := &model.Mapping{Family: model.Destructive, Queue: "shipping", Lane: model.Lane{Order: order, Clock: model.ClockUTC}}
	end := func(id int64, age time.Duration) *model.Oldest {
		return &model.Oldest{Key: model.KeyOf(model.IntValue(id)), Waiting: model.Age{D: age, Trust: model.Exact}}
	}
	s := &model.Snapshot{Queue: "shipping", Mapping: m, Out: model.Rate{PerSec: 2, Trust: model.AtLeast}}
	s.Pulse = model.Part[model.Pulse]{At: at, Got: at, Data: model.Pulse{
		Ready: model.Count{N: 9, Trust: model.Exact}, Head: end(headKey, head), Tail: end(99, tail),
	}}
	return s
}

func kindsOf(s *model.Snapshot) string {
	var out []string
	for _, f := range s.Findings {
		out = append(out, f.Kind)
	}
	return strings.Join(out, " ")
}

// TestSignsOfADestructiveQueue lets each rule begin and end.
func TestSignsOfADestructiveQueue(t *testing.T) {
	start := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		order model.Order
		step  func(i int) (head, tail time.Duration, headKey int64)
		want  string
	}{
		"last in first out starves": {model.LIFO, func(i int) (time.Duration, time.Duration, int64) {
			return 0, 10*time.Minute + time.Duration(i)*time.Second, int64(i)
		}, KindStarving},
		"the oldest is still young": {model.LIFO, func(i int) (time.Duration, time.Duration, int64) { return 0, time.Duration(i) * time.Second, int64(i) }, ""},
		"first in first out moves":  {model.FIFO, func(i int) (time.Duration, time.Duration, int64) { return 10 * time.Minute, 0, int64(i) }, ""},
		"the head does not move":    {model.FIFO, func(i int) (time.Duration, time.Duration, int64) { return 10 * time.Minute, 0, 7 }, KindStuckHead},
		"a time in the future":      {model.FIFO, func(i int) (time.Duration, time.Duration, int64) { return time.Minute, -3 * time.Hour, int64(i) }, KindFutureRow},
		"a clock less than a second": {model.FIFO, func(i int) (time.Duration, time.Duration, int64) {
			return time.Minute, -400 * time.Millisecond, int64(i)
		}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := New()
			var last *model.Snapshot
			for i := range 90 {
				head, tail, key := c.step(i)
				last = rowSnapshot(c.order, start.Add(time.Duration(i)*time.Second), head, tail, key)
				w.Observe(last)
			}
			if got := kindsOf(last); got != c.want {
				t.Errorf("found %q, want %q", got, c.want)
			}
		})
	}
}

// TestWhatAProbeSaysOfADestructiveQueue names a heap, a trigger and dead letters
// that are missing, each once.
func TestWhatAProbeSaysOfADestructiveQueue(t *testing.T) {
	s := rowSnapshot(model.FIFO, time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC), 0, 0, 1)
	missing := model.No("there is no table of dead letters dbo.Q_Dead", "make it")
	s.Caps = model.Caps{ProbedAt: s.Pulse.At, Triggers: model.Triggers{After: true}, Can: map[model.Feature]model.Verdict{
		model.CanOrder: model.No("no index of dbo.Q leads on QDateTime", "CREATE CLUSTERED INDEX"),
		model.CanBury:  missing, model.CanControl: missing, model.CanCount: model.Yes(),
	}}
	New().Observe(s)
	if got, want := kindsOf(s), strings.Join([]string{KindHeap, KindNoDeadLetter, KindTrigger}, " "); got != want {
		t.Errorf("found %q, want %q", got, want)
	}
	for _, f := range s.Findings {
		if f.Cure == "" {
			t.Errorf("%s has no cure", f.Kind)
		}
	}
	s.Caps.Engine = "sqlite"
	if got := rowServer(s)[2]; got.Kind != KindTrigger || strings.Contains(got.Text+got.Cure, "OUTPUT") || strings.Contains(got.Cure, "requeued") {
		t.Errorf("of an engine without OUTPUT: %q, %q", got.Text, got.Cure)
	}
}
