package ui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/themes"
	"github.com/leasetop/leasetop/ui/kit"
)

// palette is the line of a command. While it is open it takes every key.
type palette struct {
	open  bool
	typed kit.Input
	past  []string // what was typed before, the oldest first
	at    int      // where in past one is; its length: at what is typed now
	tried string   // what tab has last completed from, so that it goes on to the next
	next  int
}

// remembered bounds what is remembered of commands.
const remembered = 100

var command = kit.Bind(":", ":", "command")

// The keys of the palette, for its help.
var (
	runIt    = kit.Bind("enter", "↵", "run")
	complete = kit.Bind("tab", "⇥", "complete")
	former   = kit.Bind("up down", "↑ ↓", "earlier commands")
	closeIt  = kit.Bind("esc", "esc", "close")
)

func (p *palette) begin() {
	p.open, p.at = true, len(p.past)
	p.write("")
}

func (p *palette) write(s string) {
	p.typed.Set(s)
	p.tried, p.next = "", 0
}

// command takes a key of the palette.
func (a *App) command(msg tea.KeyPressMsg) tea.Cmd {
	p := &a.palette
	switch {
	case kit.Pressed(msg, closeIt), msg.String() == "backspace" && p.typed.String() == "":
		p.open = false
	case kit.Pressed(msg, runIt):
		return a.enter()
	case kit.Pressed(msg, complete):
		a.completed()
	case msg.String() == "up":
		p.recall(-1)
	case msg.String() == "down":
		p.recall(1)
	default:
		p.typed.Update(msg)
		p.tried, p.next = "", 0
	}
	return nil
}

// recall goes to an earlier command or back.
func (p *palette) recall(by int) {
	p.at = min(max(0, p.at+by), len(p.past))
	if p.at == len(p.past) {
		p.write("")
		return
	}
	p.write(p.past[p.at])
}

// enter runs what was typed. The line stays open where nothing was understood.
func (a *App) enter() tea.Cmd {
	p := &a.palette
	line := strings.TrimSpace(p.typed.String())
	if line == "" {
		p.open = false
		return nil
	}
	name, arg, _ := strings.Cut(line, " ")
	c, ok := a.named(name)
	if !ok {
		a.warn("there is no command " + text.Cut(name, 24) + "; " + text.Meant(name, a.names()))
		return nil
	}
	p.past = append(slices.DeleteFunc(p.past, func(s string) bool { return s == line }), line)
	if len(p.past) > remembered {
		p.past = p.past[1:]
	}
	p.open = false
	return c.run(strings.TrimSpace(arg))
}

func (a *App) warn(s string) { a.said = kit.Say{Tone: themes.Warn, Text: s} }

// completions are what the line can become: the names of commands, or the values
// of the one that was typed.
func (a *App) completions(line string) []string {
	name, arg, spaced := strings.Cut(line, " ")
	var out []string
	if !spaced {
		for _, n := range a.names() {
			if strings.HasPrefix(n, name) {
				out = append(out, n)
			}
		}
		return out
	}
	if c, ok := a.named(name); ok && c.values != nil {
		for _, v := range c.values() {
			if strings.HasPrefix(v, arg) {
				out = append(out, name+" "+v)
			}
		}
	}
	return out
}

// completed puts the next completion into the line.
func (a *App) completed() {
	p := &a.palette
	from, next := p.tried, p.next
	if from == "" {
		from = p.typed.String()
	}
	all := a.completions(from)
	if len(all) == 0 {
		return
	}
	line := all[next%len(all)]
	if c, ok := a.named(line); ok && len(all) == 1 && c.arg != "" {
		line += " "
	}
	p.write(line)
	if len(all) > 1 {
		p.tried, p.next = from, next+1
	}
}

// commandLine is the palette in the place of the footer: what is typed, and to its
// right what it may become or what it does.
func (a *App) commandLine() string {
	st, p := a.env.Styles, &a.palette
	var l kit.Line
	l.Text(st.Of(themes.Accent), " :")
	line := p.typed.String()
	width := min(max(16, text.Width(line)+2), a.width-l.Width())
	l.Put(themes.Style{}, p.typed.Draw(st, width, true), width)
	room := a.width - l.Width() - 2
	name, _, _ := strings.Cut(line, " ")
	all := a.completions(line)
	c, ok := a.named(name)
	var hint string
	switch {
	case ok && (len(all) < 2 || strings.Contains(line, " ")):
		hint = c.usage()
		if len(all) > 1 {
			hint = strings.Join(all, " · ")
		}
	case len(all) == 1:
		c, _ = a.named(all[0])
		hint = all[0] + " " + c.usage()
	case len(all) > 0:
		hint = strings.Join(all, " · ")
	case line != "" && !ok:
		hint = text.Meant(name, a.names())
	}
	if room > 4 {
		l.Blank(1)
		l.Text(st.Of(themes.Dim), text.Cut(text.Clean(hint), room))
	}
	return kit.FitLine(l.String(), a.width)
}
