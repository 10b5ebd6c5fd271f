package queue

import (
	"strings"
	"testing"
	"time"

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
	if got := s.list().job().Key; got != fixture.Key(10433) {
		t.Fatalf("on %v", got)
	}
	press(tea.KeyPressMsg{Code: '2', Text: "2"})
	if got := s.Subject().View; got != model.ViewReady {
		t.Errorf("it wants %v", got)
	}
	if j := s.list().job(); j != nil {
		t.Errorf("before it was read there is %v", j)
	}
	if view := ansi.Strip(strings.Join(s.View(e), "\n")); !strings.Contains(view, "reading …") {
		t.Error("it does not say that the list is being read")
	}
	e.Board = fixture.Board(fixture.ReadyList())
	s.Update(e, kit.News{})
	if got := s.list().job().Key; got != fixture.Key(10388) {
		t.Errorf("on %v", got)
	}
	press(tea.KeyPressMsg{Code: tea.KeyTab, Mod: tea.ModShift})
	if got := s.list().job().Key; got != fixture.Key(10433) {
		t.Errorf("back on %v", got)
	}
}

// TestAnOldListSaysSo holds that a list which is opened again after a while does
// not pass for what is now.
func TestAnOldListSaysSo(t *testing.T) {
	s := New("orders")
	e := env(80, 21, fixture.Snapshot())
	s.Update(e, kit.News{})
	s.Update(e, tea.KeyPressMsg{Code: '2', Text: "2"})
	looks := func() string { return ansi.Strip(strings.Join(s.View(e), "\n")) }
	later := fixture.ReadyList()
	later.Pulse.At = later.Pulse.At.Add(2 * time.Minute)
	later.Page.At = later.Pulse.At
	e.Board = fixture.Board(later)
	s.Update(e, kit.News{})
	if view := looks(); strings.Contains(view, "s old") {
		t.Errorf("a fresh list is called old:\n%s", view)
	}
	s.Update(e, tea.KeyPressMsg{Code: '1', Text: "1"})
	if view := looks(); !strings.Contains(view, "2m00s old") {
		t.Errorf("it does not say how old it is:\n%s", view)
	}
}

// TestLeftTheList holds that a job that left its list is opened by its key and
// can not be acted on from the list, and that the cursor stays where it was.
func TestLeftTheList(t *testing.T) {
	s := New("orders")
	e := env(80, 21, fixture.Snapshot())
	s.Update(e, kit.News{})
	s.Update(e, tea.KeyPressMsg{Code: tea.KeyHome})
	after := fixture.Snapshot()
	after.Page.Data.Jobs = after.Page.Data.Jobs[1:]
	e.Board = fixture.Board(after)
	s.Update(e, kit.News{})
	if view := ansi.Strip(strings.Join(s.View(e), "\n")); !strings.Contains(view, "10421: gone") {
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
	if j := s.list().job(); j != nil {
		t.Errorf("the cursor went to %v", j.Key)
	}
}

// TestDeadLetters holds that the tab counts what its list has, and says why there
// is none.
func TestDeadLetters(t *testing.T) {
	s := New("orders")
	e := env(80, 21, fixture.FailedList())
	s.Update(e, kit.News{})
	s.Update(e, tea.KeyPressMsg{Code: '4', Text: "4"})
	view := func() string { return ansi.Strip(strings.Join(s.View(e), "\n")) }
	for _, want := range []string{"4 Dead", "FAIL 4", "over 1d", "no reason recorded"} {
		if !strings.Contains(view(), want) {
			t.Errorf("%q is not on the screen:\n%s", want, view())
		}
	}
	s = New("orders")
	for range 3 {
		s.Update(e, tea.KeyPressMsg{Code: tea.KeyTab, Mod: tea.ModShift})
	}
	if got := s.Subject().View; got != model.ViewFailed {
		t.Fatalf("before the first list is %v", got)
	}
	none := fixture.FailedList()
	none.Page = model.Part[model.Page]{Data: model.Page{View: model.ViewFailed}, Err: &model.Fault{Text: "the mapping names no value for the failed state"}}
	none.Pulse.Data.Failed = model.Count{}
	e.Board = fixture.Board(none)
	s.Update(e, kit.News{})
	for _, want := range []string{"FAIL –", "cannot be listed: ", "names no value for the failed state"} {
		if !strings.Contains(view(), want) {
			t.Errorf("%q is not on the screen:\n%s", want, view())
		}
	}
}

// TestTabsFit holds that the tabs, and that the job left, are read on any screen.
func TestTabsFit(t *testing.T) {
	for w, want := range map[int]string{40: "1 Work", 60: "1 Work", 72: "│4 Dead│5 Workers│6 History", 80: " 1 Working 2 Ready│3 Repeaters│4 Dead letters│5 Workers│6 History", 100: "4 Dead letters", 140: "4 Dead letters ≥ 9,999"} {
		s := New("orders")
		snap := fixture.Snapshot()
		for _, c := range []*model.Count{&snap.Pulse.Data.Ready, &snap.Pulse.Data.Failed} {
			*c = model.Count{N: 9999, Trust: model.AtLeast}
		}
		e := env(w, 21, snap)
		s.Update(e, kit.News{})
		line := ansi.Strip(s.tabLine(e))
		if !strings.Contains(line, want) || ansi.StringWidth(line) != w {
			t.Errorf("in %d cells: %q", w, line)
		}
		s.list().cursor.Use()
		snap.Page.Data.Jobs = snap.Page.Data.Jobs[1:]
		s.Update(e, kit.News{})
		if line := ansi.Strip(s.tabLine(e)); !strings.Contains(line, "left this list") && !strings.Contains(line, "gone") {
			t.Errorf("in %d cells it does not say that the job left: %q", w, line)
		}
	}
}

// TestTabsStandStill holds that counts that grow do not move the tabs back and forth.
func TestTabsStandStill(t *testing.T) {
	s := New("orders")
	e := env(140, 21, fixture.Snapshot())
	s.Update(e, kit.News{})
	before := strings.Index(ansi.Strip(s.tabLine(e)), "4 Dead")
	for _, n := range []int64{0, 999, 1284} {
		snap := fixture.Snapshot()
		snap.Pulse.Data.Ready.N = n
		e.Board = fixture.Board(snap)
		s.Update(e, kit.News{})
		if at := strings.Index(ansi.Strip(s.tabLine(e)), "4 Dead"); at != before {
			t.Errorf("with %d ready the fourth tab is at %d, it was at %d", n, at, before)
		}
	}
}

// TestAbsentTabSaysWhy holds that a list that this table cannot have is passed over
// and says why.
func TestAbsentTabSaysWhy(t *testing.T) {
	s := New("orders")
	snap := fixture.Snapshot()
	snap.Mapping = fixture.Bare()
	snap.Mapping.States = map[model.State]model.Value{model.Ready: model.TextValue("R"), model.Working: model.TextValue("W")}
	e := env(80, 21, snap)
	s.Update(e, kit.News{})
	say, ok := s.Update(e, press("4")).(kit.Say)
	if !ok || !strings.Contains(say.Text, "names no value for the failed state") || s.tab != 0 {
		t.Errorf("it says %q on tab %d", say.Text, s.tab)
	}
	s.Update(e, press("tab"))
	s.Update(e, press("tab"))
	if s.tab != 0 {
		t.Errorf("two tabs on it is at %d", s.tab)
	}
}
