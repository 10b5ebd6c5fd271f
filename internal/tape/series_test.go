package tape

import (
	"math"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/leasetop/leasetop/model"
)

func TestSeries(t *testing.T) {
	tape := New(Options{})
	// Buckets of 10 s: the first pulse lies at :58.123, the first whole bucket begins at :00.
	oldest := func(sec float64, age time.Duration) *model.Snapshot {
		return good(after(sec), model.Pulse{Ready: exact(3), Oldest: &model.Oldest{Waiting: ageOf(age)}})
	}
	last := oldest(0, 5*time.Second)
	tape.Observe(last)
	tape.Observe(oldest(2, 7*time.Second))
	tape.Observe(oldest(4, 9*time.Second))
	tape.Observe(oldest(6, time.Second))
	tape.Observe(failed(last))                                  // 10 s … 22 s: nothing came
	tape.Observe(good(after(22), model.Pulse{Ready: exact(0)})) // none is ready: no age, and that is known
	tape.Observe(good(after(32), model.Pulse{Ready: exact(2)})) // some are, and their age is not known
	got := tape.Series("q", OldestReady, after(32), 10*time.Second, 6)
	want := []Bucket{
		{Gap: true},
		{Max: 5, Mean: 5},
		{Max: 9, Mean: 17.0 / 3},
		{Gap: true},
		{Max: 0, Mean: 0},
		{Gap: true},
	}
	for i := range want {
		if g, w := got[i], want[i]; g.Gap != w.Gap || g.Max != w.Max || g.Mean-w.Mean > 1e-6 || w.Mean-g.Mean > 1e-6 {
			t.Errorf("bucket %d is %+v, want %+v", i, g, w)
		}
	}
}

func TestSeriesOfNothing(t *testing.T) {
	tape := New(Options{})
	for _, b := range tape.Series("unheard of", Ready, epoch, time.Second, 3) {
		if !b.Gap {
			t.Errorf("a queue that nobody watched has a figure: %+v", b)
		}
	}
	tape.Observe(good(epoch, model.Pulse{Ready: exact(1)}))
	for _, b := range tape.Series("q", Ready, time.Time{}, time.Second, 3) {
		if !b.Gap {
			t.Errorf("without a time there is a figure: %+v", b)
		}
	}
	if got := tape.Series("q", Ready, epoch, 0, 3); got != nil {
		t.Errorf("buckets of no length: %v", got)
	}
	if got := tape.Series("q", metrics, epoch, time.Second, 3); got != nil {
		t.Errorf("a metric that there is not: %v", got)
	}
	if got := tape.Series("q", Ready, epoch, time.Second, 0); got != nil {
		t.Errorf("no columns: %v", got)
	}
}

func TestThePastEndsWhereItIsLookedAtFrom(t *testing.T) {
	tape := New(Options{})
	for i := range 30 {
		tape.Observe(good(after(float64(2*i)), model.Pulse{Ready: exact(int64(i))}))
	}
	b := tape.Series("q", Ready, after(31), time.Minute, 1)
	if b[0].Max != 15 {
		t.Errorf("seen from second 31 the most was %v, it was 15 then", b[0].Max)
	}
}

// watchAtRandom feeds a tape with polls that fail, stall and come out of turn,
// and returns what was true: the figure at the time of every good poll.
func watchAtRandom(t *rapid.T, tape *Tape, polls int) (at []time.Time, ready []int64) {
	now := epoch
	last := good(now, model.Pulse{})
	for range polls {
		now = now.Add(time.Duration(rapid.IntRange(1, 8000).Draw(t, "ms")) * time.Millisecond)
		if rapid.IntRange(0, 4).Draw(t, "luck") == 0 {
			tape.Observe(failed(last))
			continue
		}
		n := rapid.Int64Range(0, 50).Draw(t, "ready")
		last = good(now, model.Pulse{Ready: exact(n)})
		tape.Observe(last)
		at, ready = append(at, now), append(ready, n)
	}
	return at, ready
}

func TestEveryBucketIsTheTruthOrAGap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tape := New(Options{})
		at, ready := watchAtRandom(t, tape, rapid.IntRange(1, 80).Draw(t, "polls"))
		if len(at) == 0 {
			return
		}
		per := time.Duration(rapid.IntRange(1, 30_000).Draw(t, "per")) * time.Millisecond
		cols := rapid.IntRange(1, 100).Draw(t, "cols")
		to := at[len(at)-1].Add(time.Duration(rapid.IntRange(-60_000, 60_000).Draw(t, "to")) * time.Millisecond)
		got := tape.Series("q", Ready, to, per, cols)
		if len(got) != cols {
			t.Fatalf("%d buckets, %d wanted", len(got), cols)
		}
		newest := to.UnixMilli() / per.Milliseconds()
		for i, b := range got {
			start := (newest - int64(cols-1-i)) * per.Milliseconds()
			var in []int64
			for j, a := range at {
				if ms := a.UnixMilli(); ms >= start && ms < start+per.Milliseconds() && !a.After(to) {
					in = append(in, ready[j])
				}
			}
			if b.Gap != (len(in) == 0) {
				t.Fatalf("bucket %d has %d good polls and is %+v: a gap is no zero, and a zero no gap", i, len(in), b)
			}
			if !b.Gap && b.Max != float64(slices.Max(in)) {
				t.Fatalf("bucket %d is %+v, it was %v", i, b, in)
			}
		}
	})
}

func TestClosedBucketsStandStill(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tape := New(Options{Span: time.Minute, Every: 2 * time.Second})
		per := time.Duration(rapid.IntRange(500, 20_000).Draw(t, "per")) * time.Millisecond
		metric := rapid.SampledFrom([]Metric{OldestReady, In, Ready}).Draw(t, "metric")
		known := map[int64]Bucket{}
		now, n := epoch, int64(0)
		last := good(now, model.Pulse{})
		for range rapid.IntRange(1, 200).Draw(t, "polls") {
			now = now.Add(time.Duration(rapid.IntRange(1, 4000).Draw(t, "ms")) * time.Millisecond)
			n += rapid.Int64Range(0, 20).Draw(t, "arrivals")
			if rapid.IntRange(0, 9).Draw(t, "luck") == 0 {
				tape.Observe(failed(last))
				continue
			}
			last = good(now, model.Pulse{
				Ready: exact(n % 7), Enqueued: counted(n, ""), Oldest: &model.Oldest{Waiting: ageOf(time.Duration(n) * time.Second)},
			})
			tape.Observe(last)
			cols := 30
			newest := now.UnixMilli() / per.Milliseconds()
			for i, b := range tape.Series("q", metric, now, per, cols)[:cols-1] {
				k := newest - int64(cols-1-i)
				was, seen := known[k]
				if seen && was != b && !b.Gap {
					t.Fatalf("a closed bucket changed from %+v to %+v", was, b)
				}
				known[k] = b
			}
		}
	})
}

func TestAHalfForgottenBucketIsAGap(t *testing.T) {
	per := 10 * time.Second
	begin := epoch.Truncate(per)
	for n := 95; n < 110; n++ {
		tape := New(Options{Span: 20 * time.Second, Every: 2 * time.Second})
		for i := range n {
			tape.Observe(good(begin.Add(time.Duration(i)*time.Second), model.Pulse{Ready: exact(int64(i))}))
		}
		r := &tape.queues["q"].ring
		if len(r.points) != tape.capacity || cap(r.points) != tape.capacity {
			t.Fatalf("the ring holds %d points and has room for %d, want %d", len(r.points), cap(r.points), tape.capacity)
		}
		oldest := n - tape.capacity // the second of the oldest point that is left
		for i, b := range tape.Series("q", Ready, begin.Add(100*time.Second), per, 11)[:10] {
			if first := 10 * i; first+10 <= n && (b.Gap != (first < oldest) || !b.Gap && (b.Max != float64(first+9) || b.Mean != float64(first)+4.5)) {
				t.Errorf("the bucket of second %d is %+v, the oldest point left is of second %d", first, b, oldest)
			}
		}
	}
}

func TestEveryPointIsKept(t *testing.T) {
	tape := New(Options{})
	begin := epoch.Truncate(time.Second)
	const n = 1000
	for i := range n {
		tape.Observe(good(begin.Add(time.Duration(i)*time.Second), model.Pulse{Ready: exact(int64(i))}))
	}
	for i, b := range tape.Series("q", Ready, begin.Add((n-1)*time.Second), time.Second, n) {
		if b.Gap || b.Max != float64(i) {
			t.Fatalf("second %d is %+v", i, b)
		}
	}
}

func TestARateIsWeightedByItsSpan(t *testing.T) {
	tape := New(Options{})
	begin := epoch.Truncate(time.Minute)
	tape.Observe(good(begin.Add(time.Second), model.Pulse{Enqueued: counted(0, "")}))
	tape.Observe(good(begin.Add(2*time.Second), model.Pulse{Enqueued: counted(10, "")}))  // ten in one second
	tape.Observe(good(begin.Add(11*time.Second), model.Pulse{Enqueued: counted(10, "")})) // none in nine
	if b := tape.Series("q", In, begin.Add(12*time.Second), time.Minute, 1)[0]; b.Mean != 1 || b.Max != 10 {
		t.Errorf("ten rows in ten seconds are %+v", b)
	}
}

// The first two looks can come a few milliseconds apart, and a look can be asked for:
// what came between them is not what comes in a second.
func TestAMomentIsNoRate(t *testing.T) {
	tape := New(Options{})
	begin := epoch.Truncate(time.Minute)
	at := func(ms int, n int64) {
		tape.Observe(good(begin.Add(time.Duration(ms)*time.Millisecond), model.Pulse{Ready: exact(n), Enqueued: counted(n, "")}))
	}
	at(1460, 0)
	at(1985, 10) // 19 a second, for half of one
	at(2985, 12)
	at(3985, 14)
	at(4000, 15) // asked for
	at(4985, 16)
	at(5985, 18)
	in := tape.Series("q", In, begin.Add(7*time.Second), 2*time.Second, 4) // seconds 0 to 7
	for i, want := range []float64{-1, 2, 2, -1} {
		if b := in[i]; b.Gap != (want < 0) || !b.Gap && math.Abs(b.Mean-want) > 1e-4 {
			t.Errorf("seconds %d and %d are %+v, want %v", 2*i, 2*i+1, b, want)
		}
	}
	if b := tape.Series("q", Ready, begin.Add(7*time.Second), 2*time.Second, 4)[0]; b.Gap || b.Max != 10 {
		t.Errorf("a count needs no time: %+v", b)
	}
}

func TestAClockSetBackForgetsWhatComesAfterIt(t *testing.T) {
	tape := New(Options{Span: 20 * time.Second, Every: 2 * time.Second})
	begin := epoch.Truncate(time.Minute)
	at := func(sec int, n int64) {
		tape.Observe(good(begin.Add(time.Duration(sec)*time.Second), model.Pulse{Ready: exact(n)}))
	}
	for sec := range 50 { // more than the ring holds, so that it has turned
		at(sec, 1)
	}
	at(40, 2)
	at(42, 3)
	got := tape.Series("q", Ready, begin.Add(45*time.Second), time.Second, 10) // seconds 36 to 45
	want := []float64{1, 1, 1, 1, 2, -1, 3, -1, -1, -1}
	for i, b := range got {
		if b.Gap != (want[i] < 0) || !b.Gap && b.Max != want[i] {
			t.Errorf("second %d is %+v, want %v", 36+i, b, want[i])
		}
	}
	for sec := 43; sec < 80; sec++ {
		at(sec, 4)
	}
	if b := tape.Series("q", Ready, begin.Add(79*time.Second), time.Second, 1); b[0].Max != 4 {
		t.Errorf("afterwards the newest is %+v", b[0])
	}
}

func TestTheNextPollOfABucketMovesNoColumn(t *testing.T) {
	tape := New(Options{})
	for i := range 200 {
		tape.Observe(good(after(float64(2*i)), model.Pulse{Ready: exact(int64(i % 13))}))
	}
	per := 18 * time.Second
	begin := after(400).Truncate(per).Add(-per) // whole buckets since the epoch
	first := tape.Series("q", Ready, begin, per, 20)
	for ms := range 18 {
		got := tape.Series("q", Ready, begin.Add(time.Duration(ms)*time.Second), per, 20)
		if !slices.Equal(first[:19], got[:19]) {
			t.Fatalf("after %d s within one bucket the columns moved", ms)
		}
	}
	if next := tape.Series("q", Ready, begin.Add(per), per, 20); !slices.Equal(first[1:19], next[:18]) {
		t.Error("in the next bucket the columns did not shift by one")
	}
}

func TestTheRingReachesItsSpan(t *testing.T) {
	tape := New(Options{})
	for i := range 3 * 60 * 30 {
		tape.Observe(good(after(float64(2*i)), model.Pulse{Ready: exact(1)}))
	}
	for i, b := range tape.Series("q", Ready, after(3*3600-2), time.Minute, 60) {
		if b.Gap {
			t.Fatalf("minute %d of the last hour is forgotten", i)
		}
	}
}
