package uitest

import (
	"strings"

	uv "github.com/charmbracelet/ultraviolet"
)

// Screen is the text on the screen, trailing blanks left out.
func (s *Session) Screen() string { return s.term.Screen() }

// Line is the text of a line without trailing blanks. Lines count from 1 at the
// top, or from -1 at the bottom.
func (s *Session) Line(n int) string {
	s.Helper()
	lines := s.term.screen().lines
	if n < 0 {
		n += len(lines) + 1
	}
	if n < 1 || n > len(lines) {
		s.Fatalf("there is no line %d of %d", n, len(lines))
	}
	return lineText(lines[n-1])
}

// Row is the number of the only line that holds the text.
func (s *Session) Row(part string) int {
	s.Helper()
	found := 0
	for i, l := range s.term.screen().lines {
		if !strings.Contains(lineText(l), part) {
			continue
		}
		if found > 0 {
			s.Fatalf("%q stands on line %d and on line %d\n%s", part, found, i+1, s.Screen())
		}
		found = i + 1
	}
	if found == 0 {
		s.Fatalf("%q is not on the screen\n%s", part, s.Screen())
	}
	return found
}

// Find is the only line that holds the text.
func (s *Session) Find(part string) string {
	s.Helper()
	return s.Line(s.Row(part))
}

// Shows reports whether the text stands in one line of the screen.
func (s *Session) Shows(part string) bool { return strings.Contains(s.Screen(), part) }

// Expect fails the test unless every text is on the screen.
func (s *Session) Expect(parts ...string) {
	s.Helper()
	for _, p := range parts {
		if !s.Shows(p) {
			s.Fatalf("%q is not on the screen\n%s", p, s.Screen())
		}
	}
}

// ExpectNot fails the test if one of the texts is on the screen.
func (s *Session) ExpectNot(parts ...string) {
	s.Helper()
	for _, p := range parts {
		if s.Shows(p) {
			s.Fatalf("%q is on the screen\n%s", p, s.Screen())
		}
	}
}

// ExpectLine fails the test unless the line, blanks at both ends left out, is the
// text.
func (s *Session) ExpectLine(n int, want string) {
	s.Helper()
	if got := strings.TrimSpace(s.Line(n)); got != want {
		s.Fatalf("line %d is %q, want %q\n%s", n, got, want, s.Screen())
	}
}

// Style names the style of the text in its line, as goldens do: "bad bold on
// panel". The text must have one style throughout.
func (s *Session) Style(part string) string {
	s.Helper()
	line := s.term.screen().lines[s.Row(part)-1]
	from, to := cells(line, part)
	style := ""
	for x := from; x < to; x++ {
		if line[x].Content == " " || line[x].Width == 0 {
			continue
		}
		got := s.name(line[x])
		if style != "" && got != style {
			s.Fatalf("%q has the styles %q and %q", part, style, got)
		}
		style = got
	}
	return style
}

// Bytes is the number of bytes written to the terminal since the last call.
func (s *Session) Bytes() int {
	n := s.term.screen().written
	defer func() { s.bytes = n }()
	return n - s.bytes
}

// Views is how often the program's View was called since the last call.
func (s *Session) Views() int {
	n := s.seen.asked()
	defer func() { s.views = n }()
	return n - s.views
}

// Drawn is how often the program's View was another than before since the last call.
func (s *Session) Drawn() int {
	n := s.seen.draws()
	defer func() { s.drawn = n }()
	return n - s.drawn
}

// Output is what the last step wrote to the terminal.
func (s *Session) Output() string { return s.term.screen().recently }

// Clipboard is what the program last put on the terminal's clipboard.
func (s *Session) Clipboard() string { return s.term.screen().clip }

// Title is the window's title.
func (s *Session) Title() string { return s.term.screen().title }

// cells gives the columns, from 0, at which the text begins and ends in the line.
func cells(l uv.Line, part string) (from, to int) {
	ends := []int{0} // by column, the bytes of text up to its end
	var all strings.Builder
	for _, c := range l {
		switch {
		case c.Width == 0:
		case c.Content == "":
			all.WriteString(" ")
		default:
			all.WriteString(c.Content)
		}
		ends = append(ends, len(all.String()))
	}
	begin := strings.Index(all.String(), part)
	for x := range l {
		if ends[x] <= begin {
			from = x
		}
		if ends[x] < begin+len(part) {
			to = x + 1
		}
	}
	return from, to
}
