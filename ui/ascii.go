package ui

import (
	"strings"

	"github.com/leasetop/leasetop/internal/text"
)

// plainGlyphs gives every glyph that the screens draw a plain one of the same
// width. It stands at the door: screens are drawn once, and translated here.
var plainGlyphs = strings.NewReplacer(
	"─", "-", "╌", ".", "│", "|", "╎", ":", "╭", "+", "╮", "+", "╰", "+", "╯", "+", "┤", "|", "┼", "+", "╴", "-", "╶", "-",
	"▕", "[", "▏", "]", "▄", "#", "░", ".", "▸", ">", "▹", ">", "›", ">", "▲", "^", "▼", "v",
	"●", "*", "○", "o", "◌", "?", "✕", "x", "‖", "=", "✓", "*", "≠", "!", "∅", "0", "→", ">", "↑", "^", "↓", "v", "⇥", ">",
)

func ascii(frame string) string { return text.ASCII(plainGlyphs.Replace(frame)) }
