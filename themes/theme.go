package themes

import (
	"strconv"
	"strings"

	"github.com/charmbracelet/colorprofile"
)

// Theme is a palette for a dark terminal and one for a light one.
type Theme struct {
	Name        string
	Dark, Light Palette
}

// Auto is the theme that follows the terminal's background.
const Auto = "auto"

// All lists the built-in themes, the default first.
func All() []Theme {
	return []Theme{
		{Auto, dark(), light()},
		{"dark", dark(), dark()},
		{"light", light(), light()},
		{"high-contrast", contrastDark(), contrastLight()},
		{"none", none(), none()},
	}
}

// ByName finds a built-in theme.
func ByName(name string) (Theme, bool) {
	for _, t := range All() {
		if t.Name == name {
			return t, true
		}
	}
	return Theme{}, false
}

// Names lists the names of the built-in themes, for flags and help.
func Names() []string {
	var names []string
	for _, t := range All() {
		names = append(names, t.Name)
	}
	return names
}

// IsLight reports whether a COLORFGBG, as some terminals set it ("0;15",
// "0;default;15"), tells of a light ground. It is a guess for as long as the terminal
// itself has not answered; empty or unreadable it says no.
func IsLight(colorFgBg string) bool {
	ground := colorFgBg[strings.LastIndex(colorFgBg, ";")+1:]
	n, err := strconv.Atoi(ground)
	return err == nil && n >= 7 && n != 8 && n < 16 && ground != colorFgBg
}

// Styles prepares the theme for a terminal. One without colours gets the theme
// that was drawn for it, whatever was asked for.
func (t Theme) Styles(isDark bool, profile colorprofile.Profile) *Styles {
	switch {
	case profile == colorprofile.ASCII || profile == colorprofile.NoTTY:
		return none().Make(profile)
	case isDark:
		return t.Dark.Make(profile)
	}
	return t.Light.Make(profile)
}
