package text

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Width is the number of terminal cells that s takes. Where terminals disagree
// about a glyph it is the larger number. Escape sequences take none.
func Width(s string) int {
	if plain(s) {
		return len(s)
	}
	return max(ansi.StringWidth(s), ansi.StringWidthWc(s))
}

// Cut gives s if it fits into the cells, otherwise as much of it as fits with a
// "…" behind it. It never splits a glyph, so the result may be a cell narrower;
// it holds no escape sequence, so style after cutting.
func Cut(s string, cells int) string {
	if cells <= 0 {
		return ""
	}
	if Width(s) <= cells {
		return s
	}
	if plain(s) {
		return s[:cells-1] + "…"
	}
	end, used := 0, 0
	for end < len(s) {
		cluster, _ := ansi.FirstGraphemeCluster(s[end:], ansi.GraphemeWidth)
		if used += Width(cluster); used > cells-1 || cluster == "" {
			break
		}
		end += len(cluster)
	}
	return s[:end] + "…"
}

// PadRight cuts s to the cells and fills the rest with spaces behind it.
func PadRight(s string, cells int) string {
	s = Cut(s, cells)
	return s + spaces(cells-Width(s))
}

// PadLeft cuts s to the cells and fills the rest with spaces before it, for
// numbers that stand in a column.
func PadLeft(s string, cells int) string {
	s = Cut(s, cells)
	return spaces(cells-Width(s)) + s
}

func spaces(n int) string { return strings.Repeat(" ", max(0, n)) }

var ascii = strings.NewReplacer("≥ ", ">=", "≥", ">", "–", "-", "−", "-", "…", ">", "⏎", "|", "·", ".")

// ASCII replaces this package's own glyphs for terminals that lack them. The
// width stays the same.
func ASCII(s string) string { return ascii.Replace(s) }
