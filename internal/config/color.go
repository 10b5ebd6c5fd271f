package config

import (
	"slices"

	"go.yaml.in/yaml/v4"
)

// ColorNames are the colours that a server can be marked with. Each theme has its
// own shade of them, so that they can be read on every ground.
func ColorNames() []string {
	return []string{"red", "green", "yellow", "blue", "magenta", "cyan"}
}

// ThemeNames are the themes that a file can name.
func ThemeNames() []string { return []string{"auto", "dark", "light", "high-contrast", "none"} }

// color reads the colour that marks a server.
func (d *decoder) color(n *yaml.Node, what string) string {
	return d.oneOf(n, what, what+": unknown colour", ColorNames())
}

// oneOf reads a word of a list.
func (d *decoder) oneOf(n *yaml.Node, what, unknown string, known []string) string {
	s, ok := d.text(n, what)
	if ok && !slices.Contains(known, s) {
		d.fail(n, Meant(s, known), "%s %q", unknown, s)
	}
	return s
}
