package themes

import (
	"cmp"
	"image/color"
	"math"
	"testing"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
)

// paper is a terminal as it is assumed to be: its ground, its own ink, and what its
// sixteen colours look like. Nobody can ask for these, so the extremes stand for all.
type paper struct {
	name         string
	dark         bool
	ground, fore string
	sixteen      *[16]string // nil: not looked at with sixteen colours
}

// vga is the Linux console, whose third colour is a brown, and the ancestor of the
// palettes of Windows.
var vga = [16]string{
	"#000000", "#aa0000", "#00aa00", "#aa5500", "#0000aa", "#aa00aa", "#00aaaa", "#aaaaaa",
	"#555555", "#ff5555", "#55ff55", "#ffff55", "#5555ff", "#ff55ff", "#55ffff", "#ffffff",
}

// xterm is the ancestor of the palettes of everybody else.
var xterm = [16]string{
	"#000000", "#cd0000", "#00cd00", "#cdcd00", "#0000ee", "#cd00cd", "#00cdcd", "#e5e5e5",
	"#7f7f7f", "#ff0000", "#00ff00", "#ffff00", "#5c5cff", "#ff00ff", "#00ffff", "#ffffff",
}

// papers are the assumed terminals: black and white, and the palest grounds that
// editors and terminals ship beside them.
func papers() []paper {
	return []paper{
		{"black", true, "#000000", "#c0c0c0", nil},
		{"slate", true, "#282c34", "#d4d7dd", nil},
		{"linux console", true, "#000000", "#aaaaaa", &vga},
		{"xterm -rv", true, "#000000", "#e5e5e5", &xterm},
		{"white", false, "#ffffff", "#000000", nil},
		{"cream", false, "#f7f3e8", "#1c1c1c", nil},
		{"xterm", false, "#ffffff", "#000000", &xterm},
	}
}

// palette is what a theme draws there; ok is false where it has no colours or was
// made for the other ground.
func (p paper) palette(t Theme) (palette Palette, ok bool) {
	if p.dark {
		return t.Dark, t.Name != "none" && t.Name != "light"
	}
	return t.Light, t.Name != "none" && t.Name != "dark"
}

func (p paper) profiles() []colorprofile.Profile {
	if p.sixteen != nil {
		return []colorprofile.Profile{colorprofile.ANSI}
	}
	return []colorprofile.Profile{colorprofile.TrueColor, colorprofile.ANSI256}
}

// seen is what a shade looks like there; own is the terminal's.
func (p paper) seen(s Shade, profile colorprofile.Profile, own string) color.Color {
	c := s.in(profile)
	if c == nil {
		return lipgloss.Color(own)
	}
	if b, ok := c.(ansi.BasicColor); ok {
		return lipgloss.Color(p.sixteen[b])
	}
	return profile.Convert(c)
}

// contrast is the contrast of an ink with its ground.
func (p paper) contrast(k Ink, profile colorprofile.Profile) float64 {
	return contrast(p.seen(k.Fore, profile, p.fore), p.seen(k.Ground, profile, p.ground))
}

// The least contrasts: WCAG's for text (AA, and AAA where a theme promises it) and
// for graphics. A key that is not allowed is exempt there; here it may stand back
// as far as a line may, and a little further in the console's one dark grey.
const (
	forText, forEyes, forLines, forOff = 4.5, 7.0, 3.0, 2.75
)

func least(theme string, t Token, profile colorprofile.Profile) float64 {
	switch {
	case t == Off && profile == colorprofile.ANSI:
		return forOff
	case t == Border || t == Off && theme != "high-contrast":
		return forLines
	case t == Production && profile == colorprofile.ANSI, t == MarkYellow && profile == colorprofile.ANSI:
		return 4 // yellow is the console's brown
	case theme == "high-contrast" && profile == colorprofile.TrueColor:
		return forEyes
	}
	return forText
}

// onRows reports whether a token can stand on the selected row: lines and frames
// never do.
func onRows(t Token) bool {
	switch t {
	case Border, LineA, LineB, Training, Production, Frozen, Past, Selected:
		return false
	}
	return true
}

// TestContrast holds that everything can be read on every assumed terminal, at each
// depth of colour, on the selected row too.
func TestContrast(t *testing.T) {
	for _, theme := range All() {
		for _, p := range papers() {
			palette, ok := p.palette(theme)
			if !ok {
				continue
			}
			for _, profile := range p.profiles() {
				for _, tok := range Tokens() {
					if tok == Selected {
						continue
					}
					want := least(theme.Name, tok, profile)
					if got := p.contrast(palette[tok], profile); got < want {
						t.Errorf("%s on %s, %s: %s has a contrast of %.2f, not %.2f", theme.Name, p.name, profile, tok, got, want)
					}
					if !onRows(tok) {
						continue
					}
					if got := p.contrast(palette[tok].over(palette.ground(profile)), profile); got < want {
						t.Errorf("%s on %s, %s: %s on the selected row has a contrast of %.2f, not %.2f", theme.Name, p.name, profile, tok, got, want)
					}
				}
			}
		}
	}
}

// apart says which tokens must never be taken for each other where there are
// colours: what a word means, what a frame means, and whose a name is.
func apart() [][]Token {
	return [][]Token{
		{Plain, Warn, Bad, Accent},
		{Border, Training, Production, Frozen, Past},
		append(Marks(), Warn, Bad, Accent),
		{LineA, LineB},
		{Bad, Past}, {Bad, Training}, {Bad, Frozen},
	}
}

// TestNoTwoMeaningsLookAlike holds that tokens that stand beside each other differ
// in hue or in brightness on every assumed terminal, not in weight alone.
func TestNoTwoMeaningsLookAlike(t *testing.T) {
	for _, theme := range All() {
		for _, p := range papers() {
			palette, ok := p.palette(theme)
			if !ok {
				continue
			}
			for _, profile := range p.profiles() {
				groups := apart()
				if p.dark || profile != colorprofile.ANSI { // xterm has one colour of warning that can be read on white
					groups = append(groups, []Token{Production, Warn, Bad})
				}
				for _, group := range groups {
					for i, a := range group {
						for _, b := range group[:i] {
							if d := p.distance(palette[a], palette[b], profile); d < 0.045 {
								t.Errorf("%s on %s, %s: %s looks like %s (%.3f)", theme.Name, p.name, profile, a, b, d)
							}
						}
					}
				}
			}
		}
	}
}

// distance is how far two inks are apart to the eye, the larger of what their
// letters and their grounds are.
func (p paper) distance(a, b Ink, profile colorprofile.Profile) float64 {
	fore := apartness(p.seen(a.Fore, profile, p.fore), p.seen(b.Fore, profile, p.fore))
	ground := apartness(p.seen(a.Ground, profile, p.ground), p.seen(b.Ground, profile, p.ground))
	return max(fore, ground)
}

func contrast(a, b color.Color) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func luminance(c color.Color) float64 {
	r, g, b := linear(c)
	return 0.2126*r + 0.7152*g + 0.0722*b
}

func linear(c color.Color) (r, g, b float64) {
	x, y, z, _ := c.RGBA()
	f := func(v uint32) float64 {
		c := float64(v) / 0xffff
		if c <= 0.03928 {
			return c / 12.92
		}
		return math.Pow((c+0.055)/1.055, 2.4)
	}
	return f(x), f(y), f(z)
}

// apartness is the distance in Oklab, in which equal steps look equal: 0.02 can just
// be told side by side.
func apartness(a, b color.Color) float64 {
	x, y := oklab(a), oklab(b)
	return math.Sqrt((x[0]-y[0])*(x[0]-y[0]) + (x[1]-y[1])*(x[1]-y[1]) + (x[2]-y[2])*(x[2]-y[2]))
}

func oklab(c color.Color) [3]float64 {
	r, g, b := linear(c)
	l := math.Cbrt(0.4122214708*r + 0.5363325363*g + 0.0514459929*b)
	m := math.Cbrt(0.2119034982*r + 0.6806995451*g + 0.1073969566*b)
	s := math.Cbrt(0.0883024619*r + 0.2817188376*g + 0.6299787005*b)
	return [3]float64{
		0.2104542553*l + 0.7936177850*m - 0.0040720468*s,
		1.9779984951*l - 2.4285922050*m + 0.4505937099*s,
		0.0259040371*l + 0.7827717662*m - 0.8086757660*s,
	}
}

// TestContrastItself holds the measures to the known ends of their scales.
func TestContrastItself(t *testing.T) {
	black, white := lipgloss.Color("#000000"), lipgloss.Color("#ffffff")
	if got := contrast(black, white); math.Abs(got-21) > 0.01 {
		t.Errorf("black on white has a contrast of %.2f, not 21", got)
	}
	if got := apartness(black, white); cmp.Compare(math.Abs(got-1), 0.001) > 0 {
		t.Errorf("black and white are %.3f apart, not 1", got)
	}
}
