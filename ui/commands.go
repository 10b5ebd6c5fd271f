package ui

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	tea "charm.land/bubbletea/v2"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/themes"
	"github.com/leasetop/leasetop/ui/kit"
)

// order is a command of the palette.
type order struct {
	name, arg, does string
	run             func(arg string) tea.Cmd
	values          func() []string // what arg can be, if that can be listed
}

// usage is the command in a few words.
func (o order) usage() string {
	s := o.does
	if o.arg != "" {
		s = o.arg + "  " + s
	}
	return s
}

// orders are the commands that there are now: those that take a word, and one for
// every key, made from the bindings themselves.
func (a *App) orders() []order {
	out := a.spoken()
	for _, b := range append(a.top().Keys(a.area()), a.everywhere()...) {
		name := commandName(b)
		if name == "" || b.Help() == command.Help() || slices.ContainsFunc(out, func(o order) bool { return o.name == name }) {
			continue
		}
		out = append(out, order{name: name, does: "as the key " + b.Label(a.o.ASCII), run: func(string) tea.Cmd { return a.key(keyPress(b.Keys()[0])) }})
	}
	return out
}

// commandName is what a key does, as one word. A pair of keys that go opposite ways
// has none: it only moves something.
func commandName(b kit.Binding) string {
	if len(strings.Fields(b.Help().Key)) != 1 || len(b.Keys()) == 0 {
		return ""
	}
	does, _, _ := strings.Cut(b.Help().Desc, ",")
	words := strings.FieldsFunc(strings.ToLower(does), func(r rune) bool { return !unicode.IsLetter(r) && r != '-' })
	return strings.Join(words, "-")
}

// special are the keys whose names are not their text.
func special() map[string]tea.KeyPressMsg {
	return map[string]tea.KeyPressMsg{
		"enter": {Code: tea.KeyEnter}, "esc": {Code: tea.KeyEscape}, "tab": {Code: tea.KeyTab}, "space": {Code: tea.KeySpace, Text: " "},
		"up": {Code: tea.KeyUp}, "down": {Code: tea.KeyDown}, "home": {Code: tea.KeyHome}, "end": {Code: tea.KeyEnd},
		"pgup": {Code: tea.KeyPgUp}, "pgdown": {Code: tea.KeyPgDown}, "backspace": {Code: tea.KeyBackspace}, "delete": {Code: tea.KeyDelete},
	}
}

// keyPress is the press of a key by the name that bindings use.
func keyPress(name string) tea.KeyPressMsg {
	if k, ok := special()[name]; ok {
		return k
	}
	if letter, ok := strings.CutPrefix(name, "ctrl+"); ok && letter != "" {
		return tea.KeyPressMsg{Code: []rune(letter)[0], Mod: tea.ModCtrl}
	}
	return tea.KeyPressMsg{Code: []rune(name)[0], Text: name}
}

func (a *App) named(name string) (order, bool) {
	all := a.orders()
	i := slices.IndexFunc(all, func(o order) bool { return o.name == name })
	if i < 0 {
		return order{}, false
	}
	return all[i], true
}

// names are the commands: first those that take a word, which no key has.
func (a *App) names() []string {
	var out []string
	for _, o := range a.orders() {
		out = append(out, o.name)
	}
	return out
}

// spoken are the commands that no key has, or that a key has without a word.
func (a *App) spoken() []order {
	out := []order{
		{name: "job", arg: "[QUEUE] KEY", does: "the page of a job, done or not", run: a.openJob},
		{name: "op", arg: "OPERATION", does: "find a job by its operation id", run: a.findOperation},
		{name: "worker", arg: "NAME", does: "find the jobs that a worker has", run: a.findWorker},
		{name: "queue", arg: "NAME", does: "open a queue", run: a.openQueue, values: a.queueNames},
		{name: "theme", arg: "NAME", does: "colours", run: a.setTheme, values: themes.Names},
	}
	if a.o.Every != nil && !a.env.Past {
		out = append(out, order{name: "poll", arg: "SPAN", does: "how often to look, such as 5s", run: a.setEvery})
	}
	if a.o.Past != nil {
		out = append(out, order{name: "goto", arg: "TIME", does: "the picture of 12:04:31, of -10m, or now", run: a.goToTime})
	}
	if a.o.Save != nil {
		out = append(out, order{name: "save", arg: "[FILE]", does: "write the last hour to a new file", run: a.save})
	}
	return append(out, order{name: "mouse", does: "use the mouse, or leave it to the terminal", run: a.toggleMouse})
}

func (a *App) setTheme(name string) tea.Cmd {
	t, ok := themes.ByName(name)
	if !ok {
		a.warn("there is no theme " + text.Cut(name, 24) + "; " + text.Meant(name, themes.Names()))
		return nil
	}
	a.theme = t
	a.said = kit.Say{Tone: themes.Accent, Text: "theme " + t.Name}
	return a.restyle()
}

// The bounds of how often to look.
const leastEvery, mostEvery = 200 * time.Millisecond, 10 * time.Minute

func (a *App) setEvery(span string) tea.Cmd {
	d, err := time.ParseDuration(span)
	if err != nil || d < leastEvery || d > mostEvery {
		a.warn(fmt.Sprintf("poll takes a span from %v to %v, such as 5s", leastEvery, mostEvery))
		return nil
	}
	a.o.Every(d)
	a.said = kit.Say{Tone: themes.Accent, Text: "looking every " + d.String()}
	return nil
}

func (a *App) toggleMouse(string) tea.Cmd {
	a.mouse = !a.mouse
	a.said = kit.Say{Tone: themes.Accent, Text: "the mouse is left to the terminal"}
	if a.mouse {
		a.said.Text = "the mouse scrolls and chooses; with shift it selects text as ever"
	}
	return nil
}

// goToTime shows the picture of a moment: a time of day, as the screen writes them,
// one with its day, or a span back from now.
func (a *App) goToTime(s string) tea.Cmd {
	if s == "now" && !a.o.Replay {
		return a.now()
	}
	_, to := a.o.Past.Reach()
	if at, ok := text.Moment(s, to, a.env.Zone); ok {
		return a.goTo(at)
	}
	forms := "12:04, 2026-03-14T12:04:31Z, -10m or now"
	if a.o.Replay {
		forms = "12:04, 2026-03-14T12:04:31Z, or -10m"
	}
	a.warn("goto takes " + forms)
	return nil
}

func (a *App) queueNames() []string {
	var out []string
	if b := a.env.Board; b != nil {
		for _, s := range b.Queues {
			out = append(out, s.Queue)
		}
	}
	return out
}

func (a *App) openQueue(name string) tea.Cmd {
	if !slices.Contains(a.queueNames(), name) {
		a.warn("there is no queue " + text.Cut(name, 24) + "; " + text.Meant(name, a.queueNames()))
		return nil
	}
	return a.visit(name)
}

// visit goes to the screen of a queue, from wherever one is.
func (a *App) visit(queue string) tea.Cmd {
	if a.top().Subject().Queue == queue && len(a.stack) == 1 {
		return nil
	}
	if a.stack = a.stack[:1]; a.top().Subject().Queue == queue {
		return a.tell(kit.News{})
	}
	return a.do(kit.OpenQueue{Queue: queue})
}

// openJob opens a job by its key, in the queue that is looked at or the one that is
// named before it.
func (a *App) openJob(arg string) tea.Cmd {
	queue, word := a.top().Subject().Queue, arg
	if first, rest, two := strings.Cut(arg, " "); two && slices.Contains(a.queueNames(), first) {
		queue, word = first, strings.TrimSpace(rest)
	}
	if names := a.queueNames(); queue == "" && len(names) == 1 {
		queue = names[0]
	}
	var m *model.Mapping
	if s := a.env.Board.Queue(queue); s != nil {
		m = s.Mapping
	}
	switch {
	case queue == "":
		a.warn("which queue? :job QUEUE KEY")
		return nil
	case word == "":
		a.warn("which job? :job KEY")
		return nil
	case m == nil:
		a.warn("the columns of " + text.Cut(queue, 24) + " are not known yet")
		return nil
	}
	k, err := model.ParseKey(m.Keys, word)
	if err != nil {
		a.warn(err.Error())
		return nil
	}
	return a.do(kit.OpenJob{Queue: queue, Key: k})
}

// savedAs is the name of a file of the past: what was watched, and when.
func (a *App) savedAs(to time.Time) string {
	what := a.top().Subject().Queue
	if what == "" {
		what = "queues"
	}
	what = strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' || r == '_' {
			return r
		}
		return '-'
	}, what)
	return text.Cut(what, 40) + "-" + to.UTC().Format("20060102T150405Z") + ".leasetop"
}

func (a *App) save(path string) tea.Cmd {
	_, to := a.o.Past.Reach()
	if path == "" {
		path = a.savedAs(to)
	}
	a.said = kit.Say{Tone: themes.Accent, Text: "saving to " + path + " …"}
	write := a.o.Save
	return func() tea.Msg { return saved{path, write(path)} }
}

// saved is what became of the writing of the past.
type saved struct {
	path string
	err  error
}

func (a *App) saved(x saved) {
	if x.err != nil {
		a.warn("not saved: " + x.err.Error())
		return
	}
	a.said = kit.Say{Tone: themes.Accent, Text: "saved to " + x.path + ": leasetop replay shows it"}
}
