package uitest_test

import (
	"path/filepath"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/leasetop/leasetop/internal/tape"
	"github.com/leasetop/leasetop/internal/uitest"
	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/poller"
	"github.com/leasetop/leasetop/ui"
)

// TestTakeOverFromAColleague has one person save the hour in which a lease ran out
// and was taken back, and another open the file without any server: the same
// screens, the same moment, and nothing to do any harm with.
func TestTakeOverFromAColleague(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "night.leasetop")
	t.Run("the night", func(t *testing.T) { night(t, file) })
	t.Run("the morning", func(t *testing.T) { morning(t, file) })
}

// morning is what the one sees who takes over.
func morning(t *testing.T, file string) {
	t.Helper()
	rec, err := tape.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = rec.Close() })
	from, _ := rec.Reach()
	uitest.Run(t, uitest.Options{Width: 100, Height: 30, Token: token, Model: func(*uitest.Session) tea.Model {
		return ui.New(ui.Options{Feed: shelf{rec.At(from)}, History: rec, Past: rec, Replay: true, Theme: "dark", Version: "v0"})
	}}, func(s *uitest.Session) {
		s.Expect("REPLAY 00:00:00Z", "WORKING 1", "EXPIRED 0", "pick-07")
		s.Press("[", "[", "[")
		s.Expect("as far back as was seen")
		s.Press("]", "]", "]", "]", "]")
		s.Expect("EXPIRED 1", "REPLAY 00:00:50Z")
		s.Golden("the lease has run out")
		s.Press("r")
		s.Expect("this is a recording: nothing can be done to what was")
		s.Press("enter")
		s.Expect("working, lease expired", "not recorded: payloads are kept only")
		s.Press("esc", "end")
		s.Expect("EXPIRED 0", "READY 1")
		s.Press("home", ">", ">", ">", "space") // ten times as fast as it was
		s.Expect("▸ REPLAY", "10×")
		s.Wait(4 * time.Second)
		s.Expect("REPLAY 00:00:4", "EXPIRED 1")
		s.Press("space")
		s.Wait(4 * time.Second)
		s.Expect("‖ REPLAY 00:00:4", "EXPIRED 1")
		s.Press(":")
		s.Type("goto 00:00:20")
		s.Press("enter")
		s.Expect("REPLAY 00:00:20Z", "EXPIRED 0")
		s.Press("space")
		s.Wait(time.Minute)
		s.Expect("‖ REPLAY", "READY 1") // it stops at its end
	})
}

// night is that of the one who was on call.
func night(t *testing.T, file string) {
	t.Helper()
	var dead model.Claim
	uitest.Run(t, uitest.Options{Width: 100, Height: 30, Token: token, Model: func(s *uitest.Session) tea.Model {
		w := newWorld(s.T)
		w.poller.Want(poller.Want{Queue: queueName, View: model.ViewWorking}) // the first poll has the list
		w.enqueue(1)
		dead = w.claim("pick-07", 1, lease)[0]
		return w.watch()
	}}, func(s *uitest.Session) {
		s.Wait(time.Minute + half)
		s.Expect("EXPIRED 1")
		s.Press("r", "tab", "enter")
		s.Expect("APPLIED", dead.Token.String())
		s.Press("esc")
		s.Wait(30 * time.Second)
		s.Press(":")
		s.Type("save " + file)
		s.Press("enter")
		s.Expect("saved to ")
		s.Press(":", "up", "enter")
		s.Expect("not saved", "is there already")
	})
}

// shelf is the feed of a recording: nothing new comes.
type shelf struct{ board *model.Board }

func (shelf) Bell() <-chan struct{} { return nil }
func (x shelf) Board() *model.Board { return x.board }
func (shelf) Want(poller.Want)      {}
func (shelf) Kick(string)           {}
