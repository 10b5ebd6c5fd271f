package themes

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"
)

// TestEveryTokenHasAnInk holds that no theme forgets a token: all but Plain differ
// from plain text in some way at every depth that the theme is used at.
func TestEveryTokenHasAnInk(t *testing.T) {
	for _, theme := range All() {
		for side, p := range map[string]Palette{"dark": theme.Dark, "light": theme.Light} {
			for _, tok := range Tokens() {
				if tok == Plain || theme.Name == "none" && (tok == Dim || tok == Code || tok == LineB) {
					continue
				}
				if p[tok] == (Ink{}) {
					t.Errorf("%s on %s: %s has no ink", theme.Name, side, tok)
				}
			}
		}
	}
}

// TestContrast holds that text can be read: 4.5 to 1 as WCAG asks, 3 to 1 for what
// stands back on purpose.
func TestContrast(t *testing.T) {
	for _, theme := range All() {
		if theme.Name == "none" {
			continue
		}
		for ground, p := range map[string]Palette{"#1a1b21": theme.Dark, "#fafafa": theme.Light} {
			if theme.Name == "light" || theme.Name == "dark" {
				continue // their grounds are those of auto
			}
			for _, tok := range Tokens() {
				least := 4.5
				if tok == Border || tok == Off || tok == LineB {
					least = 2.9
				}
				if hex := p[tok].Fore.Hex; hex != "" {
					if got := contrast(hex, ground); got < least {
						t.Errorf("%s: %s %s on %s has a contrast of %.1f, not %.1f", theme.Name, tok, hex, ground, got, least)
					}
				}
			}
		}
	}
}

func contrast(a, b string) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func luminance(hex string) float64 {
	r, g, b, _ := lipgloss.Color(hex).RGBA()
	f := func(v uint32) float64 {
		c := float64(v) / 0xffff
		if c <= 0.03928 {
			return c / 12.92
		}
		return math.Pow((c+0.055)/1.055, 2.4)
	}
	return 0.2126*f(r) + 0.7152*f(g) + 0.0722*f(b)
}

// TestSeverityIsTold holds that the steps of severity, the accent and plain text
// differ from each other at every depth, without colour too.
func TestSeverityIsTold(t *testing.T) {
	for _, theme := range All() {
		for _, profile := range []colorprofile.Profile{colorprofile.ANSI, colorprofile.ANSI256, colorprofile.TrueColor, colorprofile.ASCII} {
			for _, isDark := range []bool{true, false} {
				s := theme.Styles(isDark, profile)
				seen := map[string]Token{}
				for _, tok := range []Token{Plain, Warn, Bad} {
					r := s.Of(tok).Render("x")
					if other, dup := seen[r]; dup {
						t.Errorf("%s, dark %v, %s: %s looks like %s", theme.Name, isDark, profile, tok, other)
					}
					seen[r] = tok
				}
			}
		}
	}
}

func TestNoColourWithoutColours(t *testing.T) {
	for _, theme := range All() {
		s := theme.Styles(true, colorprofile.ASCII)
		for _, tok := range Tokens() {
			for _, r := range []string{s.Of(tok).Render("x"), s.On(tok).Render("x")} {
				if strings.Contains(r, "38;") || strings.Contains(r, "48;") || strings.Contains(r, "[3") {
					t.Errorf("%s: %s has a colour: %q", theme.Name, tok, r)
				}
			}
		}
		if s.On(Plain).Render("x") == s.Of(Plain).Render("x") {
			t.Errorf("%s: the selected row cannot be told without colour", theme.Name)
		}
	}
}

func TestSixteenColoursSelect(t *testing.T) {
	for _, theme := range All() {
		s := theme.Styles(true, colorprofile.ANSI)
		if r := s.On(Plain).Render("x"); !strings.Contains(r, "7") {
			t.Errorf("%s: the selected row is not reversed: %q", theme.Name, r)
		}
		for _, tok := range Tokens() {
			if r := s.Of(tok).Render("x"); strings.Contains(r, ";2;") || strings.Contains(r, "38;5") {
				t.Errorf("%s: %s wants more than sixteen colours: %q", theme.Name, tok, r)
			}
		}
	}
}

func TestByName(t *testing.T) {
	for _, n := range Names() {
		if theme, ok := ByName(n); !ok || theme.Name != n {
			t.Errorf("%s is not found", n)
		}
	}
	if _, ok := ByName("plaid"); ok {
		t.Error("a theme that does not exist was found")
	}
}

func ExampleStyles() {
	theme, _ := ByName("none")
	s := theme.Styles(true, colorprofile.ASCII)
	fmt.Printf("%q %q\n", s.Of(Bad).Render("3 expired"), s.Of(Plain).Render("fine"))
	// Output: "\x1b[1;4;4m3 expired\x1b[m" "fine"
}

func BenchmarkRender(b *testing.B) {
	s := All()[0].Styles(true, colorprofile.TrueColor).Of(Accent)
	b.ReportAllocs()
	for b.Loop() {
		s.Render("pick-07")
	}
}
