package ui

import (
	"testing"
	"time"

	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/ui/internal/fixture"
)

// many is a snapshot with a list of n jobs.
func many(n int) *model.Snapshot {
	s := fixture.Snapshot()
	s.Page.Data.Jobs = nil
	for i := range n {
		held := time.Duration(i%300) * time.Second
		s.Page.Data.Jobs = append(s.Page.Data.Jobs, fixture.Working(int64(100_000+i), "pick-07", 1, held, fixture.Lease-held, held))
	}
	return s
}

// viewBudget is what one frame may take at 200x60 with 10,000 rows known and a
// dialog open.
const viewBudget = 2 * time.Millisecond

// BenchmarkView draws the whole frame anew each time.
func BenchmarkView(b *testing.B) {
	for name, keys := range map[string][]string{"queue": nil, "dialog": {"r"}} {
		b.Run(name, func(b *testing.B) {
			r := newRig(200, 60, nil, many(10_000))
			r.desk.plan = plan()
			r.press(keys...)
			b.ReportAllocs()
			for b.Loop() {
				r.stale = true
				r.View()
			}
			b.ReportMetric(float64(b.Elapsed())/float64(b.N)/float64(viewBudget), "budgets/frame")
		})
	}
}

// BenchmarkBoard takes a new board of 10,000 rows and draws it.
func BenchmarkBoard(b *testing.B) {
	r := newRig(200, 60, nil, many(10_000))
	a, c := fixture.Board(many(10_000)), fixture.Board(many(10_000))
	for i := 0; b.Loop(); i++ {
		r.feed.board = a
		if i%2 == 0 {
			r.feed.board = c
		}
		r.Update(rang{})
		r.View()
	}
}

// BenchmarkCursor moves the cursor and draws.
func BenchmarkCursor(b *testing.B) {
	r := newRig(120, 40, nil, many(500))
	down, up := press("down"), press("up")
	for i := 0; b.Loop(); i++ {
		if i%20 < 10 {
			r.Update(down)
		} else {
			r.Update(up)
		}
		r.View()
	}
}
