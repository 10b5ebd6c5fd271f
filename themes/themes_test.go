package themes

import (
	"fmt"
	"strings"
	"testing"

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

// TestSelectedRowIsOneBar holds that a reversed row, or one with an ink of its own,
// is no patchwork: no token brings its colour, all keep their weight.
func TestSelectedRowIsOneBar(t *testing.T) {
	theme, _ := ByName("high-contrast")
	for _, profile := range []colorprofile.Profile{colorprofile.ANSI, colorprofile.ANSI256, colorprofile.TrueColor} {
		s := theme.Styles(true, profile)
		for _, tok := range []Token{Accent, Warn, Dim, MarkRed} {
			if got, want := s.On(tok), s.On(Strong); got != want {
				t.Errorf("%s: %s is %q on the selected row, strong is %q", profile, tok, got.open, want.open)
			}
		}
		if got := s.On(Bad).open; !strings.Contains(got, "4") {
			t.Errorf("%s: bad lost its line on the selected row: %q", profile, got)
		}
	}
}

// TestEdgesAreThin holds that a frame of a token is neither a beam nor a double line.
func TestEdgesAreThin(t *testing.T) {
	for _, theme := range All() {
		for _, isDark := range []bool{true, false} {
			s := theme.Styles(isDark, colorprofile.ASCII)
			for _, tok := range Tokens() {
				if got := s.Edge(tok).open; strings.ContainsAny(got, "47") {
					t.Errorf("%s: the edge of %s is %q", theme.Name, tok, got)
				}
			}
		}
	}
	if s := All()[0].Styles(true, colorprofile.TrueColor); s.Edge(Bad) != s.Of(Bad) {
		t.Errorf("a frame has another colour than its word: %q, %q", s.Edge(Bad).open, s.Of(Bad).open)
	}
}

// TestBoldDoesNotBrighten holds that none of the first eight colours is drawn in
// bold as an ink: half of all terminals then draw one of the second eight.
func TestBoldDoesNotBrighten(t *testing.T) {
	for _, theme := range All() {
		for _, isDark := range []bool{true, false} {
			s := theme.Styles(isDark, colorprofile.ANSI)
			for _, tok := range Tokens() {
				for _, open := range []string{s.Of(tok).open, s.On(tok).open} {
					if strings.HasPrefix(open, "\x1b[1;3") {
						t.Errorf("%s, dark %v: %s is drawn with %q", theme.Name, isDark, tok, open)
					}
				}
			}
		}
	}
}

func TestIsLight(t *testing.T) {
	for says, want := range map[string]bool{
		"": false, "15;0": false, "0;15": true, "0;default;15": true, "15;default;0": false, "0;7": true, "15;8": false,
		"12;11": true, "default;default": false, "0;": false, "15": false, "0;255": false, "0;-1": false,
	} {
		if got := IsLight(says); got != want {
			t.Errorf("COLORFGBG=%s is light: %v", says, got)
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
