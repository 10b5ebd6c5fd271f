package queue

import (
	"testing"
	"time"

	"github.com/leasetop/leasetop/internal/tape"
	"github.com/leasetop/leasetop/ui/internal/fixture"
	"github.com/leasetop/leasetop/ui/kit"
)

// history is a curve that is known since a time, and counts how often it is asked.
type history struct {
	since time.Time
	ready func(age time.Duration) float64
	asked int
}

func (h *history) Series(_ string, m tape.Metric, to time.Time, per time.Duration, cols int) []tape.Bucket {
	h.asked++
	out := make([]tape.Bucket, cols)
	for i := range out {
		at := to.Add(-time.Duration(cols-1-i) * per)
		out[i] = tape.Bucket{Max: 9, Mean: 9, Gap: at.Before(h.since)}
		if m == tape.Ready && h.ready != nil {
			out[i].Mean = h.ready(to.Sub(at))
		}
	}
	return out
}

// TestChartsMoveByTime holds that polls within a bucket draw nothing.
func TestChartsMoveByTime(t *testing.T) {
	s := New("orders")
	e := env(120, 37, fixture.Snapshot())
	h := &history{since: fixture.Now().Add(-time.Hour)}
	e.History = h
	s.Update(e, kit.News{})
	per := s.curves.drawn.per()
	if per != 18*time.Second || s.curves.drawn.span != 15*time.Minute {
		t.Fatalf("a column is %v of %v", per, s.curves.drawn.span)
	}
	draws := 0
	last := h.asked
	for sec := range 120 {
		snap := fixture.Snapshot()
		snap.Pulse.At = snap.Pulse.At.Add(time.Duration(sec) * time.Second)
		snap.Page.At = snap.Pulse.At
		e.Board = fixture.Board(snap)
		s.Update(e, kit.News{})
		if h.asked != last {
			draws, last = draws+1, h.asked
		}
	}
	if draws < 6 || draws > 8 {
		t.Errorf("in 120 s the charts were drawn %d times, with columns of %v", draws, per)
	}
}

// TestSpanGrows holds that the charts show what was watched and no more.
func TestSpanGrows(t *testing.T) {
	for _, c := range []struct{ watched, span time.Duration }{
		{10 * time.Second, 2 * time.Minute}, {90 * time.Second, 2 * time.Minute}, {3 * time.Minute, 5 * time.Minute},
		{6 * time.Minute, 15 * time.Minute}, {time.Hour, 15 * time.Minute},
	} {
		s := New("orders")
		e := env(120, 37, fixture.Snapshot())
		e.History = &history{since: fixture.Now().Add(-c.watched)}
		s.Update(e, kit.News{})
		if got := s.curves.drawn.span; got != c.span {
			t.Errorf("watched for %v it shows %v, not %v", c.watched, got, c.span)
		}
	}
}

func TestTrend(t *testing.T) {
	for name, c := range map[string]struct {
		ready func(time.Duration) float64
		want  trend
	}{
		"level":  {func(time.Duration) float64 { return 100 }, 0},
		"noise":  {func(a time.Duration) float64 { return 100 + float64(int(a.Seconds())%2) }, 0},
		"grows":  {func(a time.Duration) float64 { return 500 - a.Seconds() }, 1},
		"drains": {func(a time.Duration) float64 { return 100 + a.Seconds() }, -1},
	} {
		e := env(120, 37, fixture.Snapshot())
		e.History = &history{ready: c.ready}
		s := New("orders")
		s.Update(e, kit.News{})
		if s.curves.trend != c.want {
			t.Errorf("%s: %d, not %d", name, s.curves.trend, c.want)
		}
	}
}
