// Package lessons is the classroom: a menu of lessons, and the stage on which one
// is played, with its actors side by side above the table that they share. It is a
// program of its own beside the dashboard.
package lessons

import (
	"context"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"github.com/leasetop/leasetop/internal/drill/lesson"
	"github.com/leasetop/leasetop/themes"
	"github.com/leasetop/leasetop/ui/kit"
)

// Player plays one half of a lesson. Its methods are called one at a time, each on
// a goroutine of its own.
type Player interface {
	Stage() lesson.Stage
	Answer(choice int)
	Next(ctx context.Context) error
	Back(ctx context.Context) error
	Restart(ctx context.Context) error
	Close(ctx context.Context) error
}

// Options are what the classroom is made of.
type Options struct {
	// Context ends the calls that are under way; nil: none ends before its time.
	Context context.Context

	Lessons []lesson.Lesson
	// Open makes the queue of a half.
	Open func(ctx context.Context, l lesson.Lesson, w lesson.Which) (Player, error)

	First int // the number of the lesson to begin with; 0: the menu
	Theme string
	Light bool // the ground is taken to be light until the terminal says
	ASCII bool
}

// App is the classroom's root.
type App struct {
	o       Options
	env     kit.Env
	theme   themes.Theme
	dark    bool
	profile colorprofile.Profile

	width, height int

	at     int    // the line of the menu
	player Player // nil: none is open
	stage  *lesson.Stage
	most   int // rows that the table had at the most, since the half was opened
	answer int // what was predicted for the next step, from 1; 0: nothing

	busy   bool           // a call is under way
	stop   func()         // ends it
	then   func() tea.Cmd // what is done once it is over, in place of what it brings; nil: nothing
	quits  bool
	failed error
	pane   pane
	place  kit.Pager // of what is read in it
	notes  bool

	auto  bool
	speed int
	beats int // names the running timer of the automatic play
}

// pane is what lies over the stage.
type pane uint8

const (
	noPane pane = iota
	sqlPane
	helpPane
)

// speeds are the pauses of automatic play, the slowest first.
var speeds = [...]time.Duration{6 * time.Second, 4 * time.Second, 2500 * time.Millisecond, 1200 * time.Millisecond}

// New makes the root model of the classroom.
func New(o Options) tea.Model {
	if o.Context == nil {
		o.Context = context.Background()
	}
	theme, ok := themes.ByName(o.Theme)
	if !ok {
		theme = themes.All()[0]
	}
	a := &App{o: o, theme: theme, dark: !o.Light, profile: colorprofile.TrueColor, speed: 1}
	a.env = kit.Env{ASCII: o.ASCII, Edge: themes.Training}
	for i, l := range o.Lessons {
		if l.Number == o.First {
			a.at = i
		}
	}
	a.restyle()
	return a
}

// Init implements tea.Model.
func (a *App) Init() tea.Cmd {
	if a.o.First != 0 {
		return tea.Batch(tea.RequestBackgroundColor, a.open(lesson.Bad))
	}
	return tea.RequestBackgroundColor
}

// Update implements tea.Model.
func (a *App) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		a.width, a.height = msg.Width, msg.Height
	case tea.ColorProfileMsg:
		a.profile = msg.Profile
		a.restyle()
	case tea.BackgroundColorMsg:
		a.dark = msg.IsDark()
		a.restyle()
	case played:
		return a, a.took(msg)
	case dropped:
		a.failed = msg.err
	case beat:
		return a, a.beat(msg)
	case tea.KeyPressMsg:
		return a, a.key(msg)
	}
	return a, nil
}

// View implements tea.Model.
func (a *App) View() tea.View {
	v := tea.NewView(a.draw())
	v.AltScreen = true
	return v
}

func (a *App) restyle() { a.env.Styles = a.theme.Styles(a.dark, a.profile) }

func (a *App) draw() string {
	if a.width < leastWidth || a.height < leastHeight {
		return strings.Join(kit.Fit([]string{"leasetop needs 40x16"}, max(0, a.width), max(0, a.height)), "\n")
	}
	a.env.Width, a.env.Height = a.width, a.height-3
	var body []string
	if a.stage == nil {
		body = a.menu()
	} else {
		body = a.classroom()
	}
	body = kit.Fit(body, a.width, a.env.Height)
	if box := a.over(); box != nil {
		body = kit.Over(body, box, a.width)
	}
	lines := append(append([]string{a.header()}, body...), a.rule(), a.footer())
	frame := strings.Join(lines, "\n")
	if a.o.ASCII {
		frame = kit.ASCII(frame)
	}
	return frame
}

// The least size of a screen that a lesson can be followed on.
const leastWidth, leastHeight = 40, 16
