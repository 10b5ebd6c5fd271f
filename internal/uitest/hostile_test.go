package uitest_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/leasetop/leasetop/internal/uitest"
	"github.com/leasetop/leasetop/model"
)

// hostile is what tables have held: sequences that steer terminals, text that runs
// backwards, glyphs of every width, bytes that are no text.
var hostile = []string{
	"\x1b[2J\x1b[H\x1b]0;owned\x07\x1b]52;c;cm0gLXJm\x07",
	"\x1bPq#0;2;0;0;0~\x1b\\\x1b]8;;http://evil\x07click\x1b]8;;\x07",
	"\u202Egnp.exe\u202C \u2066x\u2069 \u200b\u200d\ufeff",
	"数量が足りません 👍🏽 🇩🇪 👨‍👩‍👧‍👦 ❤️ 가 क्षि",
	"Z\u0301\u0302\u0303\u0304\u0305a\u0316\u0317l\u0318go",
	"tab\there\r\nand\rthere\nthen \x00\x7f\x9b31m",
	"\xff\xfe\x80 not text",
	strings.Repeat("long ", 500) + strings.Repeat("數", 500),
	"'; DROP TABLE Orders; --",
	"%s%d{{.}}$(reboot)`id`",
}

// TestHostileData fills every text that a stranger can write (worker, error,
// payload) with hostile strings and visits each place at several sizes. The oracle
// of every step holds the screen.
func TestHostileData(t *testing.T) {
	t.Parallel()
	for _, modern := range []bool{false, true} {
		t.Run(fmt.Sprintf("modern %v", modern), func(t *testing.T) {
			t.Parallel()
			texts := slices.Clone(hostile)
			if !modern {
				// Terminals of the old kind disagree about joined Indic letters.
				texts = slices.DeleteFunc(texts, func(s string) bool { return strings.Contains(s, "क्षि") })
			}
			o := uitest.Options{Width: 120, Height: 40, Modern: modern, Model: func(s *uitest.Session) tea.Model { return hostileQueue(s.T, texts) }}
			uitest.Run(t, o, func(s *uitest.Session) {
				s.Wait(lease + 5*time.Second)
				visit(s, len(texts))
				if got := s.Title(); got != "" {
					t.Errorf("the data set the window's title to %q", got)
				}
				if got := s.Clipboard(); got != "" {
					t.Errorf("the data wrote %q to the clipboard", got)
				}
			})
		})
	}
}

// hostileQueue has two jobs for each text: one failed once with it and was claimed
// again by a worker of that name, one waits.
func hostileQueue(t *testing.T, texts []string) tea.Model {
	w := newWorld(t)
	n := 0
	w.enqueue(2*len(texts), func(j *model.NewJob) {
		j.Payload = texts[n%len(texts)]
		n++
	})
	for _, h := range texts {
		c := w.claim(h, 1, time.Minute)[0]
		if _, err := w.Fail(w.ctx, c.Key, c.Token, w.guid(), time.Millisecond, h); err != nil {
			t.Fatal(err)
		}
	}
	time.Sleep(time.Second)
	if _, err := w.Promote(w.ctx, 100); err != nil {
		t.Fatal(err)
	}
	for _, h := range texts {
		w.claim(h, 1, lease)
	}
	return w.watch()
}

// visit opens every row's page, payload and confirmation at several sizes.
func visit(s *uitest.Session, rows int) {
	for _, size := range [][2]int{{120, 40}, {40, 12}} {
		s.Resize(size[0], size[1])
		s.Press("1", "home")
		for range rows {
			s.Press("enter", "v", "down", "pgdown", "esc")
			s.Press("r", "down", "pgdown", "esc")
			s.Press("down")
		}
		s.Press("2", "home", "enter", "v", "esc")
	}
}
