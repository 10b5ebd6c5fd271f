package dialog

import (
	"strconv"

	tea "charm.land/bubbletea/v2"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/themes"
	"github.com/leasetop/leasetop/ui/kit"
)

// Tricks is the menu with which a trainer lets something go wrong on the training
// queue. It stays open, so that one trick can follow another, and lies low enough
// for the table above it to be seen.
type Tricks struct {
	queue  string
	tricks []kit.Trick
	key    model.Key // the job in work that was chosen; zero: none
	at     int
	busy   bool
	said   kit.Spans
}

// NewTricks opens a queue's menu about a job; the zero key means any.
func NewTricks(queue string, tricks []kit.Trick, key model.Key) *Tricks {
	return &Tricks{queue: queue, tricks: tricks, key: key}
}

// Keys implements kit.Dialog.
func (d *Tricks) Keys(*kit.Env) []kit.Binding {
	return []kit.Binding{
		kit.Bind("enter", "↵", "do it"), kit.Bind("up down k j", "↑ ↓", "choose"), kit.Bind("esc q F", "esc", "close"),
	}
}

// Update implements kit.Dialog.
func (d *Tricks) Update(_ *kit.Env, msg tea.Msg) kit.Action {
	switch msg := msg.(type) {
	case kit.Tricked:
		d.busy, d.tricks = false, msg.Tricks
		d.at = max(0, min(d.at, len(d.tricks)-1))
		d.said = kit.Spans{{Tone: themes.Accent, Text: text.Clean(msg.Said)}}
		if msg.Err != nil {
			d.said = kit.Spans{{Tone: themes.Warn, Text: text.Clean(msg.Err.Error())}}
		}
	case tea.KeyPressMsg:
		return d.press(msg)
	}
	return nil
}

func (d *Tricks) press(msg tea.KeyPressMsg) kit.Action {
	switch key := msg.String(); key {
	case "esc", "q", "F":
		return kit.Close{}
	case "up", "k":
		d.at = max(0, d.at-1)
	case "down", "j":
		d.at = min(d.at+1, len(d.tricks)-1)
	case "home":
		d.at = 0
	case "end":
		d.at = len(d.tricks) - 1
	case "enter":
		return d.do()
	default:
		if n, err := strconv.Atoi(key); err == nil && n >= 1 && n <= len(d.tricks) {
			d.at = n - 1
			return d.do()
		}
	}
	return nil
}

// do asks for the trick under the cursor, one at a time.
func (d *Tricks) do() kit.Action {
	if d.busy || d.at < 0 || d.at >= len(d.tricks) {
		return nil
	}
	t := d.tricks[d.at]
	if t.Why != "" {
		d.said = kit.Spans{{Tone: themes.Warn, Text: t.Name + ": " + text.Clean(t.Why)}}
		return nil
	}
	d.busy, d.said = true, nil
	return kit.DoTrick{Queue: d.queue, Name: t.Name, Key: d.key}
}

// tricksWidth is the width of the menu.
const tricksWidth = 78

// View implements kit.Dialog.
func (d *Tricks) View(e *kit.Env) []string {
	width := widthOf(e, tricksWidth)
	if width < 24 || e.Height < 5 {
		return nil
	}
	page := kit.Page{Lines: d.lines(e, width-4), Height: e.Height - 3} // the edges, and what was said
	var place kit.Pager
	place.Go(page, d.at-page.Height/2) // the chosen line is always in sight
	body, below := place.Window(page)
	var said kit.Line
	said.Spans(e.Styles, d.said, width-4)
	body = append(body, said.String())
	b := kit.Box{Edge: e.Edge, Title: kit.Spans{{Tone: themes.Strong, Text: "what if"}}, Right: d.about(), FootEnd: more(below)}
	return b.Draw(e.Styles, width, indent(body))
}

// about says which queue and whose worker is meant.
func (d *Tricks) about() kit.Spans {
	who := "any worker"
	if !d.key.IsZero() {
		who = "the worker of job " + text.Cut(text.Clean(d.key.String()), 20)
	}
	return kit.Spans{{Tone: themes.Dim, Text: text.Cut(text.Clean(d.queue), 24) + " · " + who}}
}

func (d *Tricks) lines(e *kit.Env, width int) []string {
	out := make([]string, 0, len(d.tricks))
	for i, t := range d.tricks {
		key, words, says := themes.Accent, themes.Plain, t.Does
		if t.Why != "" {
			key, words, says = themes.Off, themes.Off, t.Why
		}
		name, does, mark := e.Styles.Of(key), e.Styles.Of(words), "  "
		if i == d.at {
			name, does, mark = e.Styles.On(key), e.Styles.On(words), "▸ "
		}
		var l kit.Line
		l.Text(name, mark+strconv.Itoa(i+1)+" "+text.PadRight(t.Name, 11))
		l.Text(does, text.PadRight(text.Clean(says), max(0, width-l.Width())))
		out = append(out, l.String())
	}
	return out
}
