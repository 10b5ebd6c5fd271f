package ui

import (
	"image/color"
	"reflect"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/poller"
	"github.com/leasetop/leasetop/ui/internal/fixture"
	"github.com/leasetop/leasetop/ui/internal/shot"
)

// screen is what the terminal shows.

func plan() model.Plan {
	return model.Plan{
		Mapping: fixture.Mapping(), Refusal: model.Yes(),
		Effects: []string{
			"The job becomes ready under a new token; the next free worker claims it and it runs again.",
			"pick-07 may still be working: its completion will be refused from then on.",
		},
		Statement: model.Statement{
			Text: "UPDATE [dbo].[QueueDemo] WITH (ROWLOCK)\nSET [State] = 'R', [ClaimToken] = @action, [LeaseUntil] = NULL\nWHERE [JobId] = @key AND [State] = 'W' AND [ClaimToken] = @token\n  AND [LeaseUntil] < SYSUTCDATETIME();",
			Args: []model.Arg{{Name: "@key", Declared: "bigint", Value: model.IntValue(10421)}},
		},
	}
}

func failing(h model.Health, f *model.Fault) *model.Snapshot {
	s := fixture.Snapshot()
	s.Watch = model.Watch{Health: h, Every: 8 * time.Second, RetryAt: fixture.Now().Add(22 * time.Second), Failures: 3, Err: f}
	return s
}

// several are queues on two servers, one of which is down.
func several(down *model.Snapshot) []*model.Snapshot {
	var out []*model.Snapshot
	for i, name := range []string{"billing", "audit", "orders", "mail"} {
		s := fixture.Snapshot()
		s.Queue, s.Findings = name, s.Findings[:i%3]
		out = append(out, s)
	}
	down.Queue, down.Server = "labels", "stage"
	return append(out, down)
}

// TestScreens are the whole screens, as a person reads them.
func TestScreens(t *testing.T) {
	refused := &model.Fault{Class: model.FaultNetwork, Op: "connect", Text: "dial tcp 10.1.2.3:1433: connection refused", Cure: "check that the server runs and that its port is open from here"}
	for name, c := range map[string]struct {
		w, h   int
		change func(*Options)
		board  []*model.Snapshot
		keys   []string
	}{
		"queue-80x24":         {80, 24, nil, []*model.Snapshot{fixture.Snapshot()}, nil},
		"queue-120x40":        {120, 40, nil, []*model.Snapshot{fixture.Snapshot()}, nil},
		"ready-80x24":         {80, 24, nil, []*model.Snapshot{fixture.ReadyList()}, []string{"2", "down"}},
		"dead-letters-80x24":  {80, 24, nil, []*model.Snapshot{fixture.FailedList()}, []string{"4"}},
		"dead-letters-120x40": {120, 40, nil, []*model.Snapshot{fixture.FailedList()}, []string{"4", "down"}},
		"groups-80x24":        {80, 24, nil, []*model.Snapshot{fixture.FailedAlike()}, []string{"4", "down"}},
		"groups-120x40":       {120, 40, nil, []*model.Snapshot{fixture.FailedAlike()}, []string{"4", "down", "enter", "/", "1", "enter", "space"}},
		"repeaters-80x24":     {80, 24, nil, []*model.Snapshot{fixture.RepeaterList()}, []string{"3"}},
		"repeaters-120x40":    {120, 40, nil, []*model.Snapshot{fixture.RepeaterList()}, []string{"3", "v", "down"}},
		"workers-80x24":       {80, 24, nil, []*model.Snapshot{fixture.Crew()}, []string{"5"}},
		"workers-120x40":      {120, 40, nil, []*model.Snapshot{fixture.Crew()}, []string{"5", "down"}},
		"history-80x24":       {80, 24, nil, []*model.Snapshot{fixture.Past()}, []string{"6"}},
		"history-120x40":      {120, 40, nil, []*model.Snapshot{fixture.Past()}, []string{"6", "down"}},
		"filter-80x24":        {80, 24, nil, []*model.Snapshot{fixture.Snapshot()}, []string{"/", "p", "i", "c", "k", "-", "0", "7"}},
		"marked-80x24":        {80, 24, nil, []*model.Snapshot{fixture.Snapshot()}, []string{"space", "space", "s"}},
		"exhausted-80x24":     {80, 24, nil, []*model.Snapshot{fixture.Snapshot()}, []string{"down"}},
		"training-80x24":      {80, 24, func(o *Options) { o.Training = true }, []*model.Snapshot{fixture.Snapshot()}, []string{"r"}},
		"small-40x12":         {40, 12, nil, []*model.Snapshot{fixture.Snapshot()}, nil},
		"down-80x24":          {80, 24, func(o *Options) { o.Production = func(string) bool { return true } }, []*model.Snapshot{failing(model.Down, refused)}, nil},
		"frozen-80x24":        {80, 24, nil, []*model.Snapshot{fixture.Snapshot()}, []string{"p"}},
		"ascii-80x24":         {80, 24, func(o *Options) { o.ASCII, o.Training = true, true }, []*model.Snapshot{fixture.Snapshot()}, []string{"?"}},
		"queues-80x24":        {80, 24, nil, several(failing(model.Down, refused)), nil},
		"queues-120x40":       {120, 40, nil, several(failing(model.Down, refused)), []string{"down"}},
		"queues-100x12":       {100, 12, nil, []*model.Snapshot{fixture.Snapshot(), failing(model.Down, refused)}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(c.w, c.h, c.change, c.board...)
			r.desk.plan = plan()
			r.Update(tick(fixture.Now().Add(14 * time.Second)))
			r.press(c.keys...)
			shot.Golden(t, name, r.screen())
		})
	}
}

// TestFreeze holds that the picture stands while the world goes on, and that an
// act on it is still compared with the world.
func TestFreeze(t *testing.T) {
	r := newRig(80, 24, nil, fixture.Snapshot())
	r.desk.plan = plan()
	r.press("p")
	r.expect(t, "FROZEN")
	next := fixture.Snapshot()
	next.Page.At = next.Page.At.Add(time.Minute)
	next.Page.Data.Jobs = next.Page.Data.Jobs[1:]
	r.board(next)
	r.expect(t, "▸ 10421")
	r.press("r")
	r.expect(t, "changed while you were reading")
	r.press("esc", "p")
	r.expectNot(t, "FROZEN", "▸ 10421")
	r.expect(t, "10421: gone")
}

func TestNavigation(t *testing.T) {
	other := fixture.Snapshot()
	other.Queue = "audit"
	r := newRig(100, 24, nil, fixture.Snapshot(), other)
	r.details.job = fixture.Jobs()[0]
	r.expect(t, "leasetop › queues")
	r.press("down", "enter")
	r.expect(t, "leasetop › prod › orders ")
	r.press("enter")
	r.expect(t, "› orders › 10421", "OperationId", "v payload")
	r.details.payload = model.Payload{Text: "hello"}
	r.press("v")
	r.expect(t, "hello")
	r.press("esc", "2", "esc", "esc")
	r.expect(t, "leasetop › queues")
	want := []poller.Want{
		{Queue: "orders", View: model.ViewWorking}, {Queue: "orders", View: model.ViewReady}, {},
	}
	if !reflect.DeepEqual(r.feed.wants, want) {
		t.Errorf("the feed was told %v", r.feed.wants)
	}
}

func TestHelpListsEveryKey(t *testing.T) {
	r := newRig(100, 40, nil, fixture.Snapshot())
	keys := append(r.top().Keys(r.area()), r.everywhere()...)
	r.press("?")
	for _, k := range keys {
		r.expect(t, k.Help().Key, k.Help().Desc)
	}
	r.press("?")
	r.expectNot(t, "everywhere")
}

func TestZoneAndTheme(t *testing.T) {
	r := newRig(80, 24, nil, fixture.Snapshot())
	r.expect(t, "12:04Z")
	r.press("z")
	r.expectNot(t, "12:04Z")
	r.press("z")
	r.expect(t, "12:04Z")
	before := r.env.Styles
	r.Update(tea.BackgroundColorMsg{Color: color.White})
	if r.dark || r.env.Styles == before {
		t.Error("a light background changes nothing")
	}
	before = r.env.Styles
	r.Update(tea.ColorProfileMsg{Profile: colorprofile.ANSI})
	if r.env.Styles == before {
		t.Error("sixteen colours change nothing")
	}
	r.theme.Name = "auto"
	r.press("t")
	r.expect(t, "theme dark")
}

// TestLeaves holds that q and ctrl+c end the program, the latter from a dialog too.
func TestLeaves(t *testing.T) {
	for _, keys := range [][]string{{"q"}, {"ctrl+c"}, {"r", "ctrl+c"}, {"?", "ctrl+c"}} {
		r := newRig(80, 24, nil, fixture.Snapshot())
		r.desk.plan = plan()
		r.press(keys[:len(keys)-1]...)
		_, cmd := r.Update(press(keys[len(keys)-1]))
		if cmd == nil || !leaves(cmd()) {
			t.Errorf("%v does not end it", keys)
		}
	}
}

// TestClockRunsOnlyWhileItMatters holds that a live screen has no ticker, and a
// stale one counts up.
func TestClockRunsOnlyWhileItMatters(t *testing.T) {
	r := newRig(80, 24, nil, fixture.Snapshot())
	if r.ticking {
		t.Error("a live screen ticks")
	}
	r.board(failing(model.Stale, &model.Fault{Class: model.FaultHung, Text: "no answer within 2s"}))
	if !r.ticking {
		t.Fatal("a stale screen does not tick")
	}
	r.Update(tick(fixture.Now().Add(7 * time.Second)))
	r.expect(t, "STALE 7s")
	r.Update(tick(fixture.Now().Add(8 * time.Second)))
	r.expect(t, "STALE 8s", "no answer within 2s")
	r.board(fixture.Snapshot())
	r.Update(tick(fixture.Now().Add(9 * time.Second)))
	if r.ticking {
		t.Error("it goes on ticking")
	}
	r.expect(t, "● live 2s")
}

// TestNothingIsDrawnTwice holds that a view without a message before it is the
// last one.
func TestNothingIsDrawnTwice(t *testing.T) {
	r := newRig(80, 24, nil, fixture.Snapshot())
	r.View()
	r.Update(tea.FocusMsg{})
	if r.stale {
		t.Error("a message that changes nothing draws")
	}
	if n := testing.AllocsPerRun(100, func() { r.View() }); n > 0 {
		t.Errorf("it allocates %v times", n)
	}
}

// TestEmptyBoards holds that the program starts before anything is known.
func TestEmptyBoards(t *testing.T) {
	for _, ss := range [][]*model.Snapshot{nil, {{Queue: "orders"}}} {
		r := newRig(80, 24, nil, ss...)
		r.press("down", "enter", "r", "f", "2", "1", "?", "esc", "p", "p", "R", "esc")
		r.expect(t, "leasetop ›")
	}
	r := newRig(80, 24, nil)
	r.feed.board = nil
	r.Update(rang{})
	r.expect(t, "leasetop ›")
}

// TestTheHelpNamesAKeyOnce holds that the help does not say of a key what it does on
// other screens: who takes it first is who has it.
func TestTheHelpNamesAKeyOnce(t *testing.T) {
	r := newRig(80, 60, nil, fixture.Snapshot())
	r.press("?")
	r.expect(t, "poll now")
	r.press("esc", "enter", "?")
	r.expect(t, "read again")
	r.expectNot(t, "poll now")

	r = newRig(80, 60, func(o *Options) {
		o.Past, o.Replay = &past{to: fixture.Now(), board: fixture.Board(fixture.Snapshot())}, true
	}, fixture.Snapshot())
	r.press("[", "?")
	r.expect(t, "first or last picture")
	r.expectNot(t, "first or last row")
}
