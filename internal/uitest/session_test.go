package uitest_test

import (
	"fmt"
	"image/color"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/internal/uitest"
)

func newTiny(*uitest.Session) tea.Model { return tiny{} }

func TestKeysMoveAndQuit(t *testing.T) {
	t.Parallel()
	uitest.Run(t, uitest.Options{Model: newTiny}, func(s *uitest.Session) {
		s.ExpectLine(1, "0s")
		s.Press("down", "tab", "down", "up", "shift+tab")
		if got := s.Find("here"); got != "row 1    here" {
			t.Errorf("selected is %q", got)
		}
		if got := s.Title(); got != "tiny 1" {
			t.Errorf("title %q", got)
		}
		s.Press("y")
		if got := s.Clipboard(); got != "row 1" {
			t.Errorf("clipboard %q", got)
		}
		s.Click(3, 5)
		s.ExpectLine(1, "0s  4,2")
		s.ExpectLine(-1, "row 22")
		s.Quit("q")
	})
}

func TestTimeIsVirtual(t *testing.T) {
	t.Parallel()
	began := time.Now()
	uitest.Run(t, uitest.Options{Model: newTiny, FPS: 4}, func(s *uitest.Session) {
		s.Bytes()
		s.Views()
		s.Wait(10 * time.Minute)
		if got := s.Line(1); got != "600s" {
			t.Errorf("after ten minutes the clock says %q", got)
		}
		if n := s.Views(); n != 600 {
			t.Errorf("ten minutes took %d views, want one a second", n)
		}
		if n := s.Bytes(); n < 600 || n > 6_000 {
			t.Errorf("ten minutes of a changing digit wrote %d bytes", n)
		}
		s.UntilShown(10*time.Second, "605s")
	})
	if took := time.Since(began); took > 10*time.Minute {
		t.Errorf("ten minutes of screen time took %v", took)
	}
}

func TestTypingHasACursor(t *testing.T) {
	t.Parallel()
	for _, modern := range []bool{false, true} {
		uitest.Run(t, uitest.Options{Model: newTiny, Modern: modern}, func(s *uitest.Session) {
			s.Press("i")
			s.Type("Größe q?")
			s.Paste(" pasted")
			s.ExpectLine(1, "0s Größe q? pasted")
			s.Press("esc")
			s.Quit("ctrl+c")
		})
	}
}

func TestEverySizeAndProfile(t *testing.T) {
	t.Parallel()
	for p := colorprofile.NoTTY; p <= colorprofile.TrueColor; p++ {
		for _, modern := range []bool{false, true} {
			t.Run(fmt.Sprint(p, modern), func(t *testing.T) {
				t.Parallel()
				uitest.Run(t, uitest.Options{Model: newTiny, Profile: p, Modern: modern, Width: 40, Height: 12}, func(s *uitest.Session) {
					for _, size := range [][2]int{{80, 24}, {20, 3}, {200, 60}, {41, 13}} {
						s.Resize(size[0], size[1])
						s.Press("down")
					}
				})
			})
		}
	}
}

// TestRandomScreens feeds the oracle what a database could hold, cleaned as the
// store's border does, in random styles.
func TestRandomScreens(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	pieces := []string{
		"plain ", "数量", "e\u0301", "│─╮", "▸ ", "░█", "\x1b[2J", "\u202e", "👍🏽", "ключ", "\t", "\x00", "  ", "≥ 4m", "♥\ufe0f", "ﷺ", "각", "\x1bPq#0~\x1b\\", "🇩🇪",
	}
	styles := []string{"\x1b[1m", "\x1b[38;5;9m", "\x1b[48;2;1;2;3m", "\x1b[7m", "\x1b[4m", "\x1b[m", "\x1b[9m", "\x1b[32;44m", "\x1b[2;3m"}
	line := func(int) string {
		var b strings.Builder
		for range r.IntN(8) {
			b.WriteString(styles[r.IntN(len(styles))])
			b.WriteString(text.Cut(text.Clean(pieces[r.IntN(len(pieces))]+pieces[r.IntN(len(pieces))]), 9))
		}
		return b.String() + "\x1b[m"
	}
	for _, modern := range []bool{false, true} {
		uitest.Run(t, uitest.Options{Modern: modern, Model: func(*uitest.Session) tea.Model { return tiny{line: line} }}, func(s *uitest.Session) {
			for range 60 {
				s.Press("down")
			}
		})
	}
}

func twoTokens(c color.Color) string {
	if c == ansi.IndexedColor(9) || c == ansi.BasicColor(9) {
		return "bad"
	}
	return "panel"
}

func TestGoldenNamesTokens(t *testing.T) {
	t.Parallel()
	o := uitest.Options{Model: newTiny, Width: 30, Height: 5, Profile: colorprofile.ANSI256, Token: twoTokens}
	uitest.Run(t, o, func(s *uitest.Session) {
		s.Golden("first screen")
		s.Press("i", "down")
		if got := s.Style("row 1"); got != "bad bold on panel" {
			t.Errorf("style %q", got)
		}
		s.Golden("second row")
	})
}

func TestNoOrphanGoldens(t *testing.T) {
	t.Parallel()
	orphans, err := uitest.Orphans(".")
	if err != nil || len(orphans) > 0 {
		t.Errorf("goldens of no test: %v %v", orphans, err)
	}
}

func TestEncode(t *testing.T) {
	t.Parallel()
	for key, want := range map[string]string{"r": "r", "?": "?", "ctrl+c": "\x03", "alt+x": "\x1bx", "pgdown": "\x1b[6~", "enter": "\r", "ä": "ä"} {
		if got, err := uitest.Encode(key); err != nil || string(got) != want {
			t.Errorf("%s is sent as %q, %v", key, got, err)
		}
	}
	for _, key := range []string{"", "entre", "ctrl+", "ctrl+ä", "hyper+x"} {
		if got, err := uitest.Encode(key); err == nil {
			t.Errorf("%q is sent as %q", key, got)
		}
	}
}
