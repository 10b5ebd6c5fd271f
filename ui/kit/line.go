package kit

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/themes"
)

// Span is text in one ink.
type Span struct {
	Tone themes.Token
	Text string
}

// Spans is text in several inks on one line.
type Spans []Span

// Width is the number of cells of the spans.
func (ss Spans) Width() int {
	w := 0
	for _, s := range ss {
		w += text.Width(s.Text)
	}
	return w
}

// Line builds one styled line and knows its width, so that nothing has to be
// measured a second time.
type Line struct {
	b strings.Builder
	w int
}

// Width is the number of cells so far.
func (l *Line) Width() int { return l.w }

// String is the line.
func (l *Line) String() string { return l.b.String() }

// Put adds text of known width in a style.
func (l *Line) Put(s themes.Style, t string, width int) {
	l.b.WriteString(s.Render(t))
	l.w += width
}

// Text adds text in a style.
func (l *Line) Text(s themes.Style, t string) { l.Put(s, t, text.Width(t)) }

// Spans adds spans, cut to at most width cells.
func (l *Line) Spans(st *themes.Styles, ss Spans, width int) {
	for _, s := range ss {
		t := text.Cut(s.Text, width)
		w := text.Width(t)
		l.Put(st.Of(s.Tone), t, w)
		if width -= w; width <= 0 {
			return
		}
	}
}

// Blank adds n empty cells.
func (l *Line) Blank(n int) { l.Put(themes.Style{}, strings.Repeat(" ", max(0, n)), max(0, n)) }

// To fills with empty cells up to a column.
func (l *Line) To(column int) { l.Blank(column - l.w) }

// Fit makes lines exactly fill an area: each is cut or filled to the width, and
// there are exactly height of them. It is the last guard against overflow.
func Fit(lines []string, width, height int) []string {
	out := make([]string, height)
	for i := range out {
		if i < len(lines) {
			out[i] = FitLine(lines[i], width)
		} else {
			out[i] = strings.Repeat(" ", width)
		}
	}
	return out
}

// FitLine cuts a styled line to the width or fills it with empty cells.
func FitLine(line string, width int) string {
	w := cells(line)
	if w > width {
		line = ansi.Truncate(line, width, "")
		w = ansi.StringWidth(line)
	}
	if w == width {
		return line
	}
	return line + strings.Repeat(" ", max(0, width-w))
}

// cells is the width of a styled line. Nearly every line is of ASCII, our own
// glyphs and styles, which are counted here; any other is measured with care.
func cells(line string) int {
	n := 0
	for i := 0; i < len(line); {
		switch c := line[i]; {
		case c == '\x1b':
			end := strings.IndexByte(line[i:], 'm')
			if end < 0 {
				return text.Width(line)
			}
			i += end + 1
		case c < 0x20 || c == 0x7f:
			return text.Width(line)
		case c < 0x7f:
			n++
			i++
		case c == 0xe2 && i+2 < len(line) && line[i+1] >= 0x94 && line[i+1] <= 0x96: // U+2500 to U+25BF: boxes, blocks, triangles
			n++
			i += 3
		default:
			return text.Width(line)
		}
	}
	return n
}

// Rank is a part of a line that gives way when there is no room: the highest Rank
// goes first, Rank 0 never.
type Rank struct {
	Rank  int
	Spans Spans
	Right bool // stands at the right end; such parts come after the others
}

// Choose keeps the parts that fit into the width, in their order. gap is counted
// between two parts. Parts without text are left out.
func Choose(parts []Rank, width, gap int) []Rank {
	var out []Rank
	for i, kept := range keep(parts, width, gap) {
		if kept {
			out = append(out, parts[i])
		}
	}
	return out
}

// keep says which parts fit into the width.
func keep(parts []Rank, width, gap int) []bool {
	keep := make([]bool, len(parts))
	total := -gap
	for i, p := range parts {
		keep[i] = p.Spans.Width() > 0
		if keep[i] {
			total += p.Spans.Width() + gap
		}
	}
	for total > width {
		worst, most := -1, 1
		for i, p := range parts {
			if keep[i] && p.Rank >= most {
				worst, most = i, p.Rank
			}
		}
		if worst < 0 {
			break
		}
		keep[worst] = false
		total -= parts[worst].Spans.Width() + gap
	}
	return keep
}

// rankGap is the cells between two parts of a line.
const rankGap = 2

// Ranks draws the parts that fit into a line of exactly width cells: those at the
// left from column 1 on, the others up to one before the end.
func Ranks(st *themes.Styles, parts []Rank, width int) string {
	kept := Choose(parts, width-2, rankGap)
	right := -rankGap
	for _, p := range kept {
		if p.Right {
			right += p.Spans.Width() + rankGap
		}
	}
	var l Line
	l.Blank(1)
	for i, p := range kept {
		switch {
		case p.Right && (i == 0 || !kept[i-1].Right):
			l.To(width - 1 - right)
		case i > 0:
			l.Blank(rankGap)
		}
		l.Spans(st, p.Spans, width-1-l.Width())
	}
	return FitLine(l.String(), width)
}
