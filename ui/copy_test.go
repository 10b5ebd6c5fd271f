package ui

import (
	"reflect"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/ui/internal/fixture"
)

// clip gives a key and what it puts on the clipboard.
func (r *rig) clip(key string) string {
	_, cmd := r.Update(press(key))
	return r.clipped(cmd)
}

func (r *rig) clipped(cmd tea.Cmd) (text string) {
	if cmd == nil {
		return ""
	}
	switch msg := cmd().(type) {
	case tea.BatchMsg:
		for _, c := range msg {
			text += r.clipped(c)
		}
	case copied:
		_, next := r.Update(msg)
		text = r.clipped(next)
	default:
		if v := reflect.ValueOf(msg); v.IsValid() && v.Type() == reflect.TypeOf(tea.SetClipboard("")()) {
			text = v.String()
		}
	}
	return text
}

func TestCopy(t *testing.T) {
	job := fixture.Jobs()[0]
	for key, want := range map[string]string{
		"k": "10421", "t": job.Token.String(), "o": job.Operation,
	} {
		r := newRig(100, 30, nil, fixture.Snapshot())
		r.press("y")
		r.expect(t, "copy of 10421", "k  key", "t  token", "o  operation", "s  statement  of reclaim")
		if got := r.clip(key); got != want {
			t.Errorf("y %s copies %q, not %q", key, got, want)
		}
		r.expect(t, "copied the ", want)
		r.expectNot(t, "copy of")
	}
	r := newRig(100, 30, nil, fixture.Snapshot())
	r.desk.plan = plan()
	r.press("y")
	if got := r.clip("s"); !strings.HasPrefix(got, "-- @key bigint = 10421\nUPDATE [dbo].[QueueDemo]") {
		t.Errorf("the statement is copied as %q", got)
	}
	r.expect(t, "copied the statement of reclaim")
	r.press("r")
	if got := r.clip("ctrl+y"); !strings.HasPrefix(got, "-- @key") || r.dialog == nil {
		t.Errorf("in the dialog it is copied as %q", got)
	}
}

// TestCopyIsClean holds that nothing gets to the clipboard that would do something
// when it is pasted into a shell.
func TestCopyIsClean(t *testing.T) {
	s := fixture.Snapshot()
	s.Page.Data.Jobs[0].Key = model.KeyOf(model.TextValue("a\x1b[2J\nrm -rf ~\r\u202e"))
	r := newRig(100, 30, nil, s)
	r.press("y")
	if got := r.clip("k"); strings.ContainsAny(got, "\x1b\n\r\u202e") || !strings.Contains(got, "rm -rf") {
		t.Errorf("it copies %q", got)
	}
}

func TestNothingToCopy(t *testing.T) {
	r := newRig(100, 30, nil, fixture.Snapshot())
	r.desk.verdict = func(model.Action, *model.Job, time.Time) model.Verdict { return model.No("the lease still runs", "") }
	r.press("y")
	r.expect(t, "the lease still runs")
	if got := r.clip("s"); got != "" || len(r.desk.sent) > 0 {
		t.Errorf("it copies %q", got)
	}
	empty := fixture.Snapshot()
	empty.Page.Data.Jobs = nil
	r = newRig(100, 30, nil, empty)
	r.press("y")
	r.expect(t, "no job is chosen")
}

func TestMouse(t *testing.T) {
	r := newRig(120, 40, nil, fixture.Snapshot())
	row := func(part string) int {
		for y := range r.height {
			if strings.Contains(r.screen().Line(y), part) {
				return y
			}
		}
		t.Fatalf("%q is nowhere", part)
		return 0
	}
	click := func(x, y int) { r.Update(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft}) }
	at := func(y int, part string) int {
		before, _, _ := strings.Cut(r.screen().Line(y), part)
		return len([]rune(before))
	}
	if r.View().MouseMode != tea.MouseModeCellMotion {
		t.Error("the mouse is not asked for by cells")
	}
	click(5, row("10455 "))
	r.expect(t, "▸ 10455")
	r.Update(tea.MouseWheelMsg{Button: tea.MouseWheelDown})
	r.expect(t, "▸ 10470")
	r.Update(tea.MouseWheelMsg{Button: tea.MouseWheelUp})
	r.expect(t, "▸ 10455")
	tabs := row("2 Ready")
	click(at(tabs, "Ready"), tabs)
	if v := r.top().Subject().View; v != model.ViewReady {
		t.Errorf("the tab that was clicked on shows %v", v)
	}
	click(at(tabs, "Working")-1, tabs)
	foot := r.height - 1
	click(at(foot, "freeze"), foot)
	r.expect(t, "FROZEN")
	click(at(foot, "go on"), foot)
	r.expectNot(t, "FROZEN")
	click(at(foot, "inspect"), foot)
	r.expect(t, "› 10455")
	click(0, 0)
	click(119, 20)
	r.say("mouse")
	if r.View().MouseMode != tea.MouseModeNone {
		t.Error("the mouse is not left to the terminal")
	}
	other := failing(model.Down, nil)
	other.Queue = "audit"
	two := newRig(100, 20, nil, fixture.Snapshot(), other)
	two.text() // it is drawn
	two.Update(tea.MouseClickMsg{X: 3, Y: 4, Button: tea.MouseLeft})
	if !strings.HasPrefix(two.screen().Line(4), "▸") {
		t.Errorf("a click chooses no queue:\n%s", two.text())
	}
}

// TestWhyNothingCanBeCopied holds that where a row is chosen nobody is told to choose
// one.
func TestWhyNothingCanBeCopied(t *testing.T) {
	r := newRig(80, 24, nil, fixture.Past())
	r.press("6", "down", "y")
	r.expect(t, "this is what was: enter opens the job as it is")
	r.expectNot(t, "no job is chosen")
}
