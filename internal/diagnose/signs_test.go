package diagnose

import (
	"testing"
	"time"

	"github.com/leasetop/leasetop/model"
)

func TestRowsThatLeft(t *testing.T) {
	type waits struct {
		ready, scheduled model.Count
		enqueued         model.Counter
	}
	counter := func(n int64, epoch string) model.Counter {
		return model.Counter{Count: model.Count{N: n, Trust: model.Estimated}, Epoch: epoch}
	}
	full := model.Count{N: 10_000, Trust: model.Capped}
	cases := []struct {
		name          string
		before, after waits
		n             int64
		ok            bool
	}{
		{"nothing moved", waits{exact(5), exact(1), counter(9, "")}, waits{exact(5), exact(1), counter(9, "")}, 0, true},
		{"two of three arrivals are gone", waits{exact(5), exact(1), counter(9, "")}, waits{exact(6), exact(1), counter(12, "")}, 2, true},
		{"a scheduled row became ready", waits{exact(5), exact(1), counter(9, "")}, waits{exact(6), exact(0), counter(9, "")}, 0, true},
		{"a scheduled row was claimed", waits{exact(5), exact(1), counter(9, "")}, waits{exact(5), exact(0), counter(9, "")}, 1, true},
		{"a row came back", waits{exact(5), exact(1), counter(9, "")}, waits{exact(5), exact(2), counter(9, "")}, 0, true},
		{"a table without scheduled rows", waits{exact(5), model.Count{}, counter(9, "")}, waits{exact(4), model.Count{}, counter(9, "")}, 1, true},
		{"not counted to the end now", waits{exact(5), exact(1), counter(9, "")}, waits{full, exact(1), counter(12, "")}, 0, false},
		{"not counted to the end before", waits{full, exact(1), counter(9, "")}, waits{exact(6), exact(1), counter(12, "")}, 0, false},
		{"scheduled rows not counted to the end", waits{exact(5), full, counter(9, "")}, waits{exact(4), full, counter(9, "")}, 0, false},
		{"ready not known now", waits{exact(5), exact(1), counter(9, "")}, waits{model.Count{}, exact(1), counter(12, "")}, 0, false},
		{"ready not known before", waits{model.Count{}, exact(1), counter(9, "")}, waits{exact(5), exact(1), counter(12, "")}, 0, false},
		{"no counter now", waits{exact(5), exact(1), counter(9, "")}, waits{exact(4), exact(1), model.Counter{}}, 0, false},
		{"no counter before", waits{exact(5), exact(1), model.Counter{}}, waits{exact(4), exact(1), counter(9, "")}, 0, false},
		{"another counter", waits{exact(5), exact(1), counter(9, "a")}, waits{exact(5), exact(1), counter(900, "b")}, 0, false},
	}
	pulse := func(w waits) model.Pulse {
		return model.Pulse{Ready: w.ready, Scheduled: w.scheduled, Enqueued: w.enqueued}
	}
	for _, c := range cases {
		now := pulse(c.after)
		watch := claims{last: pulse(c.before)}
		if n, ok := watch.left(&now); n != c.n || ok != c.ok {
			t.Errorf("%s: %d, %v; want %d, %v", c.name, n, ok, c.n, c.ok)
		}
	}
}

func TestHeadsThatWerePassed(t *testing.T) {
	head := func(priority, id int64, waits time.Duration) model.Oldest {
		o := model.Oldest{Key: key(id), Priority: model.NumberOf(priority)}
		if waits > 0 {
			o.Waiting = model.Age{D: waits, Trust: model.Exact}
		}
		return o
	}
	cases := []struct {
		name          string
		before, after []model.Oldest
		n             int64
		ok            bool
	}{
		{"the same rows, older", []model.Oldest{head(1, 7, 8), head(2, 9, 5)}, []model.Oldest{head(1, 7, 10), head(2, 9, 7)}, 0, true},
		{"the same rows, undated", []model.Oldest{head(1, 7, 0)}, []model.Oldest{head(1, 7, 0)}, 0, true},
		{"the same row, now dated", []model.Oldest{head(1, 7, 0)}, []model.Oldest{head(1, 7, 2)}, 0, true},
		{"one gave way to a younger", []model.Oldest{head(1, 7, 8), head(2, 9, 5)}, []model.Oldest{head(1, 8, 3), head(2, 9, 7)}, 1, true},
		{"one gave way to an older", []model.Oldest{head(1, 7, 8)}, []model.Oldest{head(1, 8, 60)}, 0, true},
		{"one gave way to an undated", []model.Oldest{head(1, 7, 0)}, []model.Oldest{head(1, 8, 0)}, 1, true},
		{"a priority is empty", []model.Oldest{head(1, 7, 8), head(2, 9, 5)}, []model.Oldest{head(2, 9, 7)}, 1, true},
		{"a priority is new", []model.Oldest{head(2, 9, 5)}, []model.Oldest{head(1, 7, 1), head(2, 9, 7)}, 0, true},
		{"none was known", nil, []model.Oldest{head(1, 7, 1)}, 0, false},
		{"none has a key", []model.Oldest{{Waiting: model.Age{D: 5, Trust: model.Exact}}}, nil, 0, false},
	}
	for _, c := range cases {
		watch, now := claims{last: model.Pulse{ByPriority: c.before}}, model.Pulse{ByPriority: c.after}
		if n, ok := watch.passed(&now); n != c.n || ok != c.ok {
			t.Errorf("%s: %d, %v; want %d, %v", c.name, n, ok, c.n, c.ok)
		}
	}
	old, young := head(0, 7, 8), head(0, 8, 1)
	old.Priority, young.Priority = model.Number{}, model.Number{}
	watch, now := claims{last: model.Pulse{Oldest: &old}}, model.Pulse{Oldest: &young}
	if n, ok := watch.passed(&now); n != 1 || !ok {
		t.Errorf("without priorities: %d, %v", n, ok)
	}
}

func TestTheUsualGap(t *testing.T) {
	c := claims{}
	for _, g := range []time.Duration{time.Hour, 4 * time.Second, 4 * time.Second, 4 * time.Second} {
		c.learn(g) // the first began when the watching did
	}
	if c.gap != 4*time.Second || c.gaps != 4 {
		t.Errorf("four gaps: %v, %d", c.gap, c.gaps)
	}
	c.learn(9 * time.Second)
	if c.gap != 5*time.Second {
		t.Errorf("a longer one moves it to %v, want a fifth of the way", c.gap)
	}
	c.learn(24 * time.Hour)
	if c.gap != 16*time.Second {
		t.Errorf("a stall moves it to %v, want what a minute moves it to", c.gap)
	}
}

func TestTheLimitOfQuiet(t *testing.T) {
	busy := facts{figures: model.Pulse{Working: exact(3), Expired: exact(1)}}
	idle := facts{figures: model.Pulse{Working: exact(3), Expired: exact(3)}}
	cases := []struct {
		name string
		c    claims
		f    facts
		want time.Duration
	}{
		{"usually often", claims{gap: time.Second, gaps: learned}, busy, stallLeast},
		{"usually seldom", claims{gap: time.Minute, gaps: learned}, busy, 10 * time.Minute},
		{"usual not known, nobody works", claims{gap: time.Minute, gaps: learned - 1}, idle, stallLeast},
		{"usual not known, somebody works", claims{gap: time.Second, gaps: learned - 1}, busy, 1<<63 - 1},
		{"nothing known", claims{}, facts{}, stallLeast},
	}
	for _, c := range cases {
		if got := c.c.limit(c.f); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestUsuallySeveralASecond(t *testing.T) {
	s := watch(t, backlog(9, 0))
	s.pass(time.Minute, func(int) { s.pulse.Completed = model.Flow{Count: exact(20), Over: 2 * time.Second} })
	s.still()
	s.pass(90*time.Second, nil)
	f, _ := s.poll()
	if want := "9 ready and no claim seen for 1m30s; usually several a second"; f.Text != want {
		t.Errorf("got  %q\nwant %q", f.Text, want)
	}
}
