package queue

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/themes/spot"
	"github.com/leasetop/leasetop/ui/internal/fixture"
	"github.com/leasetop/leasetop/ui/internal/shot"
	"github.com/leasetop/leasetop/ui/kit"
	"github.com/leasetop/leasetop/ui/table"
)

func env(w, h int, ss ...*model.Snapshot) *kit.Env {
	b := fixture.Board(ss...)
	return &kit.Env{Width: w, Height: h, Styles: spot.Styles(), Board: b, Live: b, History: &history{}}
}

func at(d time.Duration) row {
	return row{Job: fixture.Working(1, "w", 1, time.Minute, d, 0), now: fixture.Now(), mapping: fixture.Mapping()}
}

func TestNotes(t *testing.T) {
	job := func(f func(*model.Job)) row {
		j := fixture.Working(1, "pick-01", 1, time.Minute, 4*time.Minute, 5*time.Second)
		f(j)
		return row{Job: j, now: fixture.Now(), mapping: fixture.Mapping()}
	}
	expire := func(by time.Duration) func(*model.Job) {
		return func(j *model.Job) { j.Lease, j.Beat = fixture.At(-by), model.Instant{} }
	}
	for _, c := range []struct {
		name string
		row  row
		want string
	}{
		{"nothing", job(func(*model.Job) {}), "plain/dim"},
		{"second try", job(func(j *model.Job) { j.Attempts.N = 2 }), "retry 1 of 4/dim"},
		{"second try, no bound", job(func(j *model.Job) { j.Attempts.N, j.MaxAttempts = 2, model.Number{} }), "retry 1/dim"},
		{"second try after an error", job(func(j *model.Job) { j.Attempts.N, j.Error = 2, "timeout" }), "retry: timeout/dim"},
		{"an error of the first try is none of a retry", job(func(j *model.Job) { j.Error = "timeout" }), "plain/dim"},
		{"just expired", job(expire(3 * time.Second)), "expired, may be alive/warn"},
		{"long expired", job(expire(5 * time.Minute)), "expired, may be alive/bad"},
		{"expired at the bound", job(func(j *model.Job) { expire(5 * time.Minute)(j); j.Attempts.N = 5 }), "expired on last try/bad"},
		{"no token", job(func(j *model.Job) { j.Token = model.Token{} }), "corrupt: no token, nothing can end it/bad"},
		{"no lease", job(func(j *model.Job) { j.Lease = model.Instant{} }), "corrupt: no lease, nothing can end it/bad"},
		{"no beat for long", job(func(j *model.Job) { j.Beat, j.Lease = fixture.At(-4*time.Minute), fixture.At(time.Minute) }), "no beat, still leased/warn"},
	} {
		cell := workingNote(c.row)
		want := strings.TrimPrefix(c.want, "plain")
		if got := cell.Text + "/" + cell.Tone.String(); got != want {
			t.Errorf("%s: %q, not %q", c.name, got, want)
		}
	}
	for try, want := range map[int64]string{0: "/dim", 2: "retry 2 of 4/dim", 5: "tries used up: nobody may claim it/bad"} {
		cell := readyNote(row{Job: fixture.Ready(1, try, time.Minute), now: fixture.Now(), mapping: fixture.Mapping()})
		if got := cell.Text + "/" + cell.Tone.String(); got != want {
			t.Errorf("ready after %d tries: %q, not %q", try, got, want)
		}
	}
}

// until is a row whose lease ends at a time, of which nothing else is recorded.
func until(end time.Time, raw string) row {
	r := at(0)
	r.Claimed, r.Beat, r.Lease = model.Instant{}, model.Instant{}, model.Instant{At: end, Raw: model.TimeValue(raw)}
	return r
}

func TestLeaseBar(t *testing.T) {
	text := func(c table.Cell) string {
		var s strings.Builder
		s.WriteString(c.Text)
		for _, r := range c.Runs {
			s.WriteString(r.Text)
		}
		return s.String()
	}
	whole := at(0)
	whole.Lease = model.Instant{}
	bare := at(150 * time.Second)
	bare.Claimed, bare.Beat = model.Instant{}, model.Instant{}
	for want, r := range map[string]row{
		"▕▄▄▄▄▄░▏  4m00s": at(4 * time.Minute), // claimed a minute before, so 5 min were granted
		"▕▄░░░░░▏     1s": at(time.Second),     // any rest is one cell
		"▕░░░░░░▏     0s": at(0),
		"▕░░░░░░▏    −8s": at(-8 * time.Second),
		"▕░░░░░░▏ −2m00s": at(-124 * time.Second),
		"▕░░░░░░▏   −12m": at(-12*time.Minute - 4*time.Second),
		"▕░░░░░░▏    −1h": at(-70 * time.Minute),
		"▕▄▄▄░░░▏  2m30s": bare, // of the usual five minutes
		"no lease":        whole,
		"▕▄▄▄▄▄▄▏    60y": at(60 * 365 * 24 * time.Hour), // of a lease of an hour; six times as long is no duration any more
		"▕▄▄▄▄▄▄▏   99y+": until(time.Date(9999, 12, 31, 23, 59, 59, 999999900, time.UTC), "9999-12-31T23:59:59.9999999"),
		"▕░░░░░░▏  −99y+": until(time.Time{}, "0001-01-01T00:00:00"),
	} {
		if got := text(leaseCell(r)); got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
}

// TestFiguresStandStill holds that a figure that grows or shrinks moves none of
// the others.
func TestFiguresStandStill(t *testing.T) {
	labels := []string{"READY", "SCHED", "WORK", "EXP", "FAIL", "DRAIN"}
	for _, w := range []int{80, 120, 200} {
		var first []int
		for _, n := range []int64{0, 7, 1284, 9999} {
			s := fixture.Snapshot()
			s.Page = model.Part[model.Page]{}
			s.Pulse.Data.Corrupt = model.Count{Trust: model.Exact}
			for _, c := range []*model.Count{&s.Pulse.Data.Ready, &s.Pulse.Data.Scheduled, &s.Pulse.Data.Working, &s.Pulse.Data.Expired, &s.Pulse.Data.Failed} {
				*c = model.Count{N: n, Trust: model.Exact}
			}
			line := ansi.Strip(figures(env(w, 9), pulse(s), 1, kit.Drain{}, false))
			if got := ansi.StringWidth(line); got != w {
				t.Errorf("%d cells wide, not %d: %q", got, w, line)
			}
			var places []int
			line = strings.ReplaceAll(line, "▲", "^") // a cell, and more bytes
			for _, l := range labels {
				places = append(places, strings.Index(line, l))
			}
			if up := strings.Contains(line, "^"); up != (n > 0) {
				t.Errorf("with %d ready it says that it went up: %v", n, up)
			}
			if first == nil {
				first = places
			}
			if fmt.Sprint(places) != fmt.Sprint(first) {
				t.Errorf("in %d cells with %d: the labels stand at %v, not at %v: %q", w, n, places, first, line)
			}
		}
	}
}

func pulse(s *model.Snapshot) *model.Pulse {
	p := s.Figures()
	return &p
}

func TestFiguresGiveWay(t *testing.T) {
	for w, want := range map[int]string{
		140: "READY SCHEDULED WORKING EXPIRED FAILED DONE DRAIN", 100: "READY SCHEDULED WORKING EXPIRED FAILED DRAIN", 80: "READY SCHED WORK EXP FAIL DRAIN", 60: "READY WORK EXP FAIL", 40: "READY WORK EXP", 30: "READY WORK",
	} {
		s := fixture.Snapshot()
		s.Page = model.Part[model.Page]{}
		s.Pulse.Data.Corrupt = model.Count{}
		line := ansi.Strip(figures(env(w, 9), pulse(s), 0, kit.Drain{}, false))
		var got []string
		for f := range strings.FieldsSeq(line) {
			if f[0] >= 'A' && f[0] <= 'Z' {
				got = append(got, f)
			}
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("in %d cells: %q, not %q", w, s, want)
		}
	}
}

// TestColumnsOfABareTable holds that what a table does not record has no column.
func TestColumnsOfABareTable(t *testing.T) {
	titles := func(fs []field) string {
		var out []string
		for _, f := range fs {
			out = append(out, f.Title)
		}
		return strings.Join(out, " ")
	}
	for got, want := range map[string]string{
		titles(working(fixture.Mapping(), 5, 120)): "JOB TRY WORKER TOKEN HELD LEASE BEAT NOTE",
		titles(working(fixture.Bare(), 5, 120)):    "JOB TOKEN HELD LEASE NOTE",
		titles(ready(fixture.Mapping(), 5, 120)):   "JOB PRIO WAITING TRY SINCE NOTE",
		titles(ready(fixture.Bare(), 5, 120)):      "JOB WAITING NOTE",
		titles(failed(fixture.Mapping(), 5, 120)):  "JOB PRIO TRY WORKER FAILED ERROR",
		titles(failed(fixture.Bare(), 5, 120)):     "JOB",
	} {
		if got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
}

// TestNoticesDoNotJump holds that the list below does not move up and down with
// every finding that comes and goes.
func TestNoticesDoNotJump(t *testing.T) {
	with := func(n int) *model.Snapshot {
		s := fixture.Snapshot()
		s.Findings = nil
		for i := range n {
			s.Findings = append(s.Findings, model.Finding{Severity: model.Warn, Text: fmt.Sprint("finding ", i)})
		}
		return s
	}
	var n notices
	e := env(120, 37)
	for i, c := range []struct{ findings, lines int }{{0, 1}, {2, 2}, {0, 2}, {2, 2}, {1, 2}, {5, 3}} {
		n.take(with(c.findings), 120)
		if got := n.lines(e, 3); got != c.lines {
			t.Errorf("step %d: %d lines for %d findings, not %d", i, got, c.findings, c.lines)
		}
	}
	if view := ansi.Strip(strings.Join(n.view(e, 3), "\n")); !strings.Contains(view, "+2 more") {
		t.Errorf("it does not say how many there are besides:\n%s", view)
	}
	for range kit.Patience + 2 {
		n.take(with(0), 120)
	}
	if got := n.lines(e, 3); got != 1 {
		t.Errorf("after a while it still takes %d lines", got)
	}
	n.take(with(5), 40)
	n.take(with(0), 120)
	if got := n.lines(e, 3); got != 1 {
		t.Errorf("on a wider screen it still takes %d lines", got)
	}
}

func TestWaitingGolden(t *testing.T) {
	never := fixture.Snapshot()
	never.Pulse, never.Page, never.Findings = model.Part[model.Pulse]{}, model.Part[model.Page]{}, nil
	never.Watch = model.Watch{Health: model.Broken, Err: &model.Fault{
		Class: model.FaultReshaped, Code: 207, Op: "pulse", Text: "Invalid column name 'LeaseUntil'.", Cure: "map the lease to the column that the table has, or choose another profile",
	}}
	s := New("orders")
	e := env(70, 12, never)
	s.Update(e, kit.News{})
	shot.Golden(t, "broken", shot.Of(strings.Join(s.View(e), "\n"), 70, 12))
	never.Watch = model.Watch{Health: model.Connecting}
	s.Update(e, kit.News{})
	shot.Golden(t, "connecting", shot.Of(strings.Join(s.View(e), "\n"), 70, 12))
}

// TestForecastOfCounts holds that without exact rates the counts of the last two
// minutes tell, and say that they are about.
func TestForecastOfCounts(t *testing.T) {
	s := fixture.Snapshot()
	s.In.Trust = model.Estimated
	u := sit(t, 140, 37, s)
	u.expect("DRAIN steady")
	u = &user{T: t, Screen: New("orders"), e: env(140, 37, s)}
	u.e.History = &history{ready: func(age time.Duration) float64 { return 1284 + 2*age.Seconds() }}
	u.Update(u.e, kit.News{})
	u.expect("DRAIN ~10m")
}

// TestCaptions holds what the charts' edges say besides.
func TestCaptions(t *testing.T) {
	s := fixture.Snapshot()
	s.Latency = model.Part[model.Latency]{At: fixture.Now(), Data: model.Latency{P50: 1200 * time.Millisecond, P95: 4 * time.Second, P99: 9 * time.Second, N: model.Count{N: 80, Trust: model.Exact}}}
	age := func(prio int64, d time.Duration) model.Oldest {
		return model.Oldest{Key: fixture.Key(prio), Priority: model.NumberOf(prio), Waiting: model.Age{D: d, Trust: model.Exact}}
	}
	s.Pulse.Data.ByPriority = []model.Oldest{age(1, 6*time.Minute), age(5, 12*time.Second)}
	for w, want := range map[int][]string{
		120: {"priority 1 6m00s · 5 10s", "in work p50 2s p95 5s p99 10s"}, 80: {"15 min · in work p50 2s p95 5s p99 10s", "per second in 12.0"},
	} {
		u := sit(t, w, 37, s)
		u.expect(want...)
	}
	s.Pulse.Data.ByPriority = append(s.Pulse.Data.ByPriority, age(6, 0), age(7, 0), age(8, 0))
	if got := byPriority(&s.Pulse.Data); !strings.HasSuffix(got, "7 0s · …") {
		t.Errorf("%q", got)
	}
	s.Pulse.Data.ByPriority[0].Priority = model.Number{}
	if got := byPriority(&s.Pulse.Data); !strings.HasPrefix(got, "priority none 6m00s · 5 10s") {
		t.Errorf("%q", got)
	}
	s.Latency.Data.N.N = 0
	if got := took(&s.Latency); got != "" {
		t.Errorf("of no job: %q", got)
	}
}
