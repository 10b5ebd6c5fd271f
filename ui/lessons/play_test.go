package lessons

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/leasetop/leasetop/internal/drill/lesson"
	"github.com/leasetop/leasetop/ui/kit"
)

// slow is a player whose steps end only when they are told to.
type slow struct {
	t      *testing.T
	inStep bool
	closed int
}

func (p *slow) Stage() lesson.Stage {
	return lesson.Stage{Of: 3, Said: "it begins", Lanes: []lesson.Lane{{Actor: "worker A"}}}
}
func (p *slow) Answer(int)                    {}
func (p *slow) Back(context.Context) error    { return nil }
func (p *slow) Restart(context.Context) error { return nil }

func (p *slow) Next(ctx context.Context) error {
	p.inStep = true
	<-ctx.Done()
	p.inStep = false
	return ctx.Err()
}

func (p *slow) Close(context.Context) error {
	if p.inStep {
		p.t.Error("closed in the middle of a step")
	}
	p.closed++
	return nil
}

// class is an app on the stage of a slow player.
func class(t *testing.T, fails *bool) (*App, *slow) {
	t.Helper()
	p := &slow{t: t}
	a := New(Options{Lessons: lesson.All(), First: 1, Open: func(context.Context, lesson.Lesson, lesson.Which) (Player, error) {
		if *fails {
			return nil, errors.New("no room for another table")
		}
		return p, nil
	}}).(*App)
	a.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
	a.Update(a.open(lesson.Bad)())
	if a.stage == nil {
		t.Fatal("no stage")
	}
	return a, p
}

func press(a *App, code rune) tea.Cmd {
	k := tea.KeyPressMsg{Code: code}
	if code >= ' ' && code <= '~' {
		k.Text = string(code)
	}
	_, cmd := a.Update(k)
	return cmd
}

// TestWhoLeavesInAStepWaitsForIt leaves while a step is under way: the step is told
// to end, the queue is dropped only then, and what the step brought opens nothing.
func TestWhoLeavesInAStepWaitsForIt(t *testing.T) {
	never := false
	a, p := class(t, &never)
	step := press(a, tea.KeyEnter)
	came := make(chan tea.Msg, 1)
	go func() { came <- step() }()
	if cmd := press(a, tea.KeyEscape); cmd != nil {
		t.Error("leaving did not wait for the step")
	}
	if a.stage != nil || press(a, tea.KeyEnter) != nil {
		t.Error("the menu is not shown, or opens another lesson before the step is over")
	}
	_, drop := a.Update(<-came)
	if a.stage != nil || a.player != nil || a.busy || drop == nil {
		t.Fatalf("after the step: stage %v, player %v, busy %v", a.stage, a.player, a.busy)
	}
	drop()
	if p.closed != 1 {
		t.Errorf("closed %d times", p.closed)
	}
}

// TestQuittingInAStep quits while a step is under way: once it is over, or at once
// when asked twice.
func TestQuittingInAStep(t *testing.T) {
	never := false
	a, _ := class(t, &never)
	step := press(a, tea.KeyEnter)
	came := make(chan tea.Msg, 1)
	go func() { came <- step() }()
	if press(a, 'q') != nil {
		t.Error("it did not wait for the step")
	}
	if _, cmd := a.Update(<-came); cmd == nil || cmd() != tea.Quit() {
		t.Error("it does not quit once the step is over")
	}
	if cmd := press(a, 'q'); cmd == nil || cmd() != tea.Quit() {
		t.Error("asked twice it does not quit")
	}
}

// TestAHalfThatCannotBeOpened goes back to the menu and says why: the half before it
// is closed already.
func TestAHalfThatCannotBeOpened(t *testing.T) {
	fails := false
	a, p := class(t, &fails)
	fails = true
	press(a, 's')
	a.pane = sqlPane
	a.Update(a.open(lesson.Good)())
	if a.stage != nil || a.player != nil || p.closed != 1 || a.failed == nil {
		t.Errorf("stage %v, player %v, closed %d, failed %v", a.stage, a.player, p.closed, a.failed)
	}
	a.View()
	if press(a, tea.KeyEnter) == nil {
		t.Error("the lesson cannot be taken again")
	}
}

// TestAStepWithoutAStatement holds that the key of the T-SQL is offered only where
// there is some, and that a box which can be read at once offers no reading on.
func TestAStepWithoutAStatement(t *testing.T) {
	never := false
	a, _ := class(t, &never)
	offers := func(b kit.Binding) bool {
		return slices.ContainsFunc(a.keys(), func(k kit.Binding) bool { return k.Help() == b.Help() })
	}
	if offers(tsql) {
		t.Error("a statement is offered where none was sent")
	}
	a.stage.SQL = "SELECT 1"
	if !offers(tsql) {
		t.Error("the statement is not offered")
	}
	press(a, 's')
	if offers(kit.ReadOn) || !offers(closeKey) {
		t.Errorf("one line offers %v", a.keys())
	}
	a.stage.SQL = strings.Repeat("SELECT 1\n", 99)
	if !offers(kit.ReadOn) {
		t.Error("99 lines offer no reading on")
	}
}

// TestWhatIsSwitchedOnIsSeen holds that a presenter sees at once what his key did:
// most steps have no note, and the next beat is seconds away.
func TestWhatIsSwitchedOnIsSeen(t *testing.T) {
	never := false
	a, _ := class(t, &never)
	sees := func(words string, want bool) {
		t.Helper()
		if got := strings.Contains(ansi.Strip(a.draw()), words); got != want {
			t.Errorf("%q is seen: %v\n%s", words, got, ansi.Strip(a.draw()))
		}
	}
	sees("notes on", false)
	press(a, 'n')
	sees("notes on: none here", true)
	a.stage.Notes = "ask the room"
	sees("none here", false)
	sees("note: ask the room", true)
	press(a, 'n')
	sees("notes on", false)
	press(a, 'a')
	sees("playing, 4s a step", true)
	press(a, '+')
	sees("playing, 2.5s a step", true)
	press(a, 'a')
	sees("playing", false)
}
