// Package text makes strings fit for a terminal: it cleans what comes from a
// database, measures and cuts by terminal cells, and writes ages and counts in
// short fixed forms. The store's border, the screens and the commands share it.
package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// MaxLine bounds a cleaned single line, in bytes, so that hostile data cannot
// make every later step slow.
const MaxLine = 4096

// Clean makes one harmless line of s: escape sequences are removed whole, line
// ends become "⏎", tabs become a space, every other control, bidirectional or
// invisible formatting character and every invalid byte becomes "·". The result
// has at most MaxLine bytes.
func Clean(s string) string { return clean(s, MaxLine, false) }

// CleanBlock is Clean for text of several lines: line ends stay, tabs become four
// spaces. The result has at most max bytes.
func CleanBlock(s string, max int) string { return clean(s, max, true) }

func clean(s string, limit int, block bool) string {
	if plain(s) && len(s) <= limit {
		return s
	}
	if len(s) > 4*limit {
		s = s[:4*limit] // what lies beyond can never be shown
	}
	s = ansi.Strip(strings.ReplaceAll(s, "\r\n", "\n"))
	var b strings.Builder
	b.Grow(min(len(s), limit))
	for _, r := range s {
		piece := replacement(r, block)
		if piece == "" {
			piece = string(r)
		}
		if b.Len()+len(piece) > limit {
			break
		}
		b.WriteString(piece)
	}
	return b.String()
}

// plain reports whether s is printable ASCII, which is the common case.
func plain(s string) bool {
	for i := range len(s) {
		if s[i] < 0x20 || s[i] > 0x7e {
			return false
		}
	}
	return true
}

func replacement(r rune, block bool) string {
	switch {
	case r == '\n' && block:
		return "\n"
	case r == '\t' && block:
		return "    "
	case r == '\n', r == '\r', r == '\u2028', r == '\u2029':
		return "⏎"
	case r == '\t':
		return " "
	case r == utf8.RuneError, unicode.IsControl(r), unicode.Is(unicode.Cf, r), unicode.Is(unicode.Co, r), unicode.Is(unicode.Cs, r):
		return "·"
	case r == '\ufe0f', r == '\ufe0e': // presentation selectors change a glyph's width in some terminals only
		return "·"
	case unicode.IsSpace(r) && r != ' ':
		return " "
	}
	return ""
}
