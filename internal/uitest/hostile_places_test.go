package uitest_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/leasetop/leasetop/internal/tape"
	"github.com/leasetop/leasetop/internal/uitest"
	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/ui"
)

// place is somewhere that a person can go to, from the queue's first tab, and what
// stands there, so that a key that leads elsewhere is noticed.
type place struct {
	keys []string
	say  string // a command that is typed after the keys
	want string
}

// places are all places of a queue that show what a stranger wrote.
func places() []place {
	return []place{
		{want: "WORKER"},
		{keys: []string{"w"}, want: "why"},
		{keys: []string{"y"}, want: "copy"},
		{keys: []string{"r", "tab", "ctrl+p"}, want: "statement"},
		{keys: []string{"space", "space", "space", "r"}, want: "reclaim 3 jobs"},
		{keys: []string{"*", "s", "S"}, want: "marked"},
		{keys: []string{"3", "home", "down"}, want: "Repeaters"},
		{keys: []string{"3", "v", "home", "down", "enter", "v"}, want: "› orders ›"},
		{keys: []string{"4", "home", "down"}, want: "2 jobs"},
		{keys: []string{"4", "home", "enter", "down"}, want: "▾ 2 jobs"},
		{keys: []string{"4", "v", "home", "enter", "v", "pgdown"}, want: "› orders ›"},
		{keys: []string{"4", "v", "A", "u"}, want: "requeue"},
		{keys: []string{"5", "home", "down", "down"}, want: "Workers"},
		{keys: []string{"5", "home", "enter"}, want: "/ worker:"},
		{keys: []string{"6", "home", "down", "pgdown"}, want: "History"},
		{keys: []string{"6", "home", "enter"}, want: "› orders ›"},
		{keys: []string{"p", "[", "["}, want: "THE PAST"},
		{keys: []string{"[", "enter", "v"}, want: "THE PAST"},
		{keys: []string{"?"}, want: "this screen"},
		{say: "job 1", want: "› orders › 1"},
		{say: "op " + hostileOperation, want: "hostile"},
	}
}

// hostileOperation is the operation id of two jobs.
const hostileOperation = "op\u202ehostile"

// visit goes to a place from the first tab and holds it at several sizes.
func (p place) visit(s *uitest.Session) {
	s.Helper()
	s.Press("1", "home")
	s.Press(p.keys...)
	if p.say != "" {
		s.Press(":")
		s.Type(p.say)
		s.Press("enter")
	}
	s.Wait(time.Second)
	if !strings.Contains(s.Screen(), p.want) {
		s.Errorf("%q %q leads elsewhere, not to %q:\n%s", p.keys, p.say, p.want, s.Screen())
	}
	for _, size := range [][2]int{{80, 24}, {40, 12}, {100, 30}} {
		s.Resize(size[0], size[1])
	}
	s.Resize(120, 40)
	for range 6 {
		s.Press("esc")
	}
}

// TestHostilePlaces goes to every tab, dialog and command of a queue in which every
// text is hostile, in the past too, and then does so in a recording of it.
func TestHostilePlaces(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "hostile.leasetop")
	t.Run("live", func(t *testing.T) {
		uitest.Run(t, uitest.Options{Width: 120, Height: 40, Modern: true, Model: hostileLetters}, func(s *uitest.Session) {
			s.Wait(lease + 12*time.Second)
			for _, p := range places() {
				p.visit(s)
			}
			for _, tab := range []string{"1", "2", "3", "4", "5", "6"} { // so that the recording has each
				s.Press(tab)
				s.Wait(12 * time.Second)
			}
			for _, h := range hostile {
				s.Press(":")
				s.Type("worker ")
				s.Paste(h)
				s.Press("enter")
				s.Wait(time.Second)
				s.Press("esc", "esc", "esc")
			}
			s.Press(":")
			s.Type("save " + file)
			s.Press("enter")
			s.Expect("saved to ")
			untouched(s)
		})
	})
	t.Run("replay", func(t *testing.T) { replayHostile(t, file) })
}

// replayHostile goes through every tab of a recording, at its end and while it is
// played.
func replayHostile(t *testing.T, file string) {
	t.Helper()
	rec, err := tape.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = rec.Close() })
	from, _ := rec.Reach()
	uitest.Run(t, uitest.Options{Width: 120, Height: 40, Modern: true, Model: func(*uitest.Session) tea.Model {
		return ui.New(ui.Options{Feed: shelf{rec.At(from)}, History: rec, Past: rec, Replay: true, Carried: rec.Payload, Theme: "dark", Version: "v0"})
	}}, func(s *uitest.Session) {
		s.Press("end")
		for _, tab := range []string{"1", "2", "3", "4", "5", "6"} {
			for back := 0; back <= 8; back += 2 * coarser {
				s.Press(tab, "end")
				for range back {
					s.Press("[")
				}
				s.Expect("REPLAY")
				s.Press("home", "end", "down", "enter", "pgdown", "esc", "?", "esc")
				s.Resize(80, 24)
				s.Resize(120, 40)
			}
		}
		s.Press("home", ">", ">", ">", "space")
		s.Wait(10 * time.Second)
		s.Expect("10×")
		untouched(s)
	})
}

// untouched holds that the data did nothing to the terminal but stand in it.
func untouched(s *uitest.Session) {
	s.Helper()
	if got := s.Title(); got != "" {
		s.Errorf("the data set the window's title to %q", got)
	}
	if got := s.Clipboard(); got != "" {
		s.Errorf("the data wrote %q to the clipboard", got)
	}
}

// hostileLetters has for each text a job that is worked on for the second time, two
// dead letters and the events of all; two jobs share an operation id.
func hostileLetters(s *uitest.Session) tea.Model {
	w := newWorld(s.T)
	n := 0
	w.enqueue(3*len(hostile), func(j *model.NewJob) {
		j.Payload, j.Operation = hostile[n/3], fmt.Sprint(n, hostile[n/3])
		if n < 2 {
			j.Operation = hostileOperation
		}
		if n%3 > 0 {
			j.MaxAttempts = model.NumberOf(1)
		}
		n++
	})
	var claims []model.Claim
	for i := range 3 * len(hostile) {
		claims = append(claims, w.claim(hostile[i/3], 1, time.Minute)...)
	}
	for i, c := range claims {
		if _, err := w.Fail(w.ctx, c.Key, c.Token, w.guid(), 500*time.Millisecond, hostile[i/3]); err != nil {
			s.Fatal(err)
		}
	}
	time.Sleep(time.Second)
	if _, err := w.Promote(w.ctx, 100); err != nil {
		s.Fatal(err)
	}
	for _, h := range hostile {
		w.claim(h, 1, lease)
	}
	return w.watch()
}
