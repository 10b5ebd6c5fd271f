package themes

import (
	"image/color"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
)

// Shade is one colour at three depths, each chosen by eye: the nearest of 256 to a
// quiet grey is often a purple. The zero Shade is the terminal's own colour.
type Shade struct {
	Hex   string // "#rrggbb", for terminals with every colour
	Index uint8  // of 256; 0: the nearest to Hex
	Basic uint8  // 1 to 15 of sixteen, or black; 0: the terminal's own colour
}

// black is the first of the sixteen as a Basic, whose zero is taken.
const black = 16

// in gives the shade at the terminal's depth, nil for the terminal's own colour.
func (s Shade) in(p colorprofile.Profile) color.Color {
	switch {
	case p == colorprofile.ANSI && s.Basic != 0:
		return ansi.BasicColor(s.Basic % black)
	case p == colorprofile.ANSI || s.Hex == "":
		return nil
	case p == colorprofile.ANSI256 && s.Index != 0:
		return lipgloss.ANSIColor(s.Index)
	}
	return lipgloss.Color(s.Hex)
}

// brightens reports whether bold would give the shade another colour: many
// terminals draw the first eight in bold as the second eight, and red that is dark
// enough for a light ground becomes one that is not.
func (s Shade) brightens() bool { return s.Basic != 0 && s.Basic < 8 || s.Basic == black }

// Ink is how one token is drawn. What must be seen without colour has an
// attribute beside its shade.
type Ink struct {
	Fore, Ground                    Shade
	Bold, Faint, Underline, Reverse bool
}

func (k Ink) style(p colorprofile.Profile) lipgloss.Style {
	bold := k.Bold && (p != colorprofile.ANSI || !k.Fore.brightens())
	s := lipgloss.NewStyle().Bold(bold).Faint(k.Faint).Underline(k.Underline).Reverse(k.Reverse)
	if c := k.Fore.in(p); c != nil {
		s = s.Foreground(c)
	}
	if c := k.Ground.in(p); c != nil {
		s = s.Background(c)
	}
	return s
}

// over lays the ink on the ground of another, for text on the selected row. A
// ground that is the reverse of the screen, or has an ink of its own, is one even
// bar: the colours that were chosen for the screen would not be read on it. What
// else tells a token, its weight and its line, stays.
func (k Ink) over(ground Ink) Ink {
	k.Ground, k.Reverse = ground.Ground, ground.Reverse
	if ground.Reverse || ground.Fore != (Shade{}) {
		k.Fore = ground.Fore
	}
	k.Bold = k.Bold || ground.Bold
	k.Faint = false
	return k
}

// edge is the ink for lines that are drawn of glyphs: an underline would double
// them, and reversed they would be beams.
func (k Ink) edge() Ink {
	k.Underline, k.Reverse = false, false
	return k
}

// Style draws text in one ink. It is made once for a theme and costs two
// concatenations to use, because a frame uses it a thousand times.
type Style struct{ open string }

const reset = "\x1b[m"

// Render is the text in the style. The text must hold no escape sequence.
func (s Style) Render(text string) string {
	if s.open == "" || text == "" {
		return text
	}
	return s.open + text + reset
}

// Open is the sequence that begins the style, after whichever was open before.
func (s Style) Open() string { return reset + s.open }

// made renders a probe with lipgloss once and keeps what it put before the text.
func made(s lipgloss.Style) Style {
	open, _, _ := strings.Cut(s.Render("x"), "x")
	return Style{open}
}

// Palette gives every token its ink.
type Palette [tokens]Ink

// Styles are a palette made ready for one terminal. They are immutable.
type Styles struct {
	plain    [tokens]Style
	selected [tokens]Style
	edge     [tokens]Style
}

// Make prepares a palette for the colours that the terminal has. With none, the
// renderer drops colours and keeps attributes.
func (p Palette) Make(profile colorprofile.Profile) *Styles {
	var s Styles
	for t, ink := range p {
		s.plain[t] = made(ink.style(profile))
		s.selected[t] = made(ink.over(p.ground(profile)).style(profile))
		s.edge[t] = made(ink.edge().style(profile))
	}
	return &s
}

// ground is the ink under the selected row. Sixteen colours have no quiet one, so
// there the row is reversed.
func (p Palette) ground(profile colorprofile.Profile) Ink {
	g := p[Selected]
	if profile == colorprofile.ANSI && g.Ground.Basic == 0 {
		return Ink{Reverse: true, Bold: g.Bold}
	}
	return g
}

// Of is the style of a token.
func (s *Styles) Of(t Token) Style { return s.plain[t] }

// On is the style of a token on the selected row.
func (s *Styles) On(t Token) Style { return s.selected[t] }

// Edge is the style of a token for boxes and rules.
func (s *Styles) Edge(t Token) Style { return s.edge[t] }
