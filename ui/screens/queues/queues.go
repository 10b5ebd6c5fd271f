// Package queues is the screen of all queues, the one that needs a person first.
package queues

import (
	tea "charm.land/bubbletea/v2"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/themes"
	"github.com/leasetop/leasetop/ui/kit"
	"github.com/leasetop/leasetop/ui/table"
)

// Screen is the list of queues.
type Screen struct {
	queues  []*line
	seen    map[string]*line
	fields  []field
	columns []table.Column // of the fields
	cursor  table.Table[string]
}

// New makes the list of queues.
func New() *Screen {
	s := &Screen{seen: map[string]*line{}}
	s.lay(0)
	return s
}

// Crumb implements kit.Screen.
func (s *Screen) Crumb() string { return "queues" }

// Subject implements kit.Screen: figures only.
func (s *Screen) Subject() kit.Subject { return kit.Subject{} }

// Listed implements kit.Lister.
func (s *Screen) Listed() string {
	if i, ok := s.cursor.Selected(); ok {
		return s.queues[i].Queue
	}
	return ""
}

var enter = kit.Bind("enter", "↵", "open")

// Keys implements kit.Screen.
func (s *Screen) Keys(*kit.Env) []kit.Binding {
	return append([]kit.Binding{enter}, table.Keys()...)
}

// Update implements kit.Screen.
func (s *Screen) Update(e *kit.Env, msg tea.Msg) kit.Action {
	switch {
	case s.clicked(e, msg):
	case kit.Pressed(msg, enter):
		if name := s.Listed(); name != "" {
			return kit.OpenQueue{Queue: name}
		}
	case msg == kit.News{}:
		s.take(e)
	default:
		s.cursor.Press(rows{s, e}, msg)
	}
	return nil
}

func (s *Screen) take(e *kit.Env) {
	if e.Board == nil {
		return
	}
	s.queues = s.queues[:0]
	for _, q := range e.Board.Queues {
		l := s.seen[q.Queue]
		if l == nil {
			l = newLine()
			s.seen[q.Queue] = l
		}
		l.take(e, q)
		s.queues = append(s.queues, l)
	}
	s.lay(e.Width)
	worstFirst(s.queues)
	s.cursor.Sync(rows{s, e})
}

// View implements kit.Screen.
func (s *Screen) View(e *kit.Env) []string {
	l := table.Fit(s.columns, e.Width)
	out := []string{"", l.Head(e.Styles)}
	if len(s.queues) == 0 {
		return append(out, e.Styles.Of(themes.Dim).Render(text.Cut("  no queues yet", e.Width)))
	}
	if e.Height < reasonHeight {
		return append(out, s.cursor.Rows(rows{s, e}, l, e.Styles, e.Height-above, false)...)
	}
	list := s.cursor.Rows(rows{s, e}, l, e.Styles, e.Height-above-reasonLines-1, false)
	out = kit.Fit(append(out, list...), e.Width, e.Height-reasonLines)
	return append(out, s.reason(e)...)
}

// rows are the queues as a table's source.
type rows struct {
	s *Screen
	e *kit.Env
}

func (r rows) Len() int         { return len(r.s.queues) }
func (r rows) Key(i int) string { return r.s.queues[i].Queue }

func (r rows) Cells(i int, dst []table.Cell) []table.Cell {
	for _, f := range r.s.fields {
		dst = append(dst, f.cell(r.e, r.s.queues[i]))
	}
	return dst
}

// working is how many jobs are leased. A destructive queue leases none: what is
// locked there is another figure, which its own screen has with how it is known.
func working(_ *kit.Env, l *line) table.Cell {
	if l.Mapping != nil && l.Mapping.IsDestructive() {
		return table.Cell{Text: text.Unknown, Tone: themes.Dim}
	}
	return l.count(l.figures.Working, themes.Plain)
}
