package queue

import (
	"fmt"
	"strings"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/themes"
	"github.com/leasetop/leasetop/ui/kit"
	"github.com/leasetop/leasetop/ui/table"
)

// rowKinds are the lists of a destructive queue: its rows from either end, and its
// dead letters. Nothing else can be listed: a row in work is locked or gone.
func rowKinds() []kind {
	return []kind{
		{
			view: model.ViewReady, title: "Head first", word: "Head", room: 5, fields: rowFields, rows: jobs,
			count: func(p *model.Pulse) model.Count { return p.Ready }, nothing: "no row waits",
		},
		{
			view: model.ViewTail, title: "Tail first", word: "Tail", fields: rowFields, rows: jobs,
			nothing: "no row waits", absent: unordered,
		},
		{
			view: model.ViewFailed, title: "Dead letters", word: "Dead", room: 3, fields: deadFields, rows: jobs,
			count: func(p *model.Pulse) model.Count { return p.Failed }, nothing: "no dead letters", absent: unburied,
		},
	}
}

func unordered(s *model.Snapshot) string {
	if s.Mapping.Lane.Order == model.OrderNone {
		return "the queue has no order, so neither end of it is the tail"
	}
	return ""
}

func unburied(s *model.Snapshot) string {
	if v, probed := s.Caps.Can[model.CanBury]; probed && !v.OK {
		return v.Why
	}
	return ""
}

// rowFields are the columns of a list of rows: how old, how many are equal, and the
// values, which are all that a row is.
func rowFields(m *model.Mapping, _, width int) []field {
	out := []field{}
	if m.Column(model.RoleEnqueued).Type == model.Time {
		out = append(out, field{table.Column{Title: "AGE", Width: ageWidth, Right: true, Rank: 1}, waitingCell})
	}
	out = append(out, field{table.Column{Title: "ROWS", Width: 4, Right: true, Rank: 7}, copiesCell})
	out = append(out, valueFields(m, width)...)
	return append(out, field{table.Column{Title: "NOTE", Width: noteLeast, Grow: true, Rank: 3}, rowNote})
}

// deadFields are the columns of the dead letters.
func deadFields(m *model.Mapping, _, width int) []field {
	out := []field{
		{table.Column{Title: "FAILED", Width: ageWidth, Right: true, Rank: 1}, failedCell},
		{table.Column{Title: "ROWS", Width: 4, Right: true, Rank: 7}, copiesCell},
	}
	out = append(out, valueFields(m, width)...)
	return append(out,
		field{table.Column{Title: "BY", Width: workerWidth(width), Rank: 8}, workerCell},
		field{table.Column{Title: "REASON", Width: noteLeast, Grow: true, Rank: 2}, errorCell})
}

// valueWidth is the width of a value, in cells.
const valueWidth = 12

// valueFields are the row's own columns. The first beside its time stays on the
// narrowest screen: without any a row has no name.
func valueFields(m *model.Mapping, width int) []field {
	out := make([]field, len(m.Keys))
	by := m.Column(model.RoleEnqueued)
	named := false
	for i, c := range m.Keys {
		col := table.Column{Title: strings.ToUpper(text.Cut(text.Clean(c.Name), valueWidth)), Width: valueWidth, Rank: min(4+i, 9)}
		col.Right = c.Type == model.Int || c.Type == model.Fraction
		if c.Name == by.Name && by.Type == model.Time {
			layout := "2006-01-02 15:04:05.000"
			if width < 100 {
				layout = "15:04:05.000"
			}
			col.Width, col.Right, col.Rank = len(layout), false, 6
			out[i] = field{col, func(r row) table.Cell { return stampCell(r, layout) }}
			continue
		}
		if !named {
			col.Rank, named = 1, true
		}
		out[i] = field{col, func(r row) table.Cell { return valueCell(r, i) }}
	}
	return out
}

func stampCell(r row, layout string) table.Cell {
	if r.Enqueued.At.IsZero() {
		return unknown()
	}
	return table.Cell{Text: r.Enqueued.At.UTC().Format(layout), Tone: themes.Dim}
}

func valueCell(r row, i int) table.Cell {
	values := r.Key.Values()
	if i >= len(values) {
		return unknown()
	}
	if values[i].IsNull() {
		return table.Cell{Text: "NULL", Tone: themes.Dim}
	}
	return table.Cell{Text: text.Clean(values[i].Text), Tone: themes.Strong}
}

func copiesCell(r row) table.Cell {
	c := table.Cell{Text: text.Grouped(r.Copies.N), Tone: themes.Dim}
	if r.Copies.N > 1 {
		c.Tone = themes.Strong
	}
	return c
}

// rowNote says what is remarkable about equal rows.
func rowNote(r row) table.Cell {
	var parts []string
	tone := themes.Dim
	held := r.Locked.Known && r.Locked.N > 0
	switch {
	case held && r.Copies.N > 1:
		parts, tone = append(parts, fmt.Sprintf("%d of %d locked (emulated)", r.Locked.N, r.Copies.N)), themes.Accent
	case held:
		parts, tone = append(parts, "locked (emulated)"), themes.Accent
	case r.Copies.N > 1:
		parts = append(parts, fmt.Sprintf("%d identical rows", r.Copies.N))
	}
	if r.Waiting.Known() && r.Waiting.D < 0 {
		parts = append(parts, "its time lies in the future")
		tone = themes.Warn
	}
	return table.Cell{Text: strings.Join(parts, ", "), Tone: tone}
}

// rowFigures is the line of figures of a destructive queue.
func rowFigures(e *kit.Env, s *model.Snapshot, f *model.Pulse, t trend, old bool) string {
	locked := figure{long: "LOCKED NOW", short: "LOCKED", count: f.Working, room: 3}
	if s.Caps.Emulated {
		locked.long, locked.short = "LOCKED NOW (emulated)", "LOCKED(emu)"
	}
	all := []figure{
		{long: "DEPTH", short: "DEPTH", count: f.Ready, room: 7, mark: t.mark(), markRoom: 2},
		endAge("HEAD", f.Head), endAge("TAIL", f.Tail), locked,
		{long: "DEAD", short: "DEAD", count: f.Failed, room: 5, rank: 1},
	}
	return drawFigures(e, all, old)
}

// endAge is the age of one end of the queue.
func endAge(name string, o *model.Oldest) figure {
	f := figure{long: name, short: name, shown: text.Unknown, room: 6, markRoom: 2, rank: 2}
	if o == nil {
		return f
	}
	f.shown = text.Age(o.Waiting)
	f.count.Trust = model.Exact
	if o.Waiting.Known() && o.Waiting.D < 0 {
		f.mark, f.tone = "!", themes.Warn
	}
	return f
}
