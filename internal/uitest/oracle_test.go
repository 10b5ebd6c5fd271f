package uitest

import (
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
)

func TestContentFaults(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, view, fault string }{
		{"fits", "0123456789\n\x1b[1;38;5;9mred\x1b[m \x1b]8;;http://x\x07link\x1b]8;;\x07\ncafe\u0301", ""},
		{"too wide", "01234567890", "line 1 is 11 wide"},
		{"too wide by a wide glyph", "012345678数", "line 1 is 11 wide"},
		{"too many lines", "1\n2\n3\n4", "the view has 4 lines, the terminal 3"},
		{"a cursor movement", "a\x1b[2Jb", `line 1 holds "\x1b[2J"`},
		{"a clipboard write", "a\n\x1b]52;c;eA==\x07", `line 2 holds "\x1b]52;c;eA==\a"`},
		{"a device control string", "\x1bPq\x1b\\", "line 1 holds"},
		{"a carriage return", "a\rb", `line 1 holds "\r"`},
		{"a tab", "a\tb", `line 1 holds "\t"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := strings.Join(content(c.view, 10, 3, ansi.WcWidth), "; ")
			if c.fault == "" && got != "" || !strings.Contains(got, c.fault) {
				t.Errorf("got %q, want %q", got, c.fault)
			}
		})
	}
}

func TestDifferences(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, shown, drawn string
		differ             int
	}{
		{"equal", "\x1b[31mred\x1b[m 数", "\x1b[31mred\x1b[m 数", 0},
		{"another letter", "red", "rad", 1},
		{"another colour", "\x1b[31mre\x1b[32md", "\x1b[31mred", 1},
		{"a weight", "\x1b[1mred", "red", 3},
		{"the colour of a blank cannot be seen", "\x1b[31m a", " \x1b[31ma", 0},
		{"its background can", "\x1b[41m a", " \x1b[41ma", 1},
		{"its underline can", "\x1b[4m ", " ", 1},
		{"a wide glyph in place of two", "数", "ab", 2},
		{"a link", "\x1b]8;;http://x\x07a\x1b]8;;\x07", "a", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := difference(draw(c.shown, 8, 1, ansi.WcWidth), draw(c.drawn, 8, 1, ansi.WcWidth), colorprofile.TrueColor)
			if len(got) != c.differ {
				t.Errorf("%d cells differ, want %d: %q", len(got), c.differ, got)
			}
		})
	}
	if got := difference(draw("\x1b[34mx", 2, 1, ansi.WcWidth), draw("\x1b[38;2;0;0;130mx", 2, 1, ansi.WcWidth), colorprofile.ANSI); len(got) != 0 {
		t.Errorf("a colour is not brought to the terminal's profile: %q", got)
	}
}

func TestCellsOfAText(t *testing.T) {
	t.Parallel()
	line := draw("a数b e\u0301nd", 12, 1, ansi.WcWidth)[0]
	for part, want := range map[string][2]int{"a": {0, 1}, "数": {1, 2}, "b": {3, 4}, "数b": {1, 4}, "e\u0301nd": {5, 8}} {
		if from, to := cells(line, part); from != want[0] || to != want[1] {
			t.Errorf("%q is at %d to %d, want %v", part, from, to, want)
		}
	}
	if got := lineText(line); got != "a数b e\u0301nd" {
		t.Errorf("the line reads %q", got)
	}
}
