package lessons

import (
	"context"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/leasetop/leasetop/internal/drill/lesson"
	"github.com/leasetop/leasetop/themes"
	"github.com/leasetop/leasetop/ui/kit"
)

// The keys of the classroom.
var (
	choose   = kit.Bind("up down k j", "↑ ↓", "choose")
	take     = kit.Bind("enter space right", "↵", "take it")
	forward  = kit.Bind("enter space right l", "↵", "next step")
	goodHalf = kit.Bind("g tab", "g", "the good half")
	badHalf  = kit.Bind("g tab", "g", "the bad half")
	back     = kit.Bind("left h backspace", "←", "step back")
	again    = kit.Bind("r", "r", "from its beginning")
	tsql     = kit.Bind("s", "s", "T-SQL")
	notes    = kit.Bind("n", "n", "presenter's notes")
	play     = kit.Bind("a", "a", "play by itself")
	halt     = kit.Bind("a", "a", "stop")
	speed    = kit.Bind("+ -", "+ -", "speed")
	paint    = kit.Bind("t", "t", "next theme").Hushed()
	menuKey  = kit.Bind("esc", "esc", "lessons")
	closeKey = kit.Bind("esc enter q s ?", "esc", "close")
	help     = kit.Bind("?", "?", "help")
	quit     = kit.Bind("q ctrl+c", "q", "quit")
)

// keys lists the keys that work now, the most useful first.
func (a *App) keys() []kit.Binding {
	if a.pane != noPane {
		_, _, page := a.page()
		return append([]kit.Binding{closeKey}, page.Keys()...)
	}
	return a.keysBelow()
}

// keysBelow are those that work while no pane lies over the stage.
func (a *App) keysBelow() []kit.Binding {
	if a.stage == nil {
		return []kit.Binding{take, choose, paint, help, quit}
	}
	var out []kit.Binding
	s := a.stage
	if s.Question != nil {
		out = append(out, predicts(s.Question))
	}
	other := goodHalf
	if s.Half == lesson.Good {
		other = badHalf
	}
	if s.Over() {
		out = append(out, other, back, menuKey)
	} else {
		out = append(out, forward, back, menuKey, other)
	}
	p := play
	if a.auto {
		p = halt
	}
	if s.SQL != "" { // a step may be a person's, or the time's
		out = append(out, tsql)
	}
	return append(out, again, notes, p, speed, paint, help, quit)
}

func (a *App) key(msg tea.KeyPressMsg) tea.Cmd {
	switch {
	case msg.String() == "ctrl+c":
		return a.leaveAll()
	case a.pane != noPane:
		a.read(msg)
		return nil
	case kit.Pressed(msg, quit):
		return a.leaveAll()
	case kit.Pressed(msg, help):
		a.pane, a.place = helpPane, kit.Pager{}
		return nil
	case kit.Pressed(msg, paint):
		a.repaint()
		return nil
	case a.stage == nil:
		return a.inMenu(msg)
	}
	return a.inClass(msg)
}

// read is a key while a pane lies over the stage.
func (a *App) read(msg tea.KeyPressMsg) {
	if kit.Pressed(msg, closeKey) {
		a.pane = noPane
		return
	}
	_, _, page := a.page()
	a.place.Press(page, msg.String())
}

func (a *App) repaint() {
	all := themes.All()
	for i, t := range all {
		if t.Name == a.theme.Name {
			a.theme = all[(i+1)%len(all)]
			break
		}
	}
	a.restyle()
}

func (a *App) inMenu(msg tea.KeyPressMsg) tea.Cmd {
	switch {
	case kit.Pressed(msg, take):
		return a.open(lesson.Bad)
	case msg.String() == "up", msg.String() == "k":
		a.at = max(0, a.at-1)
	case msg.String() == "down", msg.String() == "j":
		a.at = min(a.at+1, len(a.o.Lessons)-1)
	default:
		for i, l := range a.o.Lessons {
			if strconv.Itoa(l.Number) == msg.String() {
				a.at = i
			}
		}
	}
	return nil
}

func (a *App) inClass(msg tea.KeyPressMsg) tea.Cmd {
	switch {
	case kit.Pressed(msg, menuKey):
		return a.leave()
	case kit.Pressed(msg, tsql):
		if a.stage.SQL != "" {
			a.pane, a.place = sqlPane, kit.Pager{}
		}
	case kit.Pressed(msg, notes):
		a.notes = !a.notes
	case kit.Pressed(msg, play):
		a.auto = !a.auto
		return a.next()
	case kit.Pressed(msg, speed):
		by := 1
		if msg.String() == "-" {
			by = -1
		}
		a.speed = max(0, min(a.speed+by, len(speeds)-1))
		return a.next()
	case a.stage.Question != nil && kit.Pressed(msg, predicts(a.stage.Question)):
		a.answer, _ = strconv.Atoi(msg.String())
	case kit.Pressed(msg, forward):
		if a.stage.Over() && a.stage.Half == lesson.Bad {
			return a.open(lesson.Good)
		}
		return a.forward()
	case kit.Pressed(msg, goodHalf):
		return a.open(lesson.Good - a.stage.Half)
	case kit.Pressed(msg, again):
		return a.call(func(ctx context.Context, p Player) error { return p.Restart(ctx) })
	case kit.Pressed(msg, back):
		return a.call(func(ctx context.Context, p Player) error { return p.Back(ctx) })
	}
	return nil
}

// predicts are the keys of the answers to a question, as many as it has.
func predicts(q *lesson.Question) kit.Binding {
	digits := make([]string, len(q.Choices))
	for i := range digits {
		digits[i] = strconv.Itoa(i + 1)
	}
	all := strings.Join(digits, " ")
	return kit.Bind(all, all, "predict")
}
