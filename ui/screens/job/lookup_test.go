package job

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/ui/internal/fixture"
	"github.com/leasetop/leasetop/ui/kit"
)

// TestAnIdIsNotBroken holds that the operation's id in a reason stays whole where a
// line can hold it.
func TestAnIdIsNotBroken(t *testing.T) {
	const id = "(operation 0827FA34-4704-43DF-A325-7D9DCFC76EEB)"
	e := env(110, 30, fixture.Snapshot())
	s := open()
	s.Update(e, read(fixture.Jobs()[0], fixture.Now(), fixture.Event(time.Minute, model.EventFailed, 2, "pick-03", "the carrier's API answered 503 twice "+id)))
	if view := ansi.Strip(strings.Join(s.View(e), "\n")); !strings.Contains(view, "0827FA34-4704-43DF-A325-7D9DCFC76EEB)") {
		t.Errorf("it is broken:\n%s", view)
	}
}

// TestWhoActedIsNotCutOff holds that a narrow history names a worker or an operator in
// full, below the line that has no room for it.
func TestWhoActedIsNotCutOff(t *testing.T) {
	e := env(40, 12, fixture.Snapshot())
	ev := fixture.Event(time.Minute, model.EventReclaimed, 1, "", "")
	ev.Action, ev.Actor = "x", "anna@jump-box-07"
	for width, want := range map[int]string{39: "by anna@jump-box-07", 90: "try 1   by anna@jump-box-07"} {
		if got := strings.Join(event(e, ev, width), "\n"); !strings.Contains(ansi.Strip(got), want) {
			t.Errorf("in %d cells it says %q", width, ansi.Strip(got))
		}
	}
}

// TestNotFound holds that a key that nothing is known of is not said to be gone, and
// one with a history is.
func TestNotFound(t *testing.T) {
	e := env(80, 21, fixture.Snapshot())
	for want, events := range map[string][]model.Event{
		"not found: the table has no such row":     nil,
		"gone: the table has no such row any more": {fixture.Event(time.Minute, model.EventCompleted, 1, "pick-01", "")},
	} {
		s, _ := New(kit.OpenJob{Queue: "orders", Key: fixture.Key(10421)})
		s.Update(e, read(nil, fixture.Now(), events...))
		if view := ansi.Strip(strings.Join(s.View(e), "\n")); !strings.Contains(view, want) || strings.Contains(view, "v shows it") {
			t.Errorf("with %d events:\n%s", len(events), view)
		}
		if say, ok := press(s, e, "d").(kit.Say); !ok || !strings.Contains(say.Text, want) {
			t.Errorf("d says %v", say)
		}
	}
}

// TestLookedUp opens the page of a job that no list has: it is read by its key,
// and nothing is made up or offered before.
func TestLookedUp(t *testing.T) {
	e := env(80, 21, fixture.Snapshot())
	s, first := New(kit.OpenJob{Queue: "orders", Key: fixture.Key(10421)})
	if a, ok := first.(kit.ReadJob); !ok || a.Key != fixture.Key(10421) {
		t.Fatalf("it begins with %v", first)
	}
	if a := s.Update(e, kit.News{}); a != nil {
		t.Errorf("the news makes it ask for %v", a)
	}
	view := ansi.Strip(strings.Join(s.View(e), "\n"))
	if !strings.Contains(view, "reading …") || strings.Contains(view, "ClaimToken") {
		t.Errorf("before it was read it shows\n%s", view)
	}
	if say, ok := press(s, e, "d").(kit.Say); !ok || !strings.Contains(say.Text, "being read") {
		t.Errorf("an act before it was read: %v", say)
	}
	s.Update(e, kit.JobRead{Queue: "orders", Key: fixture.Key(10421), Err: errors.New("no connection")})
	if view := ansi.Strip(s.View(e)[1]); !strings.Contains(view, "no connection") {
		t.Errorf("%q", view)
	}
	dead := fixture.Failed(10421, 5, 12*time.Minute, "no such article")
	s.Update(e, read(dead, fixture.Now()))
	if got := s.Subject().View; got != model.ViewFailed {
		t.Errorf("it wants %v", got)
	}
	view = ansi.Strip(strings.Join(s.View(e), "\n"))
	for _, want := range []string{"dead letter, failed 12m00s ago", "no such article"} {
		if !strings.Contains(view, want) {
			t.Errorf("%q is not on the page:\n%s", want, view)
		}
	}
}
