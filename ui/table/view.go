package table

import (
	"strings"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/themes"
	"github.com/leasetop/leasetop/ui/kit"
)

// Head is the line of column titles.
func (l Layout) Head(st *themes.Styles) string {
	var b kit.Line
	b.Blank(gutter)
	first, over := true, 0
	for i, c := range l.columns {
		if l.widths[i] == 0 {
			continue
		}
		if !first {
			b.Blank(gap - over)
		}
		first, over = false, 0
		title, tone, room := c.Title, themes.Dim, l.widths[i]
		if c.Title == l.order.Title {
			tone = themes.Accent
			if text.Width(title) == room { // the arrow stands in the gap, so that the word stays whole
				room, over = room+1, 1
			}
			title = text.Cut(title, room-1) + l.order.arrow()
		}
		b.Put(st.Of(tone), pad(c, title, room), room)
	}
	b.To(l.width)
	return kit.FitLine(b.String(), l.width)
}

// Rows are the rows in view, each as wide as the layout, height of them unless
// the list is shorter. faded draws everything in one quiet ink: the list is old.
func (t *Table[K]) Rows(src Source[K], l Layout, st *themes.Styles, height int, faded bool) []string {
	t.Resize(src, height)
	n := min(height, src.Len()-t.top)
	out := make([]string, 0, max(0, n))
	selected, ok := t.Selected()
	var cells []Cell
	for i := t.top; i < t.top+n; i++ {
		on := ok && i == selected
		cells = src.Cells(i, cells[:0])
		out = append(out, l.row(st, cells, on, faded, t.lost && t.used && i == t.index))
	}
	return out
}

// row draws one row. was marks the place of a row that has left the list. The
// selection lies under the mark and the first column only: under the whole row it
// would cost a slow line every cell of two rows at each cursor key.
func (l Layout) row(st *themes.Styles, cells []Cell, on, faded, was bool) string {
	ink := st.Of
	var b kit.Line
	marked := len(cells) > 0 && cells[0].Marked
	switch {
	case on && marked:
		ink = st.On
		b.Put(ink(themes.Accent), "▸■", gutter)
	case on:
		ink = st.On
		b.Put(ink(themes.Accent), "▸ ", gutter)
	case marked:
		b.Put(ink(themes.Accent), "■ ", gutter)
	case was:
		b.Put(ink(themes.Dim), "▹ ", gutter)
	default:
		b.Blank(gutter)
	}
	first := true
	for i := range l.columns {
		if l.widths[i] == 0 || i >= len(cells) {
			continue
		}
		if !first {
			b.Blank(gap)
		}
		first = false
		l.cell(&b, ink, i, cells[i], faded)
		ink = st.Of
	}
	b.To(l.width)
	if b.Width() > l.width {
		return kit.FitLine(b.String(), l.width)
	}
	return b.String()
}

func (l Layout) cell(b *kit.Line, ink func(themes.Token) themes.Style, i int, c Cell, faded bool) {
	tone := func(t themes.Token) themes.Token {
		if faded {
			return themes.Dim
		}
		return t
	}
	room := l.widths[i]
	switch {
	case len(c.Runs) > 0:
		for _, r := range c.Runs {
			room -= put(b, ink(tone(r.Tone)), r.Text, room)
		}
		b.Blank(room)
	case c.Tone.Grounded(): // its ground lies under the words, not under the column
		room -= put(b, ink(tone(c.Tone)), c.Text, room)
		b.Put(ink(themes.Plain), strings.Repeat(" ", room), room)
	default:
		b.Put(ink(tone(c.Tone)), pad(l.columns[i], c.Text, room), room)
	}
}

// put draws a text, cut to the room that there is, and says how much it took.
func put(b *kit.Line, ink themes.Style, s string, room int) int {
	s = text.Cut(s, room)
	w := text.Width(s)
	b.Put(ink, s, w)
	return w
}

func pad(c Column, s string, room int) string {
	if c.Right {
		return text.PadLeft(s, room)
	}
	return text.PadRight(s, room)
}
