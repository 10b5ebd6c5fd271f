package tape

import (
	"math"
	"sort"
	"time"
	"unsafe"
)

// Metric is a figure that a chart shows over time.
type Metric uint8

// The metrics. Ages are in seconds, rates in rows a second, counts in rows.
const (
	OldestReady Metric = iota
	In
	Out
	Ready
	Working
	metrics
)

// rate reports whether the metric is a rate, which holds for the span up to its
// point and not for the point alone.
func (m Metric) rate() bool { return m == In || m == Out }

// unknown is a value that a pulse did not have.
var unknown = float32(math.NaN())

// point is one good pulse. It holds no pointer, so that an hour of them costs the
// garbage collector nothing.
type point struct {
	at   int64 // milliseconds of the server's time
	over float32
	v    [metrics]float32
}

const pointBytes = int(unsafe.Sizeof(point{}))

// ring holds the newest points in order of time, at most max of them.
type ring struct {
	max    int
	points []point
	first  int   // index of the oldest
	lost   int64 // time of the newest point that had to go
	full   bool  // a point had to go
}

func (r *ring) len() int { return len(r.points) }

// at gives the i-th point, the oldest being 0.
func (r *ring) at(i int) *point { return &r.points[(r.first+i)%len(r.points)] }

func (r *ring) add(p point) {
	if len(r.points) < r.max {
		r.grow()
		r.points = append(r.points, p)
		return
	}
	r.lost, r.full = r.points[r.first].at, true
	r.points[r.first] = p
	r.first = (r.first + 1) % len(r.points)
}

// grow doubles the room up to max exactly, which append alone would overshoot.
func (r *ring) grow() {
	if len(r.points) < cap(r.points) {
		return
	}
	bigger := make([]point, len(r.points), min(max(2*cap(r.points), 64), r.max))
	copy(bigger, r.points)
	r.points = bigger
}

// from is the index of the first point at or after a time.
func (r *ring) from(ms int64) int {
	return sort.Search(r.len(), func(i int) bool { return r.at(i).at >= ms })
}

// cut forgets the points at and after a time, to which the clock was set back.
func (r *ring) cut(at time.Time) {
	n := r.from(at.UnixMilli())
	kept := make([]point, n, max(n, cap(r.points)))
	for i := range kept {
		kept[i] = *r.at(i)
	}
	r.points, r.first = kept, 0
}
