// Package spot is a theme for tests: every token has a palette index of its own,
// so that a golden file can say the token's name where a colour stands and a
// change of colours touches no golden.
package spot

import (
	"fmt"
	"image/color"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"

	"github.com/leasetop/leasetop/themes"
)

// first is the palette index of the first token, in the upper range that no
// built-in theme uses.
const first = 100

// Theme gives every token the colour #0000nn, and the selection such a ground.
func Theme() themes.Theme {
	var p themes.Palette
	for _, t := range themes.Tokens() {
		p[t] = themes.Ink{Fore: themes.Shade{Hex: hex(t)}}
	}
	p[themes.Plain] = themes.Ink{}
	p[themes.Selected] = themes.Ink{Ground: themes.Shade{Hex: hex(themes.Selected)}}
	return themes.Theme{Name: "spot", Dark: p, Light: p}
}

// Styles is the theme made ready.
func Styles() *themes.Styles { return Theme().Styles(true, colorprofile.TrueColor) }

func hex(t themes.Token) string { return fmt.Sprintf("#0000%02x", first+int(t)) }

// Name is the token whose ink a colour is; "plain" for no colour, "?" for a
// colour that no token has.
func Name(c color.Color) string {
	if c == nil {
		return themes.Plain.String()
	}
	r, g, b, _ := c.RGBA()
	for _, t := range themes.Tokens() {
		tr, tg, tb, _ := lipgloss.Color(hex(t)).RGBA()
		if r == tr && g == tg && b == tb {
			return t.String()
		}
	}
	return "?"
}
