package tape

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/leasetop/leasetop/model"
)

func counted(n int64, epoch string) model.Counter {
	return model.Counter{Count: model.Count{N: n, Trust: model.Estimated}, Epoch: epoch}
}

func TestArrivals(t *testing.T) {
	tape := New(Options{})
	in := func(at float64, c model.Counter) model.Rate {
		s := good(after(at), model.Pulse{Enqueued: c})
		tape.Observe(s)
		return s.In
	}
	if r := in(0, counted(100, "a")); r.Known() {
		t.Errorf("a single look gives a rate of %v", r)
	}
	if r := in(2, counted(124, "a")); r.PerSec != 12 || r.Trust != model.Estimated {
		t.Errorf("24 rows in 2 s are %v", r)
	}
	if r := in(4, counted(124, "a")); r.PerSec != 6 {
		t.Errorf("24 rows in 4 s are %v", r)
	}
	if r := in(6, counted(90_000, "b")); r.Known() {
		t.Errorf("a new epoch gives a rate of %v", r)
	}
	if r := in(8, counted(90_002, "b")); r.PerSec != 1 {
		t.Errorf("after a new epoch: %v", r)
	}
	if r := in(10, counted(3, "b")); r.Known() {
		t.Errorf("a counter that fell gives a rate of %v", r)
	}
	if r := in(12, model.Counter{}); r.Known() {
		t.Errorf("an unknown counter gives a rate of %v", r)
	}
}

func TestRatesAreTakenOverTheWindow(t *testing.T) {
	tape := New(Options{Window: 10 * time.Second})
	n, rates := int64(0), []float64(nil)
	for i := range 60 {
		if i%2 == 0 {
			n += 40 // arrivals in bursts, 10 a second
		}
		s := good(after(float64(2*i)), model.Pulse{Enqueued: counted(n, "")})
		tape.Observe(s)
		if i > 5 {
			rates = append(rates, s.In.PerSec)
		}
	}
	for _, r := range rates {
		if r < 7.9 || r > 12.1 {
			t.Fatalf("bursts make the header jump: %v", rates)
		}
	}
	for i := range 8 {
		s := good(after(float64(120+2*i)), model.Pulse{Enqueued: counted(n, "")})
		tape.Observe(s)
		if last := i == 7; last && (s.In.PerSec != 0 || !s.In.Known()) {
			t.Errorf("14 s after the last arrival the rate is %v", s.In)
		}
	}
}

func TestAFailedPollBreaksTheRates(t *testing.T) {
	tape := New(Options{})
	var s *model.Snapshot
	at := func(sec float64, n int64) model.Rate {
		s = good(after(sec), model.Pulse{Enqueued: counted(n, "")})
		tape.Observe(s)
		return s.In
	}
	at(0, 0)
	at(2, 20)
	before := s.In
	f := failed(s)
	tape.Observe(f)
	if f.In != before {
		t.Errorf("a failed poll changed the last good rate to %v", f.In)
	}
	if r := at(60, 4000); r.Known() {
		t.Errorf("over a gap there is a rate of %v", r)
	}
	if r := at(62, 4020); r.PerSec != 10 {
		t.Errorf("after the gap: %v", r)
	}
	for _, b := range tape.Series("q", In, after(62), 2*time.Second, 40) {
		if !b.Gap && (b.Mean != 10 || b.Max != 10) {
			t.Errorf("the chart shows %v where 10 a second arrived, or nobody looked", b)
		}
	}
}

func TestDepartures(t *testing.T) {
	flow := func(n int64, over time.Duration) model.Flow { return model.Flow{Count: exact(n), Over: over} }
	held := func(ready, working int64) model.Pulse {
		return model.Pulse{Scheduled: exact(0), Ready: exact(ready), Working: exact(working), Failed: exact(0)}
	}
	with := func(p model.Pulse, enqueued int64) model.Pulse {
		p.Enqueued = counted(enqueued, "")
		return p
	}
	type step struct {
		pulse model.Pulse
		want  model.Rate
	}
	cases := map[string][]step{
		"recorded completions are believed, also at the first look, until there are some of the watching itself": {
			{model.Pulse{Completed: flow(120, time.Minute)}, model.Rate{PerSec: 2, Trust: model.Exact}},
			{model.Pulse{Completed: flow(20, 2*time.Second)}, model.Rate{PerSec: 10, Trust: model.Exact}},
			{model.Pulse{Completed: flow(10, 2*time.Second)}, model.Rate{PerSec: 7.5, Trust: model.Exact}},
		},
		"a capped flow says so": {
			{model.Pulse{Completed: model.Flow{Count: model.Count{N: 10_000, Trust: model.Capped}, Over: 20 * time.Second}}, model.Rate{PerSec: 500, Trust: model.Capped}},
		},
		"a flow over no time says nothing": {
			{model.Pulse{Completed: flow(1, 0)}, model.Rate{}},
			{model.Pulse{Completed: flow(1, -time.Second)}, model.Rate{}},
		},
		"a flow that is not known says nothing": {
			{model.Pulse{Completed: model.Flow{Over: time.Second}}, model.Rate{}},
		},
		"what is not known any more is not the rate of before": {
			{with(held(100, 4), 1000), model.Rate{}},
			{with(held(96, 4), 1020), model.Rate{PerSec: 12, Trust: model.Estimated}},
			{model.Pulse{}, model.Rate{}},
		},
		"else what arrived and is gone": {
			{with(held(100, 4), 1000), model.Rate{}},
			{with(held(96, 4), 1020), model.Rate{PerSec: 12, Trust: model.Estimated}},
		},
		"more rows than arrived are not a negative rate": {
			{with(held(100, 4), 1000), model.Rate{}},
			{with(held(120, 4), 1000), model.Rate{PerSec: 0, Trust: model.Estimated}},
		},
		"not while one of them is capped": {
			{with(held(100, 4), 1000), model.Rate{}},
			{with(model.Pulse{Scheduled: exact(0), Failed: exact(0), Working: exact(4), Ready: model.Count{N: 10_000, Trust: model.Capped}}, 1020), model.Rate{}},
			{with(held(9_000, 4), 1020), model.Rate{}},
		},
		"nor while one of them is not known": {
			{with(model.Pulse{Ready: exact(1), Working: exact(1), Failed: exact(1)}, 1000), model.Rate{}},
			{with(model.Pulse{Ready: exact(1), Working: exact(1), Failed: exact(1)}, 1002), model.Rate{}},
		},
		"nor without a counter of arrivals": {{held(9, 0), model.Rate{}}, {held(1, 0), model.Rate{}}},
	}
	for name, steps := range cases {
		t.Run(name, func(t *testing.T) {
			tape := New(Options{})
			for i, st := range steps {
				s := good(after(float64(2*i)), st.pulse)
				tape.Observe(s)
				if math.Abs(s.Out.PerSec-st.want.PerSec) > 1e-9 || s.Out.Trust != st.want.Trust {
					t.Errorf("look %d: %+v, want %+v", i, s.Out, st.want)
				}
			}
		})
	}
}

func TestDeparturesAfterAGap(t *testing.T) {
	tape := New(Options{})
	var s *model.Snapshot
	look := func(sec float64, n int64, over time.Duration) {
		s = good(after(sec), model.Pulse{Completed: model.Flow{Count: exact(n), Over: over}})
		tape.Observe(s)
	}
	look(0, 6000, time.Minute)
	look(2, 200, 2*time.Second)
	tape.Observe(failed(s))
	look(32, 30, 30*time.Second)
	if s.Out.PerSec != 1 {
		t.Errorf("after the gap: %v, 30 rows in 30 s were recorded", s.Out)
	}
	look(34, 8, 2*time.Second)
	want := map[int]float64{2: 100, 34: 4} // the rest is a span of which the chart knows nothing
	for i, b := range tape.Series("q", Out, after(34), time.Second, 40) {
		sec := i + 34 - 39
		if w, ok := want[sec]; ok == b.Gap || ok && b.Mean != w {
			t.Errorf("second %d of the chart is %+v", sec, b)
		}
	}
}

func TestTheChartShowsNoRateThatWasNotTaken(t *testing.T) {
	tape := New(Options{})
	for i, c := range []model.Counter{counted(0, "a"), counted(10, "a"), counted(9000, "b"), counted(9004, "b"), {}} {
		tape.Observe(good(after(float64(2*i)), model.Pulse{Enqueued: c, Completed: model.Flow{Count: exact(1), Over: time.Duration(i%2) * 2 * time.Second}}))
	}
	in := tape.Series("q", In, after(8), time.Second, 9)
	out := tape.Series("q", Out, after(8), time.Second, 9)
	for sec := range in {
		wantIn, wantOut := map[int]float64{2: 5, 6: 2}[sec], map[int]float64{2: 0.5, 6: 0.5}[sec]
		if in[sec].Gap != (wantIn == 0) || in[sec].Mean != wantIn {
			t.Errorf("in: second %d is %+v", sec, in[sec])
		}
		if out[sec].Gap != (wantOut == 0) || out[sec].Mean != wantOut {
			t.Errorf("out: second %d is %+v", sec, out[sec])
		}
	}
}

func TestTheWindowKeepsWhatItNeedsAndNoMore(t *testing.T) {
	f := flow{}
	for i := range 100 {
		f.add(span{5 * time.Second, float64(i), model.Exact}, 15*time.Second)
	}
	if len(f.spans) != 3 || f.spans[0].n != 97 {
		t.Errorf("three spans make the window, kept are %v", f.spans)
	}
	f.add(span{time.Minute, 1, model.Exact}, 15*time.Second)
	if len(f.spans) != 1 {
		t.Errorf("one span is longer than the window, kept are %v", f.spans)
	}
	if f.gap(); len(f.spans) != 0 || f.newest == f.newest {
		t.Errorf("after a gap there is %v", f)
	}
}

func TestAStateThatTheTableLacksHasNoRows(t *testing.T) {
	tape := New(Options{})
	m := &model.Mapping{States: map[model.State]model.Value{
		model.Ready: model.TextValue("R"), model.Working: model.TextValue("W"), model.Done: model.TextValue("D"), model.Failed: model.TextValue("F"),
	}}
	for i, want := range []model.Rate{{}, {PerSec: 5, Trust: model.Estimated}} {
		s := good(after(float64(2*i)), model.Pulse{Ready: exact(1), Working: exact(1), Failed: exact(0), Enqueued: counted(int64(10*i), "")})
		s.Mapping = m
		tape.Observe(s)
		if s.Out != want {
			t.Errorf("look %d: %+v, want %+v", i, s.Out, want)
		}
	}
}

func TestAClockThatWasSetIsAGap(t *testing.T) {
	for _, jump := range []time.Duration{time.Hour, -time.Hour, 3 * time.Second, -3 * time.Second} {
		tape := New(Options{})
		var last *model.Snapshot
		server := epoch
		for i := range 10 {
			server = server.Add(2 * time.Second)
			if i == 5 {
				server = server.Add(jump)
			}
			last = good(server, model.Pulse{Enqueued: counted(int64(20*i), "")})
			last.Pulse.Got = epoch.Add(time.Duration(2*i) * time.Second)
			tape.Observe(last)
			if known := i != 0 && i != 5; last.In.Known() != known || known && last.In.PerSec != 10 {
				t.Errorf("clock set by %v, poll %d: %+v", jump, i, last.In)
			}
		}
	}
}

// What arrives is what the rates add up to: over any polls without a gap the
// rates times their spans are the difference of the counter.
func TestRatesAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tape := New(Options{})
		at, n := epoch, int64(0)
		var from, to int64
		for i := range rapid.IntRange(2, 60).Draw(t, "polls") {
			if i > 0 {
				at = at.Add(time.Duration(rapid.IntRange(1, 5000).Draw(t, "ms")) * time.Millisecond)
				n += rapid.Int64Range(0, 1000).Draw(t, "arrivals")
			} else {
				from = n
			}
			tape.Observe(good(at, model.Pulse{Enqueued: counted(n, "")}))
			to = n
		}
		whole := 10 * time.Minute
		b := tape.Series("q", In, at, whole, 2)
		sum := 0.0
		for _, p := range tape.queues["q"].ring.points {
			if p.v[In] == p.v[In] {
				sum += float64(p.v[In]) * float64(p.over)
			}
		}
		if math.Abs(sum-float64(to-from)) > 1e-3*float64(to-from)+1e-3 {
			t.Fatalf("the rates add up to %v, %d arrived (%v)", sum, to-from, b)
		}
	})
}
