package text

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Width is the number of terminal cells that s takes. Where terminals disagree
// about a glyph it is the larger number. Escape sequences take none.
func Width(s string) int {
	if n, ok := narrow(s); ok {
		return n
	}
	return max(ansi.StringWidth(s), ansi.StringWidthWc(s))
}

// narrow counts the glyphs of a string all of whose glyphs take one cell and
// join with no neighbour. Screens consist of such strings, and a frame measures
// hundreds of them.
func narrow(s string) (n int, ok bool) {
	for _, r := range s {
		switch {
		case r >= ' ' && r <= '~':
		case oneCell && (r >= 0xa1 && r <= 0x2ff && r != 0xad ||
			r >= 0x370 && r <= 0x482 || // Greek, Cyrillic
			r >= 0x2010 && r <= 0x2027 || r >= 0x2030 && r <= 0x205e || // dashes, dots, quotes
			r >= 0x2190 && r <= 0x2319 || // arrows, mathematics
			r >= 0x2500 && r <= 0x25fc): // boxes, blocks, shapes
		default:
			return 0, false
		}
		n++
	}
	return n, true
}

// oneCell is false where the environment asks for two cells a box-drawing glyph,
// as some East Asian fonts draw them.
var oneCell = ansi.StringWidth("─") == 1

// Cut gives s if it fits into the cells, otherwise as much of it as fits with a
// "…" behind it. It never splits a glyph, so the result may be a cell narrower. s
// must hold no escape sequence: style after cutting.
func Cut(s string, cells int) string {
	if cells <= 0 {
		return ""
	}
	n, ok := narrow(s)
	if !ok {
		n = Width(s)
	}
	if n <= cells {
		return s
	}
	if ok {
		for i := range s {
			if cells--; cells == 0 {
				return s[:i] + "…"
			}
		}
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

// ending is as much of the end of s as fits into the cells.
func ending(s string, cells int) string {
	glyphs := func(yield func(string) bool) {
		for rest := s; rest != ""; {
			cluster, _ := ansi.FirstGraphemeCluster(rest, ansi.GraphemeWidth)
			if cluster == "" || !yield(cluster) {
				return
			}
			rest = rest[len(cluster):]
		}
	}
	over := -cells
	for g := range glyphs {
		over += Width(g)
	}
	skip := 0
	for g := range glyphs {
		if over <= 0 {
			break
		}
		over, skip = over-Width(g), skip+len(g)
	}
	return s[skip:]
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
