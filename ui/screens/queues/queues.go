// Package queues is the screen of all queues, the one that needs a person first.
package queues

import (
	"cmp"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/themes"
	"github.com/leasetop/leasetop/ui/kit"
	"github.com/leasetop/leasetop/ui/table"
)

// Screen is the list of queues.
type Screen struct {
	queues []*model.Snapshot
	cursor table.Table[string]
}

// New makes the list of queues.
func New() *Screen { return &Screen{} }

// Crumb implements kit.Screen.
func (s *Screen) Crumb() string { return "queues" }

// Subject implements kit.Screen: figures only.
func (s *Screen) Subject() kit.Subject { return kit.Subject{} }

var enter = kit.Bind("enter", "↵", "open")

// Keys implements kit.Screen.
func (s *Screen) Keys(*kit.Env) []kit.Binding {
	return append([]kit.Binding{enter}, table.Keys()...)
}

// Update implements kit.Screen.
func (s *Screen) Update(e *kit.Env, msg tea.Msg) kit.Action {
	switch {
	case kit.Pressed(msg, enter):
		if i, ok := s.cursor.Selected(); ok {
			return kit.OpenQueue{Queue: s.queues[i].Queue}
		}
	case msg == kit.News{}:
		s.take(e.Board)
	default:
		s.cursor.Press(rows{s.queues}, msg)
	}
	return nil
}

func (s *Screen) take(b *model.Board) {
	if b == nil {
		return
	}
	s.queues = slices.Clone(b.Queues)
	slices.SortStableFunc(s.queues, func(a, b *model.Snapshot) int {
		return cmp.Or(cmp.Compare(need(b), need(a)), cmp.Compare(a.Queue, b.Queue))
	})
	s.cursor.Sync(rows{s.queues})
}

// need is how much a queue needs a person.
func need(s *model.Snapshot) int {
	n := 0
	switch s.Watch.Health {
	case model.Broken, model.Down:
		n = 8
	case model.Stale:
		n = 3
	case model.Connecting, model.Live:
	}
	for _, f := range s.Findings {
		n = max(n, 2*int(f.Severity))
	}
	return n
}

// View implements kit.Screen.
func (s *Screen) View(e *kit.Env) []string {
	cols := make([]table.Column, len(fields()))
	for i, f := range fields() {
		cols[i] = f.Column
	}
	l := table.Fit(cols, e.Width)
	out := []string{"", l.Head(e.Styles)}
	if len(s.queues) == 0 {
		return append(out, e.Styles.Of(themes.Dim).Render(text.Cut("  no queues yet", e.Width)))
	}
	return append(out, s.cursor.Rows(rows{s.queues}, l, e.Styles, e.Height-2, false)...)
}

// field is a column and how a queue fills it.
type field struct {
	table.Column
	cell func(*model.Snapshot) table.Cell
}

func fields() []field {
	count := func(title string, width, rank int, of func(model.Pulse) model.Count) field {
		return field{table.Column{Title: title, Width: width, Right: true, Rank: rank}, func(s *model.Snapshot) table.Cell {
			return table.Cell{Text: text.Count(of(s.Figures()))}
		}}
	}
	return []field{
		{table.Column{Title: "QUEUE", Width: 16}, func(s *model.Snapshot) table.Cell {
			return table.Cell{Text: text.Clean(s.Queue), Tone: themes.Strong}
		}},
		count("READY", 7, 0, func(p model.Pulse) model.Count { return p.Ready }),
		{table.Column{Title: "OLDEST", Width: 7, Right: true, Rank: 2}, oldest},
		count("WORKING", 7, 3, func(p model.Pulse) model.Count { return p.Working }),
		{table.Column{Title: "EXPIRED", Width: 7, Right: true, Rank: 1}, expired},
		count("FAILED", 7, 4, func(p model.Pulse) model.Count { return p.Failed }),
		{table.Column{Title: "IN/S", Width: 6, Right: true, Rank: 6}, func(s *model.Snapshot) table.Cell {
			return table.Cell{Text: text.Rate(s.In), Tone: themes.Dim}
		}},
		{table.Column{Title: "OUT/S", Width: 6, Right: true, Rank: 5}, func(s *model.Snapshot) table.Cell {
			return table.Cell{Text: text.Rate(s.Out), Tone: themes.Dim}
		}},
		{table.Column{Title: "HEALTH", Width: 28, Grow: true, Rank: 1}, health},
	}
}

func oldest(s *model.Snapshot) table.Cell {
	if o := s.Figures().Oldest; o != nil {
		return table.Cell{Text: text.Age(o.Waiting)}
	}
	return table.Cell{Text: text.Unknown, Tone: themes.Dim}
}

func expired(s *model.Snapshot) table.Cell {
	c := table.Cell{Text: text.Count(s.Figures().Expired)}
	if s.Figures().Expired.N > 0 {
		c.Tone = themes.Warn
	}
	return c
}

// health is the worst there is to say about a queue, in words.
func health(s *model.Snapshot) table.Cell {
	switch s.Watch.Health {
	case model.Down, model.Broken, model.Stale:
		t := strings.ToUpper(s.Watch.Health.String())
		if s.Watch.Err != nil {
			t += ": " + text.Clean(s.Watch.Err.Error())
		}
		return table.Cell{Text: t, Tone: themes.Bad}
	case model.Connecting:
		return table.Cell{Text: "connecting", Tone: themes.Dim}
	case model.Live:
	}
	if len(s.Findings) == 0 {
		return table.Cell{Text: "● fine", Tone: themes.Dim}
	}
	f := s.Findings[0]
	c := table.Cell{Text: "! " + text.Clean(f.Text), Tone: themes.Warn}
	if f.Severity == model.Bad {
		c.Tone = themes.Bad
	}
	return c
}

// rows are the queues as a table's source.
type rows struct{ queues []*model.Snapshot }

func (r rows) Len() int         { return len(r.queues) }
func (r rows) Key(i int) string { return r.queues[i].Queue }

func (r rows) Cells(i int, dst []table.Cell) []table.Cell {
	for _, f := range fields() {
		dst = append(dst, f.cell(r.queues[i]))
	}
	return dst
}
