package table

import (
	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/themes"
	"github.com/leasetop/leasetop/ui/kit"
)

// Head is the line of column titles.
func (l Layout) Head(st *themes.Styles) string {
	var b kit.Line
	b.Blank(gutter)
	first := true
	for i, c := range l.columns {
		if l.widths[i] == 0 {
			continue
		}
		if !first {
			b.Blank(gap)
		}
		first = false
		b.Put(st.Of(themes.Dim), l.pad(i, c.Title), l.widths[i])
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
		out = append(out, l.row(st, cells, on, faded, t.lost && i == t.index))
	}
	return out
}

// row draws one row. was marks the place of a row that has left the list. The
// selection lies under the mark and the first column only: under the whole row it
// would cost a slow line every cell of two rows at each cursor key.
func (l Layout) row(st *themes.Styles, cells []Cell, on, faded, was bool) string {
	ink := st.Of
	var b kit.Line
	switch {
	case on:
		ink = st.On
		b.Put(ink(themes.Accent), "▸ ", gutter)
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
	if len(c.Runs) == 0 {
		b.Put(ink(tone(c.Tone)), l.pad(i, c.Text), room)
		return
	}
	for _, r := range c.Runs {
		t := text.Cut(r.Text, room)
		w := text.Width(t)
		b.Put(ink(tone(r.Tone)), t, w)
		room -= w
	}
	b.Blank(room)
}

func (l Layout) pad(i int, s string) string {
	if l.columns[i].Right {
		return text.PadLeft(s, l.widths[i])
	}
	return text.PadRight(s, l.widths[i])
}
