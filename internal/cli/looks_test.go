//go:build unix

package cli

import (
	"regexp"
	"strings"
	"testing"
)

// What terminals are told in: 24-bit colours, those of 256, any colour at all, and
// what is not ASCII.
var (
	many    = regexp.MustCompile(`\x1b\[[0-9;]*[34]8;[25];`)
	colour  = regexp.MustCompile(`\x1b\[([0-9;]*;)?(3[0-7]|4[0-7]|9[0-7]|10[0-7]|[34]8;[25];[0-9;]+)(;[0-9;]*)?m`)
	foreign = regexp.MustCompile(`[^\x00-\x7f]`)
)

// TestLooksIntendedOnEveryTerminal starts the real program on terminals that tell of
// themselves by their environment only, and answer nothing.
func TestLooksIntendedOnEveryTerminal(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		env       string
		has, not  *regexp.Regexp
		alsoPlain bool
	}{
		"every colour":      {"COLORTERM=truecolor", regexp.MustCompile(`38;2;122;162;247`), nil, false},
		"a light ground":    {"COLORTERM=truecolor COLORFGBG=0;15", regexp.MustCompile(`38;2;31;95;191`), regexp.MustCompile(`38;2;122;162;247`), false},
		"256 colours":       {"", regexp.MustCompile(`38;5;111`), regexp.MustCompile(`38;2;`), false},
		"tmux":              {"TERM=screen-256color", regexp.MustCompile(`38;5;111`), regexp.MustCompile(`38;2;`), false},
		"sixteen colours":   {"TERM=xterm", regexp.MustCompile(`\x1b\[96m`), many, false},
		"sixteen, light":    {"TERM=xterm COLORFGBG=0;default;15", regexp.MustCompile(`\x1b\[34m`), regexp.MustCompile(`\x1b\[9[1-7]m`), false},
		"the Linux console": {"TERM=linux", regexp.MustCompile(`\x1b\[96m`), many, true},
		"LANG=C":            {"LANG=C LC_ALL= LC_CTYPE=", regexp.MustCompile(`38;5;111`), nil, true},
		"NO_COLOR=1":        {"NO_COLOR=1 COLORTERM=truecolor", regexp.MustCompile(`\x1b\[1;7m`), colour, false},
		"NO_COLOR=yes":      {"NO_COLOR=yes", regexp.MustCompile(`\x1b\[1;7m`), colour, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			env := append([]string{"LC_ALL=", "LC_CTYPE=", "LANG=C.UTF-8", "COLORTERM=", "COLORFGBG=", "NO_COLOR=", "TMUX=", "LEASETOP_ASCII="}, strings.Fields(c.env)...)
			s := startScreenIn(t, env, "train")
			s.shows(t, "pick-0")
			if _, err := s.tty.WriteString("q"); err != nil {
				t.Fatal(err)
			}
			s.left(t)
			out := s.text()
			if !c.has.MatchString(out) {
				t.Errorf("%s is not written:\n%q", c.has, out)
			}
			if c.not != nil && c.not.MatchString(out) {
				t.Errorf("%q is written", c.not.FindString(out))
			}
			if got := foreign.FindString(out); c.alsoPlain != (got == "") {
				t.Errorf("ASCII only: want %v, got %q", c.alsoPlain, got)
			}
		})
	}
}

// TestADumbTerminalGetsOneLook: it has no screen, so nothing is drawn on it, and the
// program ends by itself.
func TestADumbTerminalGetsOneLook(t *testing.T) {
	t.Parallel()
	s := startScreenIn(t, []string{"TERM=dumb"}, "train")
	if err := <-s.ended; err != nil {
		t.Fatalf("it ended with %v", err)
	}
	if out := s.text(); strings.Contains(out, "\x1b") || !strings.Contains(out, "TERM=dumb") || !strings.Contains(out, "pick-0") {
		t.Errorf("it wrote %q", out)
	}
}
