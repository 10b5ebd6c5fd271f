// Package text makes strings fit for a terminal: it cleans what comes from a
// database, measures and cuts by terminal cells, and writes ages, counts and
// rates in short fixed forms. The store's border, the screens and the commands
// share it.
package text

import (
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

// brief is how many cells a message of one line gives a key, a token or a row.
const brief = 60

// Brief is Clean for a value that a message of one line names: no wider than it needs
// to be recognized by. A long one keeps both its ends, since keys of several columns
// and rows often begin alike. What has to be copied is written whole.
func Brief(s string) string {
	if s = Clean(s); Width(s) <= brief {
		return s
	}
	return Cut(s, brief/2) + ending(s, brief/2)
}

// CleanBlock is Clean for text of several lines: line ends stay, tabs become four
// spaces. The result has at most max bytes.
func CleanBlock(s string, max int) string { return clean(s, max, true) }

// withoutEscapes removes the escape sequences that are whole: CSI, the strings
// (OSC, DCS, SOS, PM, APC) with their end, and the short ones. An introducer
// without an end is left to become "·", so that it cannot hide the text behind it.
func withoutEscapes(s string) string {
	var b strings.Builder
	for {
		i := strings.IndexByte(s, '\x1b')
		switch {
		case i < 0 && b.Len() == 0:
			return s
		case i < 0:
			b.WriteString(s)
			return b.String()
		}
		b.WriteString(s[:i])
		n := escape(s[i:])
		if n == 0 {
			b.WriteByte('\x1b')
			n = 1
		}
		s = s[i+n:]
	}
}

// escape is the length of the whole escape sequence that s begins with, 0 if it
// has no end.
func escape(s string) int {
	if len(s) < 2 {
		return 0
	}
	switch s[1] {
	case '[':
		i := span(s, 2, '0', '?')
		i = span(s, i, ' ', '/')
		return end(s, i, '@', '~')
	case ']', 'P', 'X', '^', '_':
		i := 2
		for i < len(s) && s[i] != '\a' && s[i] != '\x1b' {
			i++
		}
		if strings.HasPrefix(s[i:], "\x1b\\") {
			return i + 2
		}
		return end(s, i, '\a', '\a')
	}
	return end(s, span(s, 1, ' ', '/'), '0', '~')
}

// span is the first index from i on whose byte lies outside the range.
func span(s string, i int, from, to byte) int {
	for i < len(s) && s[i] >= from && s[i] <= to {
		i++
	}
	return i
}

// end is the length of s up to the byte at i if that lies in the range, else 0.
func end(s string, i int, from, to byte) int {
	if i < len(s) && s[i] >= from && s[i] <= to {
		return i + 1
	}
	return 0
}

func clean(s string, limit int, block bool) string {
	if plain(s) && len(s) <= limit {
		return s
	}
	if len(s) > 4*limit {
		s = s[:4*limit] // what lies beyond can never be shown
	}
	s = strings.ReplaceAll(withoutEscapes(s), "\r\n", "\n")
	s = norm.NFC.String(s) // composed letters have one width everywhere
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
