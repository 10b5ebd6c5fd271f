package tape

import "time"

// Bucket is a column of a chart: what the good pulses within its span of time
// said. A bucket without any is a gap, and so is one in which the figure was not
// known.
type Bucket struct {
	Max  float64 // for ages
	Mean float64 // for rates, weighted by the time that each pulse speaks for
	Gap  bool
}

// Series gives cols buckets of the length per, the last of them the one in which
// to lies; pulses after to are left out. Buckets begin at whole multiples of per
// since the Unix epoch, so that the same time always falls into the same bucket:
// as to advances the columns shift, and only the newest, still open one changes.
// A bucket of which the tape has forgotten a part is a gap, and for a rate one of
// which hardly any was watched: the first two looks come within milliseconds, and a
// few jobs between them are no hundreds a second.
//
// A queue that the tape does not know has gaps only.
func (t *Tape) Series(queue string, m Metric, to time.Time, per time.Duration, cols int) []Bucket {
	step := per.Milliseconds()
	if step <= 0 || cols <= 0 || m >= metrics {
		return nil
	}
	out := make([]Bucket, cols)
	for i := range out {
		out[i].Gap = true
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	q := t.queues[queue]
	if q == nil || to.IsZero() {
		return out
	}
	last := floorDiv(to.UnixMilli(), step)
	start := (last - int64(cols) + 1) * step
	sums, least := make([]sum, cols), 0.0
	if m.rate() {
		least = watchedLeast(per.Seconds())
	}
	for i := q.ring.from(start); i < q.ring.len(); i++ {
		p := q.ring.at(i)
		if p.at > to.UnixMilli() {
			break
		}
		sums[floorDiv(p.at, step)-last+int64(cols)-1].add(p, m)
	}
	for i := range out {
		if q.ring.full && start+int64(i)*step <= q.ring.lost {
			continue
		}
		out[i] = sums[i].bucket(least)
	}
	return out
}

// watchedLeast is how many seconds of a bucket its looks must speak for: nearly one,
// where it has them, and a small part of a long one.
func watchedLeast(bucket float64) float64 { return max(0.15*bucket, min(0.45*bucket, 0.9)) }

// sum collects the points of one bucket.
type sum struct{ top, value, weight float64 }

func (s *sum) add(p *point, m Metric) {
	v := p.v[m]
	if v != v {
		return
	}
	w := 1.0
	if m.rate() {
		w = float64(p.over)
	}
	if w <= 0 {
		return
	}
	if s.weight == 0 || float64(v) > s.top {
		s.top = float64(v)
	}
	s.value += float64(v) * w
	s.weight += w
}

// bucket reads the sum, if it weighs enough. A rate made of differences of counts that were not taken
// in the same instant can come out below nothing; it is shown as nothing.
func (s *sum) bucket(least float64) Bucket {
	if s.weight == 0 || s.weight < least {
		return Bucket{Gap: true}
	}
	return Bucket{Max: max(s.top, 0), Mean: max(s.value/s.weight, 0)}
}

// floorDiv rounds down also before the epoch.
func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}
