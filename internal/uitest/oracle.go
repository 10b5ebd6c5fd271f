package uitest

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
)

// judged is the moment at which the screen was last found right: how many different
// views there had been, what had been written, and how large the terminal was.
type judged struct{ others, written, width, height int }

// judge fails the test unless the screen shows what the last view says. A view
// that came after the last frame gets two more frames. Where neither has changed
// since it was last found right, it is not compared again.
func (s *Session) judge(what string) {
	s.Helper()
	var faults []string
	for range 3 {
		view, others := s.seen.last()
		now := judged{others, s.term.Written(), s.width, s.height}
		if now == s.right {
			return
		}
		faults = s.faults(view)
		if len(faults) == 0 {
			s.right = now
			return
		}
		s.pause()
	}
	s.Fatalf("%s at %dx%d:\n%s\n%s", what, s.width, s.height, strings.Join(faults[:min(len(faults), 12)], "\n"), s.Screen())
}

func (s *Session) faults(view tea.View) []string {
	method := ansi.WcWidth
	if s.o.Modern {
		method = ansi.GraphemeWidth
	}
	faults := content(view.Content, s.width, s.height, method)
	got := s.term.screen()
	if view.AltScreen {
		faults = append(faults, difference(got.lines, draw(view.Content, s.width, s.height, method), s.o.Profile)...)
	}
	if got.alt != view.AltScreen {
		faults = append(faults, fmt.Sprintf("alternate screen: %v, the view says %v", got.alt, view.AltScreen))
	}
	if got.title != view.WindowTitle {
		faults = append(faults, fmt.Sprintf("title: %q, the view says %q", got.title, view.WindowTitle))
	}
	if got.hidden != (view.Cursor == nil) {
		faults = append(faults, fmt.Sprintf("cursor hidden: %v, the view has one: %v", got.hidden, view.Cursor != nil))
	} else if c := view.Cursor; c != nil && c.Position != (tea.Position{X: got.cursor.X, Y: got.cursor.Y}) {
		faults = append(faults, fmt.Sprintf("cursor: at %v, the view says %v", got.cursor, c.Position))
	}
	return faults
}

// content says what is wrong with a view in itself: lines too wide, too many of
// them, anything in it that would steer a terminal.
func content(s string, width, height int, method ansi.Method) []string {
	var faults []string
	lines := strings.Split(s, "\n")
	if len(lines) > height {
		faults = append(faults, fmt.Sprintf("the view has %d lines, the terminal %d", len(lines), height))
	}
	for i, l := range lines {
		if w := method.StringWidth(l); w > width {
			faults = append(faults, fmt.Sprintf("line %d is %d wide, the terminal %d: %q", i+1, w, width, l))
		}
		if seq := steering(l); seq != "" {
			faults = append(faults, fmt.Sprintf("line %d holds %q", i+1, seq))
		}
	}
	return faults
}

// steering finds the first sequence or control character in a line that is neither
// a style nor a link.
func steering(line string) string {
	p := ansi.GetParser()
	defer ansi.PutParser(p)
	var state byte
	for line != "" {
		seq, width, n, next := ansi.DecodeSequence(line, state, p)
		switch {
		case width > 0, seq >= "\u00a0": // text, or a mark that combines
		case ansi.HasCsiPrefix(seq) && p.Command() == 'm':
		case ansi.HasOscPrefix(seq) && p.Command() == 8:
		default:
			return seq
		}
		state, line = next, line[n:]
	}
	return ""
}

// draw puts a view's content into cells, as the renderer does.
func draw(content string, width, height int, method ansi.Method) []uv.Line {
	b := uv.NewScreenBuffer(width, height)
	b.Method = method
	uv.NewStyledString(content).Draw(b, b.Bounds())
	return b.Lines
}

// difference lists the cells in which the terminal does not look as drawn.
func difference(got, want []uv.Line, profile colorprofile.Profile) []string {
	if len(got) != len(want) {
		return []string{fmt.Sprintf("the terminal has %d lines, drawn were %d", len(got), len(want))}
	}
	var faults []string
	for y := range want {
		for x := range want[y] {
			w := want[y][x]
			w.Style = uv.ConvertStyle(w.Style, profile)
			w.Link = uv.ConvertLink(w.Link, profile)
			if got[y][x].Equal(&w) {
				continue
			}
			if g := seen(got[y][x]); !g.Equal(new(seen(w))) {
				faults = append(faults, fmt.Sprintf("line %d column %d shows %q %q, drawn was %q %q",
					y+1, x+1, g.Content, g.Style.String(), w.Content, w.Style.String()))
			}
		}
	}
	return faults
}

// seen is the cell without what nobody can see: a blank has no weight and, unless
// it is reversed, underlined or struck through, no foreground.
func seen(c uv.Cell) uv.Cell {
	if c.Content == "" && c.Width != 0 {
		c.Content = " "
	}
	if c.Content != " " {
		return c
	}
	c.Style.Attrs &= uv.AttrReverse | uv.AttrStrikethrough
	if c.Style.Attrs == 0 && c.Style.Underline == ansi.UnderlineNone {
		c.Style.Fg = nil
	}
	if c.Style.Underline == ansi.UnderlineNone {
		c.Style.UnderlineColor = nil
	}
	return c
}
