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

// TestWhatDidThatJobCarry has one person read the payload of a job while payloads
// are kept, and look back at it when the job is gone from the lists; and another open
// the file. What nobody read is not in it.
func TestWhatDidThatJobCarry(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "night.leasetop")
	t.Run("the night", func(t *testing.T) { carriedTonight(t, file) })
	t.Run("the morning", func(t *testing.T) { carriedLastNight(t, file) })
}

func carriedTonight(t *testing.T, file string) {
	t.Helper()
	var w *world
	uitest.Run(t, uitest.Options{Width: 100, Height: 36, Token: token, Model: func(s *uitest.Session) tea.Model {
		w = newWorld(s.T)
		w.payloads = true
		w.poller.Want(poller.Want{Queue: queueName, View: model.ViewWorking}) // the first poll has the list
		w.enqueue(1, func(j *model.NewJob) { j.Payload = `{"order":"the first"}` })
		w.enqueue(1, func(j *model.NewJob) { j.Payload = `{"order":"the second"}` })
		w.claim("pick-07", 2, lease)
		return w.watch()
	}}, func(s *uitest.Session) {
		s.Wait(10*time.Second + half)
		s.Press("enter")
		s.Expect("payload", "not read: v shows it")
		s.Press("v")
		s.Expect("the first", "kept for looking back, :save and --record")
		s.Wait(time.Minute)
		s.Press("[", "[")
		s.Expect("THE PAST", "as it was read at 00:00:10Z", "the first")
		s.Golden("the payload of a job in the past")
		s.Press("p")
		s.Expect("not read: v shows it") // what it carries now was not read since
		s.Press("esc", "down", "enter", "[", "v")
		s.Expect("THE PAST", "not recorded: nobody read it")
		s.Press("p", ":")
		s.Type("save " + file)
		s.Press("enter")
		s.Expect("saved to ")
	})
}

func carriedLastNight(t *testing.T, file string) {
	t.Helper()
	rec, err := tape.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = rec.Close() })
	if !rec.About.Payloads || rec.Payloads() != 1 {
		t.Fatalf("the file says %v, and has %d", rec.About, rec.Payloads())
	}
	from, _ := rec.Reach()
	uitest.Run(t, uitest.Options{Width: 100, Height: 36, Token: token, Model: func(*uitest.Session) tea.Model {
		return ui.New(ui.Options{Feed: shelf{rec.At(from)}, History: rec, Past: rec, Replay: true, Carried: rec.Payload, Theme: "dark", Version: "v0"})
	}}, func(s *uitest.Session) {
		s.Press("enter") // of the first picture, in which nobody had read it yet
		s.Expect("REPLAY 00:00:00Z", "as it was read at 00:00:10Z", `"order": "the first"`)
		s.Press("esc", "down", "enter")
		s.Expect("not recorded: nobody read it")
		s.ExpectNot("the second", "the first")
	})
}
