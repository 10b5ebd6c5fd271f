package uitest

import (
	"fmt"
	"image/color"
	"strings"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
)

// picture is the screen as a golden file holds it.
func (s *Session) picture() string {
	now := s.term.screen()
	var b strings.Builder
	fmt.Fprintf(&b, "%dx%d", s.width, s.height)
	if !now.hidden {
		fmt.Fprintf(&b, ", cursor r%02d c%02d", now.cursor.Y+1, now.cursor.X+1)
	}
	b.WriteString("\n\n")
	for _, l := range now.lines {
		b.WriteString(lineText(l) + "\n")
	}
	b.WriteString("\n")
	for _, r := range s.runs(now.lines) {
		b.WriteString(r.String() + "\n")
	}
	return b.String()
}

// run is a block of cells of one style; rows and columns count from 0, the last
// ones included.
type run struct {
	top, bottom, left, right int
	style                    string
}

func (r run) String() string {
	return span("r", r.top, r.bottom) + " " + span("c", r.left, r.right) + " " + r.style
}

func span(letter string, from, to int) string {
	if from == to {
		return fmt.Sprintf("%s%02d", letter, from+1)
	}
	return fmt.Sprintf("%s%02d-%02d", letter, from+1, to+1)
}

// runs joins cells of one style to runs, and equal runs of neighbouring rows. A
// blank belongs to the run around it when its background is the same.
func (s *Session) runs(lines []uv.Line) []run {
	var all []run
	for y, l := range lines {
		for x := 0; x < len(l); {
			style, end := s.name(l[x]), x+1
			for i := end; i < len(l) && (l[i].Width == 0 || s.continues(l[x], l[i])); i++ {
				if l[i].Width == 0 || l[i].Style.Bg != nil || !blank(l[i]) {
					end = i + 1
				}
			}
			if style != "" {
				all = join(all, run{y, y, x, end - 1, style})
			}
			x = end
		}
	}
	return all
}

// continues reports whether a cell looks like the one with which a run began.
func (s *Session) continues(first, c uv.Cell) bool {
	if blank(c) {
		c.Style.Fg, c.Style.Attrs = first.Style.Fg, first.Style.Attrs
		c.Content = first.Content
	}
	return s.name(c) == s.name(first)
}

// blank reports whether nothing but a background is to be seen of the cell.
func blank(c uv.Cell) bool {
	c = seen(c)
	return c.Content == " " && c.Style.Attrs == 0 && c.Style.Underline == ansi.UnderlineNone && c.Link.IsZero()
}

func join(all []run, r run) []run {
	for i := range all {
		if a := &all[i]; a.bottom == r.top-1 && a.left == r.left && a.right == r.right && a.style == r.style {
			a.bottom = r.bottom
			return all
		}
	}
	return append(all, r)
}

// name is a cell's visible style in words, empty for plain text.
func (s *Session) name(c uv.Cell) string {
	c = seen(c)
	var words []string
	if c.Style.Fg != nil {
		words = append(words, s.token(c.Style.Fg))
	}
	for _, a := range []struct {
		bit  uint8
		word string
	}{
		{uv.AttrBold, "bold"}, {uv.AttrFaint, "faint"}, {uv.AttrItalic, "italic"}, {uv.AttrReverse, "reverse"}, {uv.AttrStrikethrough, "struck"},
	} {
		if c.Style.Attrs&a.bit != 0 {
			words = append(words, a.word)
		}
	}
	if c.Style.Underline != ansi.UnderlineNone {
		words = append(words, "underlined")
	}
	if c.Style.Bg != nil {
		words = append(words, "on", s.token(c.Style.Bg))
	}
	if !c.Link.IsZero() {
		words = append(words, "link "+c.Link.URL)
	}
	return strings.Join(words, " ")
}

// token is the theme's word for a colour, or its palette number, or its hex form.
func (s *Session) token(c color.Color) string {
	if s.o.Token != nil {
		return s.o.Token(c)
	}
	switch c := c.(type) {
	case ansi.BasicColor:
		return fmt.Sprintf("colour%d", c)
	case ansi.IndexedColor:
		return fmt.Sprintf("colour%d", c)
	}
	r, g, b, _ := c.RGBA()
	return fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)
}
