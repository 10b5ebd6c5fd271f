package queues

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/leasetop/leasetop/internal/tape"
	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/themes"
	"github.com/leasetop/leasetop/themes/spot"
	"github.com/leasetop/leasetop/ui/internal/fixture"
	"github.com/leasetop/leasetop/ui/internal/shot"
	"github.com/leasetop/leasetop/ui/kit"
)

func named(name string, f func(*model.Snapshot)) *model.Snapshot {
	s := fixture.Snapshot()
	s.Queue, s.Findings = name, nil
	f(s)
	return s
}

func board() *model.Board {
	return fixture.Board(
		named("billing", func(*model.Snapshot) {}),
		named("audit", func(*model.Snapshot) {}),
		named("orders", func(s *model.Snapshot) { s.Findings = fixture.Snapshot().Findings }),
		named("mail", func(s *model.Snapshot) {
			s.Pulse, s.Page, s.In, s.Out = model.Part[model.Pulse]{}, model.Part[model.Page]{}, model.Rate{}, model.Rate{}
			s.Watch = model.Watch{Health: model.Down, RetryAt: fixture.Now().Add(time.Minute), Err: &model.Fault{Text: "connection refused"}}
		}),
		named("labels", func(s *model.Snapshot) { s.Watch.Health = model.Stale }),
	)
}

func TestWorstFirst(t *testing.T) {
	e := &kit.Env{Width: 100, Height: 9, Styles: spot.Styles(), Board: board()}
	s := New()
	s.Update(e, kit.News{})
	var order []string
	for _, q := range s.queues {
		order = append(order, q.Queue)
	}
	if got := strings.Join(order, " "); got != "mail orders labels audit billing" {
		t.Errorf("the order is %s", got)
	}
	shot.Golden(t, "worst-first", shot.Of(strings.Join(s.View(e), "\n"), 100, 9))
}

func TestOpens(t *testing.T) {
	e := &kit.Env{Width: 100, Height: 9, Styles: spot.Styles(), Board: board()}
	s := New()
	s.Update(e, kit.News{})
	s.Update(e, tea.KeyPressMsg{Code: tea.KeyDown})
	if a := s.Update(e, tea.KeyPressMsg{Code: tea.KeyEnter}); a != (kit.OpenQueue{Queue: "orders"}) {
		t.Errorf("it opens %v", a)
	}
	if a := New().Update(e, tea.KeyPressMsg{Code: tea.KeyEnter}); a != nil {
		t.Errorf("with no queue it opens %v", a)
	}
}

// TestNoJitter holds that a queue goes up at once and down after a while, and that
// nothing else moves it.
func TestNoJitter(t *testing.T) {
	e := &kit.Env{Width: 100, Height: 9, Styles: spot.Styles()}
	s := New()
	show := func(bad bool) string {
		a, b := named("a", func(*model.Snapshot) {}), named("b", func(*model.Snapshot) {})
		if bad {
			b.Watch.Health = model.Stale
		}
		e.Board = fixture.Board(a, b)
		s.Update(e, kit.News{})
		return s.queues[0].Queue + s.queues[1].Queue
	}
	if got := show(false); got != "ab" {
		t.Fatalf("calm: %s", got)
	}
	if got := show(true); got != "ba" {
		t.Errorf("one is stale: %s", got)
	}
	for i := range kit.Patience {
		if got := show(false); got != "ba" {
			t.Fatalf("after %d good boards: %s", i+1, got)
		}
	}
	if got := show(false); got != "ab" {
		t.Errorf("after a while: %s", got)
	}
}

// TestTheFirstMinuteIsShown holds that the minute that is under way has its place in
// the sparkline.
func TestTheFirstMinuteIsShown(t *testing.T) {
	tp := tape.New(tape.Options{})
	e := &kit.Env{Width: 120, Height: 9, Styles: spot.Styles(), History: tp, Board: fixture.Board(named("orders", func(*model.Snapshot) {}))}
	tp.Observe(e.Board.Queues[0])
	s := New()
	s.Update(e, kit.News{})
	if got := s.queues[0].spark; got != "       █" {
		t.Errorf("it draws %q", got)
	}
}

// grown is a curve that has grown for eight minutes and was not watched before.
type grown struct{ asked int }

func (g *grown) Series(_ string, m tape.Metric, to time.Time, per time.Duration, cols int) []tape.Bucket {
	g.asked++
	out := make([]tape.Bucket, cols)
	for i := range out {
		out[i] = tape.Bucket{Max: float64(i * 10), Mean: 1284 - 2*float64(i)*per.Seconds(), Gap: i == 0 && m == tape.OldestReady}
	}
	return out
}

// TestCurves holds that each queue shows its own last minutes, that they are read
// once a bucket, and that the forecast comes from them.
func TestCurves(t *testing.T) {
	g := &grown{}
	e := &kit.Env{Width: 120, Height: 9, Styles: spot.Styles(), History: g}
	s := New()
	for range 10 {
		e.Board = fixture.Board(named("orders", func(q *model.Snapshot) { q.In.Trust = model.Estimated }))
		s.Update(e, kit.News{})
	}
	if got := s.queues[0].spark; got != " ▂▃▄▅▆▇█" {
		t.Errorf("it draws %q", got)
	}
	if g.asked != 2 {
		t.Errorf("the curves were read %d times", g.asked)
	}
	if got := s.queues[0].drain.String(); got != "~10m" {
		t.Errorf("it drains in %s", got)
	}
	if got := sparkline(make([]tape.Bucket, 3)); got != "▁▁▁" {
		t.Errorf("no age at all: %q", got)
	}
	if got := sparkline([]tape.Bucket{{Gap: true}, {Max: 10}}); got != " ▂" {
		t.Errorf("a few seconds: %q", got)
	}
}

// TestMarkedServers holds that a server's colour stands before its queues, and that
// several servers are named.
func TestMarkedServers(t *testing.T) {
	other := named("audit", func(q *model.Snapshot) { q.Server = "stage" })
	e := &kit.Env{Width: 120, Height: 9, Styles: spot.Styles(), Board: fixture.Board(other, named("orders", func(*model.Snapshot) {}))}
	e.Mark = func(server string) (themes.Token, bool) { return themes.MarkBlue, server == "prod" }
	s := New()
	s.Update(e, kit.News{})
	shot.Golden(t, "marked", shot.Of(strings.Join(s.View(e), "\n"), 120, 5))
}

// A destructive queue leases nothing: its locked rows are not shown as working.
func TestADestructiveQueueHasNothingWorking(t *testing.T) {
	s := fixture.RowsEmulated()
	l := newLine()
	l.Snapshot, l.figures = s, s.Figures()
	if !l.figures.Working.Known() {
		t.Fatal("the fixture has no locked rows")
	}
	if c := working(nil, l); c.Text != text.Unknown {
		t.Errorf("working is %q", c.Text)
	}
}
