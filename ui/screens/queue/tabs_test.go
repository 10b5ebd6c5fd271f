package queue

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/ui/internal/fixture"
	"github.com/leasetop/leasetop/ui/kit"
)

// TestExactly holds that the chosen job's ages are told to the second.
func TestExactly(t *testing.T) {
	for want, j := range map[string]*model.Job{
		"held 12m04s, lease out 2m04s|held 12m04s, out 2m04s|out 2m04s": fixture.Jobs()[0],
		"held 1m12s, lease 3m48s|held 1m12s, 3m48s left|3m48s left":     fixture.Jobs()[3],
		"waiting 4m07s|4m07s":        fixture.ReadyList().Page.Data.Jobs[1],
		"failed 2m04s ago|2m04s ago": fixture.FailedList().Page.Data.Jobs[0],
		"":                           {State: model.Failed},
	} {
		if got := strings.Join(exactly(j, fixture.Now()), "|"); got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
}

// TestTabsKeepTheirCursor holds that each list has a cursor of its own, and that
// the other list's page does not disturb it.
func TestTabsKeepTheirCursor(t *testing.T) {
	s := New("orders")
	e := env(80, 21, fixture.Snapshot())
	s.Update(e, kit.News{})
	press := func(k tea.KeyPressMsg) { s.Update(e, k) }
	press(tea.KeyPressMsg{Code: tea.KeyDown})
	if got := s.list().selected().Key; got != fixture.Key(10433) {
		t.Fatalf("on %v", got)
	}
	press(tea.KeyPressMsg{Code: '2', Text: "2"})
	if got := s.Subject().View; got != model.ViewReady {
		t.Errorf("it wants %v", got)
	}
	if j := s.list().selected(); j != nil {
		t.Errorf("before it was read there is %v", j)
	}
	if view := ansi.Strip(strings.Join(s.View(e), "\n")); !strings.Contains(view, "reading …") {
		t.Error("it does not say that the list is being read")
	}
	e.Board = fixture.Board(fixture.ReadyList())
	s.Update(e, kit.News{})
	if got := s.list().selected().Key; got != fixture.Key(10388) {
		t.Errorf("on %v", got)
	}
	press(tea.KeyPressMsg{Code: tea.KeyTab, Mod: tea.ModShift})
	if got := s.list().selected().Key; got != fixture.Key(10433) {
		t.Errorf("back on %v", got)
	}
}

// TestLeftTheList holds that a job that left its list is opened by its key and
// can not be acted on from the list, and that the cursor stays where it was.
func TestLeftTheList(t *testing.T) {
	s := New("orders")
	e := env(80, 21, fixture.Snapshot())
	s.Update(e, kit.News{})
	after := fixture.Snapshot()
	after.Page.Data.Jobs = after.Page.Data.Jobs[1:]
	e.Board = fixture.Board(after)
	s.Update(e, kit.News{})
	if view := ansi.Strip(strings.Join(s.View(e), "\n")); !strings.Contains(view, "10421 left this list") {
		t.Errorf("it does not say so:\n%s", view)
	}
	open, ok := s.Update(e, tea.KeyPressMsg{Code: tea.KeyEnter}).(kit.OpenJob)
	if !ok || open.Key != fixture.Key(10421) || open.Job != nil {
		t.Errorf("Enter opens %+v", open)
	}
	for _, k := range "rfedum" {
		say, ok := s.Update(e, tea.KeyPressMsg{Code: k, Text: string(k)}).(kit.Say)
		if !ok || !strings.Contains(say.Text, "10421 left this list") {
			t.Errorf("%c: %v", k, say)
		}
	}
	if j := s.list().selected(); j != nil {
		t.Errorf("the cursor went to %v", j.Key)
	}
}

// TestDeadLetters holds that the tab counts what its list has, and says why there
// is none.
func TestDeadLetters(t *testing.T) {
	s := New("orders")
	e := env(80, 21, fixture.FailedList())
	s.Update(e, kit.News{})
	s.Update(e, tea.KeyPressMsg{Code: '3', Text: "3"})
	view := func() string { return ansi.Strip(strings.Join(s.View(e), "\n")) }
	for _, want := range []string{"3 Dead letters 4", "FAIL 4", "failed 2m04s ago", "no reason recorded"} {
		if !strings.Contains(view(), want) {
			t.Errorf("%q is not on the screen:\n%s", want, view())
		}
	}
	s = New("orders")
	s.Update(e, tea.KeyPressMsg{Code: tea.KeyTab, Mod: tea.ModShift})
	if got := s.Subject().View; got != model.ViewFailed {
		t.Fatalf("before the first list is %v", got)
	}
	none := fixture.FailedList()
	none.Page = model.Part[model.Page]{Data: model.Page{View: model.ViewFailed}, Err: &model.Fault{Text: "the mapping names no value for the failed state"}}
	none.Pulse.Data.Failed = model.Count{}
	e.Board = fixture.Board(none)
	s.Update(e, kit.News{})
	for _, want := range []string{"3 Dead letters –", "cannot be listed: ", "names no value for the failed state"} {
		if !strings.Contains(view(), want) {
			t.Errorf("%q is not on the screen:\n%s", want, view())
		}
	}
}

// TestTabsFit holds that the tabs, and that the job left, are read on any screen.
func TestTabsFit(t *testing.T) {
	for _, w := range []int{40, 60, 80, 120} {
		s := New("orders")
		snap := fixture.Snapshot()
		for _, c := range []*model.Count{&snap.Pulse.Data.Ready, &snap.Pulse.Data.Failed} {
			*c = model.Count{N: 9999, Trust: model.AtLeast}
		}
		e := env(w, 21, snap)
		s.Update(e, kit.News{})
		line := ansi.Strip(s.tabLine(e))
		if !strings.Contains(line, "2 Ready ≥ 9,999") || w > 40 && !strings.Contains(line, "≥ 9,999 ") || ansi.StringWidth(line) != w {
			t.Errorf("in %d cells: %q", w, line)
		}
		if w < 80 {
			continue
		}
		snap.Page.Data.Jobs = snap.Page.Data.Jobs[1:]
		s.Update(e, kit.News{})
		if line := ansi.Strip(s.tabLine(e)); !strings.Contains(line, "left this list") {
			t.Errorf("in %d cells it does not say that the job left: %q", w, line)
		}
	}
}
