package ui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/poller"
	"github.com/leasetop/leasetop/themes"
	"github.com/leasetop/leasetop/ui/kit"
	"github.com/leasetop/leasetop/ui/screens/queue"
	"github.com/leasetop/leasetop/ui/screens/queues"
)

// App is the root of the user interface.
type App struct {
	o   Options
	env kit.Env

	width, height int
	theme         themes.Theme
	dark          bool
	profile       colorprofile.Profile

	stack  []kit.Screen               // the one on top is drawn; never empty
	dialog kit.Dialog                 // nil: none is open
	said   kit.Say                    // one line until the next key
	ids    int                        // names dialogs in answers
	runs   map[int]context.CancelFunc // of the acts on several jobs that are under way, by their dialog

	reel    reel
	palette palette
	mouse   bool

	wanted  poller.Want
	ticking bool
	cost    meter

	frame string // the last drawing
	stale bool   // frame is not what would be drawn now
}

// New makes the root model of a program.
func New(o Options) tea.Model { return newApp(o) }

func newApp(o Options) *App {
	if o.Context == nil {
		o.Context = context.Background()
	}
	theme, ok := themes.ByName(o.Theme)
	if !ok {
		theme = themes.All()[0]
	}
	a := &App{o: o, runs: map[int]context.CancelFunc{}, theme: theme, dark: !o.Light, profile: colorprofile.TrueColor, stale: true, mouse: !o.NoMouse}
	a.env = kit.Env{ASCII: o.ASCII, Zone: time.UTC, History: o.History}
	if o.Local {
		a.env.Zone = time.Local
	}
	if o.Mark != nil {
		a.env.Mark = func(server string) (themes.Token, bool) { return themes.MarkNamed(o.Mark(server)) }
	}
	if o.Desk != nil {
		a.env.Judge = o.Desk
	}
	if o.Carried != nil {
		a.env.Carried = func(queue string, k model.Key) (model.Payload, time.Time) { return o.Carried(queue, k, a.reel.at) }
	}
	b := o.Feed.Board()
	a.env.Board, a.env.Live = b, b
	a.stack = []kit.Screen{home(b)}
	if o.First != "" { // the list is one step back
		a.stack = []kit.Screen{queues.New(), queue.New(o.First)}
		a.env.Beside = true
	}
	if o.Notice != "" {
		a.said = kit.Say{Tone: themes.Warn, Text: o.Notice}
	}
	a.restyle()
	return a
}

// home is the first screen: the queue if there is one only, else the list.
func home(b *model.Board) kit.Screen {
	if b != nil && len(b.Queues) == 1 {
		return queue.New(b.Queues[0].Queue)
	}
	return queues.New()
}

// Init implements tea.Model. The background's colour is asked for and never
// waited for: many terminals do not answer.
func (a *App) Init() tea.Cmd {
	var open tea.Cmd
	if a.o.Replay {
		said := a.said
		open = a.goTo(a.o.Begin)
		a.said = said
	}
	return tea.Batch(tea.RequestBackgroundColor, a.listen(), a.notice(), open, a.tell(kit.News{}), a.follow())
}

// Update implements tea.Model.
func (a *App) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	var cmd tea.Cmd
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		a.width, a.height = msg.Width, msg.Height
		cmd = a.tell(kit.News{})
	case tea.ColorProfileMsg:
		a.profile = msg.Profile
		cmd = a.restyle()
	case tea.BackgroundColorMsg:
		a.dark = msg.IsDark()
		cmd = a.restyle()
	case rang:
		cmd = a.rang()
	case tick:
		a.tick(msg)
	case tea.KeyPressMsg:
		cmd = a.key(msg)
	case tea.PasteMsg:
		cmd = a.paste(msg)
	case tea.MouseClickMsg:
		cmd = a.click(msg.Mouse())
	case tea.MouseWheelMsg:
		cmd = a.wheel(msg.Mouse())
	default:
		var ok bool
		if cmd, ok = a.answer(msg); !ok {
			return a, nil
		}
	}
	a.stale = true
	return a, tea.Batch(cmd, a.follow())
}

// View implements tea.Model. What has not changed is not drawn again.
func (a *App) View() tea.View {
	if a.stale {
		a.frame, a.stale = a.draw(), false
	}
	v := tea.NewView(a.frame)
	v.AltScreen = true
	if a.mouse {
		v.MouseMode = tea.MouseModeCellMotion // what moves without a button is not reported
	}
	return v
}

func (a *App) top() kit.Screen { return a.stack[len(a.stack)-1] }

// hand gives a message to the dialog, or to the screen on top.
func (a *App) hand(msg tea.Msg) tea.Cmd {
	if a.dialog != nil {
		return a.do(a.dialog.Update(a.area(), msg))
	}
	return a.do(a.top().Update(a.area(), msg))
}

// paste gives what was pasted to who is being typed into.
func (a *App) paste(msg tea.PasteMsg) tea.Cmd {
	if a.palette.open {
		a.palette.typed.Update(msg)
		return nil
	}
	return a.hand(msg)
}

// tell gives news or an answer to every screen and the dialog.
func (a *App) tell(msg tea.Msg) tea.Cmd {
	var cmds []tea.Cmd
	for _, s := range a.stack {
		cmds = append(cmds, a.do(s.Update(a.area(), msg)))
	}
	if a.dialog != nil {
		cmds = append(cmds, a.do(a.dialog.Update(a.area(), msg)))
	}
	return tea.Batch(cmds...)
}

// restyle makes the styles for what the terminal is known to be.
func (a *App) restyle() tea.Cmd {
	a.env.Styles = a.theme.Styles(a.dark, a.profile)
	return a.tell(kit.News{})
}

// follow tells the feed what is on the screen, and keeps the clock running while
// something is shown whose age matters.
func (a *App) follow() tea.Cmd {
	if s := a.top().Subject(); !a.env.Past { // what is watched goes on while one looks back
		if w := (poller.Want{Queue: s.Queue, View: s.View}); w != a.wanted {
			a.wanted = w
			a.o.Feed.Want(w)
		}
	}
	switch {
	case a.ticking:
		return nil
	case !a.ages():
		a.env.Now = time.Time{} // it stands still now, and would be taken for the time later
		return nil
	}
	a.ticking = true
	wait := time.Second
	if a.env.Now.IsZero() {
		wait = time.Millisecond
	}
	return tea.Tick(wait, func(t time.Time) tea.Msg { return tick(t) })
}

// ages reports whether the age of what is shown has to be counted up: while the
// queue answers, every answer brings the time.
func (a *App) ages() bool {
	s := a.subject()
	return !a.env.Past && s != nil && s.Watch.Health != model.Live && s.Watch.Health != model.Connecting
}

// subject is the snapshot of the queue on the screen, nil on a list of queues.
func (a *App) subject() *model.Snapshot { return a.env.Board.Queue(a.top().Subject().Queue) }
