package ui

import (
	"image/color"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"github.com/leasetop/leasetop/themes"
	"github.com/leasetop/leasetop/ui/internal/fixture"
)

// TestTheGroundIsGuessedUntilItIsTold: the first frame has the guess, the terminal's
// answer goes over it, whenever it comes, and a theme of one ground heeds neither.
func TestTheGroundIsGuessedUntilItIsTold(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		theme        string
		light        bool // the guess
		answer       color.Color
		first, after bool // whether it is drawn for a light ground
	}{
		{"", false, nil, false, false},
		{"", true, nil, true, true},
		{"", false, color.White, false, true},
		{"", true, color.Black, true, false},
		{"dark", true, color.White, false, false},
		{"light", false, color.Black, true, true},
	} {
		a := newApp(Options{Feed: &feed{board: fixture.Board(fixture.Snapshot())}, Theme: c.theme, Light: c.light})
		a.Update(tea.ColorProfileMsg{Profile: colorprofile.TrueColor})
		a.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
		drawn := func(when string, light bool) {
			theme, _ := themes.ByName(map[bool]string{true: "light", false: "dark"}[light])
			if want := theme.Styles(false, colorprofile.TrueColor); a.env.Styles.Of(themes.Accent) != want.Of(themes.Accent) {
				t.Errorf("%+v: %s it is not drawn for a ground that is light: %v", c, when, light)
			}
		}
		if a.View().Content == "" {
			t.Errorf("%+v: there is no first frame", c)
		}
		drawn("at first", c.first)
		if c.answer != nil {
			a.Update(tea.BackgroundColorMsg{Color: c.answer})
		}
		drawn("after the answer", c.after)
	}
}
