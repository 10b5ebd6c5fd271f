package kit

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/themes"
)

// Box is a frame around lines. Its captions stand in the edges.
type Box struct {
	Edge          themes.Token
	Title, Right  Spans // in the upper edge
	Foot, FootEnd Spans // in the lower edge
}

// Draw puts body into the box, which is width cells wide. Every line of body is
// cut or filled to the inner width, Inner(width).
func (b Box) Draw(st *themes.Styles, width int, body []string) []string {
	if width < 4 {
		return nil
	}
	edge := st.Edge(b.Edge)
	out := make([]string, 0, len(body)+2)
	out = append(out, b.edge(st, width, "╭", "╮", b.Title, b.Right))
	side := edge.Render("│")
	for _, l := range body {
		out = append(out, side+FitLine(l, width-2)+side)
	}
	return append(out, b.edge(st, width, "╰", "╯", b.Foot, b.FootEnd))
}

// edge draws "╭ title ───── right ╮". The left caption is kept before the right.
func (b Box) edge(st *themes.Styles, width int, from, to string, left, right Spans) string {
	var l Line
	s := st.Edge(b.Edge)
	room := width - 4
	l.Put(s, from, 1)
	if len(left) > 0 && room > 2 {
		l.Blank(1)
		l.Spans(st, left, room-1) // a cell of the edge stays behind it
		l.Blank(1)
	}
	rw := right.Width()
	if rw == 0 || l.Width()+rw+4 > width {
		rw, right = 0, nil
	}
	tail := 1
	if rw > 0 {
		tail = rw + 4
	}
	n := max(0, width-tail-l.Width())
	l.Put(s, strings.Repeat("─", n), n)
	if rw > 0 {
		l.Blank(1)
		l.Spans(st, right, rw)
		l.Blank(1)
		l.Put(s, "─", 1)
	}
	l.Put(s, to, 1)
	return l.String()
}

// Over lays a box over the middle of lines, which are width cells wide.
func Over(lines, box []string, width int) []string {
	if len(box) == 0 {
		return lines
	}
	w := text.Width(box[0])
	x, y := max(0, (width-w)/2), max(0, (len(lines)-len(box))/2)
	out := append([]string(nil), lines...)
	for i, b := range box {
		if y+i >= len(out) {
			break
		}
		under := out[y+i]
		out[y+i] = head(under, x) + "\x1b[m" + b + "\x1b[m" + tail(under, x+w, width)
	}
	return out
}

// head is the first n cells of a styled line. Half of a wide glyph is a blank.
func head(s string, n int) string {
	s = ansi.Truncate(s, n, "")
	return s + strings.Repeat(" ", max(0, n-ansi.StringWidth(s)))
}

// tail is what a styled line of width cells has from cell n on. Half of a wide
// glyph is a blank.
func tail(s string, n, width int) string {
	cut := ansi.TruncateLeft(s, n, "")
	if ansi.StringWidth(cut) > width-n {
		cut = ansi.TruncateLeft(s, n+1, "")
	}
	return strings.Repeat(" ", max(0, width-n-ansi.StringWidth(cut))) + cut
}
