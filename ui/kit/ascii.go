package kit

import (
	"strings"

	"github.com/leasetop/leasetop/internal/text"
)

// plainGlyphs gives every glyph that the screens draw a plain one of the same
// width. It stands at the door: screens are drawn once, and translated here.
var plainGlyphs = strings.NewReplacer(
	"─", "-", "╌", ".", "│", "|", "╎", ":", "═", "=", "╭", "+", "╮", "+", "╰", "+", "╯", "+", "┤", "|", "┼", "+", "╴", "-", "╶", "-",
	"▕", "[", "▏", "]", "▄", "#", "░", ".", "▸", ">", "▹", ">", "‹", "<", "›", ">", "▲", "^", "▼", "v",
	"●", "*", "■", "*", "○", "o", "◌", "?", "✕", "x", "‖", "=", "✓", "*", "✗", "x", "•", "*", "≠", "!", "∅", "0", "→", ">", "↑", "^", "↓", "v", "⇥", ">",
	"◂", "<", "▾", "v", "━", "=", "×", "x",
	"▁", "_", "▂", "_", "▃", "-", "▅", "=", "▆", "=", "▇", "#", "█", "#", "▌", "|",
)

// ASCII is a frame for terminals without the glyphs.
func ASCII(frame string) string { return text.ASCII(plainGlyphs.Replace(frame)) }
