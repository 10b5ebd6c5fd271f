package dialog

import (
	"errors"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/themes/spot"
	"github.com/leasetop/leasetop/ui/internal/fixture"
	"github.com/leasetop/leasetop/ui/internal/shot"
	"github.com/leasetop/leasetop/ui/kit"
)

func env(w, h int) *kit.Env {
	b := fixture.Board(fixture.Snapshot())
	return &kit.Env{Width: w, Height: h, Styles: spot.Styles(), Board: b, Live: b}
}

func ask(a model.Action) kit.Ask {
	return kit.Ask{Queue: "orders", Action: a, Job: fixture.Jobs()[0], At: fixture.Now()}
}

func plan(confirm model.Confirm) model.Plan {
	return model.Plan{
		Mapping: fixture.Mapping(), Refusal: model.Yes(), Confirm: confirm,
		Effects: []string{"The job becomes ready under a new token.", "pick-07 may still be working: its completion will be refused."},
		Statement: model.Statement{
			Text: "UPDATE [dbo].[QueueDemo] SET [State] = 'R', [ClaimToken] = @action, [LeaseUntil] = NULL\nWHERE [JobId] = @key AND [State] = 'W' AND [ClaimToken] = @token;",
			Args: []model.Arg{{Name: "@key", Declared: "bigint", Value: model.IntValue(10421)}},
		},
	}
}

func key(name string) tea.KeyPressMsg {
	codes := map[string]rune{
		"enter": tea.KeyEnter, "esc": tea.KeyEscape, "tab": tea.KeyTab, "up": tea.KeyUp, "down": tea.KeyDown,
		"left": tea.KeyLeft, "right": tea.KeyRight, "backspace": tea.KeyBackspace, "home": tea.KeyHome, "end": tea.KeyEnd,
		"pgdown": tea.KeyPgDown, "pgup": tea.KeyPgUp, "delete": tea.KeyDelete,
	}
	switch {
	case codes[name] != 0:
		return tea.KeyPressMsg{Code: codes[name]}
	case name == "shift+tab":
		return tea.KeyPressMsg{Code: tea.KeyTab, Mod: tea.ModShift}
	case name == "space":
		return tea.KeyPressMsg{Code: tea.KeySpace, Text: " "}
	case strings.HasPrefix(name, "ctrl+"):
		return tea.KeyPressMsg{Code: rune(name[5]), Mod: tea.ModCtrl}
	}
	return tea.KeyPressMsg{Code: []rune(name)[0], Text: name}
}

// drive gives keys to a confirmation whose plans are made at once, and tells in
// words what it asked for.
func drive(e *kit.Env, c *Confirm, p model.Plan, keys string) string {
	var did []string
	note := func(a kit.Action) {
		switch a := a.(type) {
		case kit.Close:
			did = append(did, "close")
		case kit.Send:
			did = append(did, "send "+a.Plan.Intent.Reason+"/"+a.Typed)
		case kit.MakePlan:
			did = append(did, "plan "+a.Reason)
			next := p
			next.Intent.Reason = a.Reason
			c.Update(e, kit.Planned{ID: a.ID, Reason: a.Reason, Plan: next})
		}
	}
	for k := range strings.FieldsSeq(keys) {
		if word, ok := strings.CutPrefix(k, "'"); ok {
			for _, r := range word {
				note(c.Update(e, key(string(r))))
			}
			continue
		}
		note(c.Update(e, key(k)))
	}
	return strings.Join(did, ", ")
}

func TestConfirmKeys(t *testing.T) {
	plain := model.Confirm{}
	both := model.Confirm{Type: "orders", Reason: true}
	named := model.Confirm{Type: "orders"}
	for _, c := range []struct {
		name    string
		confirm model.Confirm
		keys    string
		want    string
	}{
		{"enter on the default does nothing", plain, "enter", ""},
		{"however often", plain, "enter enter enter", ""},
		{"escape closes", plain, "esc", "close"},
		{"tab, enter sends", plain, "tab enter", "send /"},
		{"the arrow too", plain, "right enter", "send /"},
		{"and l", plain, "l enter", "send /"},
		{"back to cancel by hand, enter closes", plain, "tab tab enter", "close"},
		{"backwards", plain, "shift+tab enter", "send /"},
		{"sent once, however often enter is pressed", plain, "tab enter enter enter", "send /"},
		{"sent: escape does not take it back", plain, "tab enter esc", "send /"},
		{"a reason is wanted", both, "shift+tab enter", ""},
		{"reading on does not move the focus", plain, "down down up enter", ""},
		{"the name is wanted", named, "shift+tab enter", ""},
		{"the wrong name is not enough", named, "'Orders enter enter", ""},
		{"what is typed on the default is the name", named, "'orders enter enter", "send /orders"},
		{"a name mended", named, "'ordersx backspace enter enter", "send /orders"},
		{"reason, then name", both, "'hung tab 'orders tab enter", "plan hung, send hung/orders"},
		{"the plan is made with the reason first", both, "'hung enter", "plan hung"},
		{"a changed reason makes it anew", both, "'hung tab shift+tab 'up tab 'orders tab enter", "plan hung, plan hungup, send hungup/orders"},
		{"blanks are no reason", both, "space space tab 'orders tab enter", ""},
	} {
		e, p := env(80, 21), plan(c.confirm)
		d, next := NewConfirm(e, 1, ask(model.Force))
		if m, ok := next.(kit.MakePlan); !ok || m.ID != 1 {
			t.Fatalf("%s: it begins with %v", c.name, next)
		}
		d.Update(e, kit.Planned{ID: 1, Plan: p})
		if got := drive(e, d, p, c.keys); got != c.want {
			t.Errorf("%s: %q, not %q", c.name, got, c.want)
		}
	}
}

// TestConfirmBlocked holds that nothing is sent while there is no plan to send.
func TestConfirmBlocked(t *testing.T) {
	refused := plan(model.Confirm{})
	refused.Refusal = model.No("its attempts are used up", "dead-letter it")
	for name, answer := range map[string]kit.Planned{
		"still planning":           {ID: 99},
		"no plan could be made":    {ID: 1, Err: errors.New("control is off")},
		"refused by our own guard": {ID: 1, Plan: refused},
	} {
		e := env(80, 21)
		d, _ := NewConfirm(e, 1, ask(model.Reclaim))
		d.Update(e, answer)
		if got := drive(e, d, refused, "tab enter enter"); got != "" {
			t.Errorf("%s: %q was asked for", name, got)
		}
		if got := drive(e, d, refused, "esc"); got != "close" {
			t.Errorf("%s: escape gives %q", name, got)
		}
	}
}

// TestRowChanges holds that the dialog is about the row that was shown.
func TestRowChanges(t *testing.T) {
	change := func(f func(*model.Job)) func(*model.Snapshot) {
		return func(s *model.Snapshot) {
			j := *s.Page.Data.Jobs[0]
			f(&j)
			s.Page.Data.Jobs[0] = &j
		}
	}
	for _, c := range []struct {
		name   string
		action model.Action
		after  func(*model.Snapshot)
		frozen bool
	}{
		{"nothing", model.Reclaim, func(*model.Snapshot) {}, false},
		{"a renewed lease does not disturb an extension", model.Extend, change(func(j *model.Job) { j.Lease = fixture.At(time.Minute) }), false},
		{"nor a dead letter", model.DeadLetter, change(func(j *model.Job) { j.Lease = fixture.At(time.Minute) }), false},
		{"but a grant it does", model.Grant, change(func(j *model.Job) { j.Lease = fixture.At(time.Minute) }), true},
		{"another token", model.Reclaim, change(func(j *model.Job) { j.Token = fixture.Token(7) }), true},
		{"another token under a force", model.Force, change(func(j *model.Job) { j.Token = fixture.Token(7) }), true},
		{"a renewed lease", model.Reclaim, change(func(j *model.Job) { j.Lease = fixture.At(time.Minute) }), true},
		{"a renewed lease does not disturb a force", model.Force, change(func(j *model.Job) { j.Lease = fixture.At(time.Minute) }), false},
		{"it left the list", model.Reclaim, func(s *model.Snapshot) { s.Page.Data.Jobs = s.Page.Data.Jobs[1:] }, true},
		{"it is not in a list that is cut", model.Reclaim, func(s *model.Snapshot) { s.Page.Data.Jobs, s.Page.Data.More = s.Page.Data.Jobs[1:], true }, false},
		{"the list could not be read", model.Reclaim, func(s *model.Snapshot) {
			s.Page.Data.Jobs, s.Page.Err = nil, &model.Fault{Text: "hung"}
		}, false},
		{"the list is of the same moment", model.Reclaim, func(s *model.Snapshot) { s.Page.Data.Jobs, s.Page.At = nil, fixture.Now() }, false},
		{"another list has it now", model.Reclaim, func(s *model.Snapshot) { s.Page.Data = fixture.ReadyList().Page.Data }, true},
		{"another list is read", model.Reclaim, func(s *model.Snapshot) {
			s.Page.Data = fixture.ReadyList().Page.Data
			s.Page.Data.Jobs = s.Page.Data.Jobs[:10]
		}, false},
	} {
		e, p := env(80, 21), plan(model.Confirm{})
		d, _ := NewConfirm(e, 1, ask(c.action))
		d.Update(e, kit.Planned{ID: 1, Plan: p})
		s := fixture.Snapshot()
		s.Page.At = s.Page.At.Add(2 * time.Second)
		c.after(s)
		e.Live = fixture.Board(s)
		d.Update(e, kit.News{})
		want := "send /"
		if c.frozen {
			want = ""
		}
		if got := drive(e, d, p, "shift+tab enter"); got != want {
			t.Errorf("%s: %q was asked for, not %q", c.name, got, want)
		}
		view := shot.Of(strings.Join(d.View(e), "\n"), 80, 21).Text()
		if got := strings.Contains(view, "changed while you were reading"); got != c.frozen {
			t.Errorf("%s: it says so: %v", c.name, got)
		}
		// What happens later does not take it back.
		e.Live = env(1, 1).Live
		d.Update(e, kit.News{})
		if got := drive(e, d, p, "enter"); got != "" {
			t.Errorf("%s: later %q was asked for", c.name, got)
		}
	}
}

// TestLeavesItsList holds that a waiting job and a dead letter freeze the dialog
// when they leave the list that must have them.
func TestLeavesItsList(t *testing.T) {
	for _, c := range []struct {
		from   *model.Snapshot
		action model.Action
		more   bool
		says   string
	}{
		{fixture.ReadyList(), model.DeadLetter, false, "no longer ready"},
		{fixture.ReadyList(), model.DeadLetter, true, ""},
		{fixture.FailedList(), model.Requeue, false, "no longer a dead letter"},
	} {
		e := env(80, 21)
		d, _ := NewConfirm(e, 1, kit.Ask{Queue: "orders", Action: c.action, Job: c.from.Page.Data.Jobs[0], At: fixture.Now()})
		c.from.Page.At = c.from.Page.At.Add(time.Second)
		c.from.Page.Data.Jobs, c.from.Page.Data.More = c.from.Page.Data.Jobs[1:], c.more
		e.Live = fixture.Board(c.from)
		d.Update(e, kit.News{})
		if (d.drift == "") != (c.says == "") || !strings.Contains(d.drift, c.says) {
			t.Errorf("%s: %q, not %q", c.action, d.drift, c.says)
		}
	}
}

// TestOpensOnAChangedRow holds that a picture that was frozen is compared with
// the newest at once.
func TestOpensOnAChangedRow(t *testing.T) {
	e := env(80, 21)
	s := fixture.Snapshot()
	s.Page.At, s.Page.Data.Jobs = s.Page.At.Add(time.Minute), nil
	e.Live = fixture.Board(s)
	d, _ := NewConfirm(e, 1, ask(model.Reclaim))
	d.Update(e, kit.Planned{ID: 1, Plan: plan(model.Confirm{})})
	if got := drive(e, d, plan(model.Confirm{}), "tab enter"); got != "" {
		t.Errorf("%q was asked for", got)
	}
}

func TestConfirmGolden(t *testing.T) {
	e := env(76, 24)
	d, _ := NewConfirm(e, 1, ask(model.Reclaim))
	shot.Golden(t, "planning", box(d.View(e)))
	d.Update(e, kit.Planned{ID: 1, Plan: plan(model.Confirm{})})
	shot.Golden(t, "reclaim", box(d.View(e)))

	d, _ = NewConfirm(e, 1, ask(model.Force))
	p := plan(model.Confirm{Type: "orders", Reason: true})
	d.Update(e, kit.Planned{ID: 1, Plan: p})
	drive(e, d, p, "'hung tab 'ord")
	shot.Golden(t, "force", box(d.View(e)))

	d, _ = NewConfirm(e, 1, ask(model.Reclaim))
	p = plan(model.Confirm{})
	p.Refusal = model.No("its attempts are used up (5 of 5), so nobody could claim it again", "leave it to recovery")
	d.Update(e, kit.Planned{ID: 1, Plan: p})
	shot.Golden(t, "refused", box(d.View(e)))

	d, _ = NewConfirm(e, 1, kit.Ask{Queue: "orders", Action: model.DeadLetter, Job: fixture.ReadyList().Page.Data.Jobs[3], At: fixture.Now()})
	p = plan(model.Confirm{Reason: true})
	p.Effects = []string{"The job becomes failed under a new token and is not claimed again until somebody requeues it.", "The reason becomes its diagnostic."}
	d.Update(e, kit.Planned{ID: 1, Plan: p})
	shot.Golden(t, "dead-letter", box(d.View(e)))
}

// TestWords holds that every act has words of its own.
func TestWords(t *testing.T) {
	seen := map[string]bool{}
	for _, a := range model.Actions() {
		v := verb(a)
		if seen[v] || v == verb(model.ActionNone) {
			t.Errorf("%s is called %q on its button", a, v)
		}
		seen[v] = true
	}
	if got := named(model.Grant, fixture.Key(7), 9); got != "grant job 7 one more attempt" {
		t.Error(got)
	}
	if got := named(model.DeadLetter, fixture.Key(1234567), 4); got != "dead-letter job 123…" {
		t.Error(got)
	}
}

func box(lines []string) shot.Screen {
	return shot.Of(strings.Join(lines, "\n"), 76, len(lines))
}
