package queue

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/ui/internal/fixture"
	"github.com/leasetop/leasetop/ui/kit"
)

// press is a key by the name that Bubble Tea gives it.
func press(name string) tea.KeyPressMsg {
	codes := map[string]rune{"enter": tea.KeyEnter, "esc": tea.KeyEscape, "tab": tea.KeyTab, "up": tea.KeyUp, "down": tea.KeyDown, "end": tea.KeyEnd, "backspace": tea.KeyBackspace}
	switch {
	case codes[name] != 0:
		return tea.KeyPressMsg{Code: codes[name]}
	case name == "space":
		return tea.KeyPressMsg{Code: tea.KeySpace, Text: " "}
	}
	return tea.KeyPressMsg{Code: []rune(name)[0], Text: name}
}

// yes allows everything.
type yes struct{}

func (yes) Allowed(string, model.Action, *model.Job, time.Time) model.Verdict { return model.Yes() }

// user is a person at the screen of one queue.
type user struct {
	*testing.T
	*Screen
	e *kit.Env
}

func sit(t *testing.T, width, height int, s *model.Snapshot) *user {
	t.Helper()
	u := &user{T: t, Screen: New("orders"), e: env(width, height, s)}
	u.e.Judge = yes{}
	u.Update(u.e, kit.News{})
	return u
}

// polled shows another snapshot.
func (u *user) polled(s *model.Snapshot) {
	u.e.Board = fixture.Board(s)
	u.Update(u.e, kit.News{})
}

// keys presses keys, and gives what the last one asked for.
func (u *user) keys(names ...string) (last kit.Action) {
	for _, n := range names {
		last = u.Update(u.e, press(n))
	}
	return last
}

// types presses a key for every letter.
func (u *user) types(s string) {
	for _, r := range s {
		if r == ' ' {
			u.keys("space")
			continue
		}
		u.keys(string(r))
	}
}

func (u *user) text() string { return ansi.Strip(strings.Join(u.View(u.e), "\n")) }

func (u *user) expect(what ...string) {
	u.Helper()
	for _, w := range what {
		if !strings.Contains(u.text(), w) {
			u.Errorf("%q is not on the screen:\n%s", w, u.text())
		}
	}
}

func (u *user) expectNot(what ...string) {
	u.Helper()
	for _, w := range what {
		if strings.Contains(u.text(), w) {
			u.Errorf("%q is on the screen:\n%s", w, u.text())
		}
	}
}

// rows are the keys of the rows that are shown.
func (u *user) rows() string {
	var out []string
	src := u.list().shown()
	for i := range src.Len() {
		out = append(out, src.row(i).Key.String())
	}
	return strings.Join(out, " ")
}

// footer names the keys that are offered.
func (u *user) footer() string {
	var out []string
	for _, k := range u.Keys(u.e) {
		if !k.Quiet {
			out = append(out, k.Help().Key+" "+k.Help().Desc)
		}
	}
	return strings.Join(out, ", ")
}

// TestFilterLive holds that the list follows every letter, that its scope is said,
// and that keys are text while the filter is written.
func TestFilterLive(t *testing.T) {
	u := sit(t, 100, 30, fixture.Snapshot())
	u.keys("/")
	if !u.Subject().Typing {
		t.Fatal("the root still takes keys for its own")
	}
	u.types("pick-07")
	u.expect("/ pick-07", "3 of the 32 listed")
	if got := u.rows(); got != "10421 10477 10489" {
		t.Errorf("it shows %s", got)
	}
	u.types(" !expired")
	if got := u.rows(); got != "10477 10489" {
		t.Errorf("with the inverse it shows %s", got)
	}
	if got := u.list().job().Key; got != fixture.Key(10477) {
		t.Errorf("the cursor is on %v", got)
	}
	if got := u.footer(); got != "↵ keep the filter, esc clear the filter" {
		t.Errorf("while typing it offers %s", got)
	}
	u.keys("enter")
	if u.Subject().Typing {
		t.Error("Enter does not end it")
	}
	u.polled(fixture.Snapshot())
	u.expect("/ pick-07 !expired", "2 of the 32 listed")
	u.keys("esc")
	u.expectNot("listed")
	if got := len(strings.Fields(u.rows())); got != 32 {
		t.Errorf("after Esc %d rows are shown", got)
	}
	if got := u.list().job().Key; got != fixture.Key(10477) {
		t.Errorf("after Esc the cursor is on %v", got)
	}
}

// TestFilterScope holds that a cut list is said to be one.
func TestFilterScope(t *testing.T) {
	u := sit(t, 80, 21, fixture.ReadyList())
	u.keys("2", "/")
	u.types("carrier")
	u.expect("1 of the 40 listed, not of all")
	u.types("zzz")
	u.expect("no row matches the filter", "0 of the 40")
	for range 3 {
		u.keys("backspace")
	}
	u.expect("retry: HTTP 503 from the carrier")
}

// TestMarksStay holds that marks stay on their claims over polls, tabs and other
// orders, and that what left is counted.
func TestMarksStay(t *testing.T) {
	u := sit(t, 100, 30, fixture.Snapshot())
	u.keys("space", "space", "space")
	u.expect("■ 10421", "■ 10439", "3 marked")
	if got := u.list().job().Key; got != fixture.Key(10455) {
		t.Errorf("after three marks the cursor is on %v", got)
	}
	if f := u.footer(); !strings.Contains(f, "r reclaim 3, f force 3, e extend 3, d dead-letter 3") || !strings.Contains(f, "esc clear the marks") {
		t.Errorf("it offers %s", f)
	}
	u.keys("2", "1")
	u.expect("3 marked")

	next := fixture.Snapshot()
	again := *next.Page.Data.Jobs[1] // 10433 was taken back and claimed anew
	again.Token = fixture.Token(1)
	next.Page.Data.Jobs = append([]*model.Job{&again}, next.Page.Data.Jobs[2:]...) // 10421 is gone
	u.polled(next)
	u.expect("3 marked, 2 gone")
	ask, ok := u.keys("r").(kit.AskBulk)
	if !ok || len(ask.Jobs) != 1 || ask.Jobs[0].Key != fixture.Key(10439) || ask.Action != model.Reclaim || ask.Queue != "orders" || ask.What != "marked" || !ask.At.Equal(fixture.Now()) {
		t.Errorf("it asks for %+v", ask)
	}
	u.polled(fixture.Snapshot())
	u.expect("3 marked")
	u.expectNot("gone")
	u.keys("esc")
	u.expectNot("marked", "■ ")
	if _, ok := u.keys("r").(kit.Ask); !ok {
		t.Error("without marks the act is not about one job")
	}
}

// TestMarksOfAFilter marks what a filter shows, and what it does not.
func TestMarksOfAFilter(t *testing.T) {
	u := sit(t, 100, 30, fixture.Snapshot())
	u.keys("/")
	u.types("note:expired")
	u.keys("enter")
	if f := u.footer(); !strings.Contains(f, "A mark all that match") {
		t.Errorf("it offers %s", f)
	}
	ask, ok := u.keys("A", "r").(kit.AskBulk)
	if !ok || len(ask.Jobs) != 3 {
		t.Errorf("it asks for %+v", ask)
	}
	u.keys("*")
	if n := u.list().marks.Len(); n != 0 {
		t.Errorf("inverted, %d are marked", n)
	}
	u.keys("space", "*")
	u.expect("2 marked")
	u.keys("esc", "esc", "*")
	u.expect("32 marked")
}

// TestSorts goes through the columns; the cursor follows its row.
func TestSorts(t *testing.T) {
	u := sit(t, 100, 30, fixture.Snapshot())
	u.keys("down")
	u.keys("s")
	u.expect("JOB↑")
	u.keys("S")
	u.expect("JOB↓")
	if got := u.rows()[:5]; got != "10495" {
		t.Errorf("the first is %s", got)
	}
	if got := u.list().job().Key; got != fixture.Key(10433) {
		t.Errorf("the cursor is on %v", got)
	}
	u.keys("s")
	u.expect("TRY↑")
	u.keys("S")
	if got := u.rows()[:11]; got != "10433 10421" {
		t.Errorf("by attempts the first are %s", got)
	}
	for u.list().order.Title != "" {
		u.keys("s")
	}
	u.expectNot("↑", "↓")
	if got := u.rows()[:11]; got != "10421 10433" {
		t.Errorf("as it came the first are %s", got)
	}
}

// TestMarkOnNothing says so.
func TestMarkOnNothing(t *testing.T) {
	u := sit(t, 80, 21, fixture.Snapshot())
	u.keys("2")
	if say, ok := u.keys("space").(kit.Say); !ok || !strings.Contains(say.Text, "no row is chosen") {
		t.Errorf("it says %v", say)
	}
	u.keys("A", "*", "s", "S", "/", "x", "enter", "esc")
}

// TestRefusedForAll holds that an act on marked jobs is refused only if no marked job allows the act.
func TestRefusedForAll(t *testing.T) {
	u := sit(t, 80, 21, fixture.Snapshot())
	u.e.Judge = only{fixture.Key(10433)}
	u.keys("space")
	if say, ok := u.keys("r").(kit.Say); !ok || say.Text != "not that one" {
		t.Errorf("it says %v", say)
	}
	u.keys("space")
	if ask, ok := u.keys("r").(kit.AskBulk); !ok || len(ask.Jobs) != 2 {
		t.Errorf("it asks %v", fmt.Sprint(ask))
	}
}

// only allows acts on one job.
type only struct{ key model.Key }

func (o only) Allowed(_ string, _ model.Action, j *model.Job, _ time.Time) model.Verdict {
	if j == nil { // an act on the queue
		return model.Yes()
	}
	if j.Key == o.key {
		return model.Yes()
	}
	return model.No("not that one", "")
}
