// Package text makes strings fit for a terminal: it cleans what comes from a
// database, measures and cuts by terminal cells, and writes ages, counts and
// rates in short fixed forms. The store's border, the screens and the commands
// share it.
package text

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// MaxLine bounds a cleaned single line, in bytes, so that hostile data cannot
// make every later step slow.
const MaxLine = 4096

// Clean makes one harmless line of s: complete escape sequences are removed, line
// ends become "⏎", tabs become a space, letters and their marks are composed, every
// other control, bidirectional or invisible character and every invalid byte
// becomes "·". The result has at most MaxLine bytes. Cleaning twice is cleaning
// once.
func Clean(s string) string { return clean(s, MaxLine, false) }

// CleanBlock is Clean for text of several lines: line ends stay, tabs become four
// spaces. The result has at most max bytes.
func CleanBlock(s string, max int) string { return clean(s, max, true) }

// escapes matches the escape sequences that are whole: CSI, the strings (OSC, DCS,
// SOS, PM, APC) with their end, and the short ones. An introducer without an end
// is left to become "·", so that it cannot hide the text behind it.
var escapes = regexp.MustCompile(`\x1b\[[0-?]*[ -/]*[@-~]|\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[ -/]*[0-OQ-WYZ\\` + "`" + `-~]`)

func clean(s string, limit int, block bool) string {
	if plain(s) && len(s) <= limit {
		return s
	}
	if len(s) > 4*limit {
		s = s[:4*limit] // what lies beyond can never be shown
	}
	if strings.IndexByte(s, '\x1b') >= 0 {
		s = escapes.ReplaceAllString(s, "")
	}
	s = norm.NFC.String(strings.ReplaceAll(s, "\r\n", "\n")) // composed letters have one width everywhere
	var b strings.Builder
	b.Grow(min(len(s), limit))
	first := true // in its line
	for _, r := range s {
		piece := replacement(r, block, first)
		if b.Len()+max(len(piece), utf8.RuneLen(r)) > limit {
			break
		}
		if piece != "" {
			b.WriteString(piece)
		} else {
			b.WriteRune(r)
		}
		first = block && r == '\n'
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

// replacement is what stands for r, empty when r may stay.
func replacement(r rune, block, first bool) string {
	switch {
	case r >= ' ' && r <= '~':
		return ""
	case r == '\n' && block:
		return "\n"
	case r == '\t' && block:
		return "    "
	case r == '\n', r == '\r', r == '\u2028', r == '\u2029':
		return "⏎"
	case r == '\t', unicode.IsSpace(r):
		return " "
	case r == utf8.RuneError, !unicode.IsGraphic(r), invisible(r):
		return "·"
	case first && unicode.IsMark(r): // it would sit on whatever is drawn before the string
		return "·"
	}
	return ""
}

// invisible reports whether r shows nothing of its own, or joins its neighbours
// to a glyph whose width terminals disagree about.
func invisible(r rune) bool {
	return unicode.In(r, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point, unicode.Regional_Indicator) ||
		r >= 0x1160 && r <= 0x11ff || // vowels and finals that composed to no syllable
		r == '\u2800' || // a Braille pattern without dots
		r >= '\U0001f3fb' && r <= '\U0001f3ff' // skin tones
}
