// Package queue is the screen of one queue: its figures, its curves, what a person
// should know, and its lists.
package queue

import (
	tea "charm.land/bubbletea/v2"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/themes"
	"github.com/leasetop/leasetop/ui/kit"
	"github.com/leasetop/leasetop/ui/table"
)

// Screen is the screen of one queue.
type Screen struct {
	name     string
	snapshot *model.Snapshot // as last shown; nil: never seen
	figures  model.Pulse     // the snapshot's, counted once
	tabs     [3]*list
	tab      int
	curves   curves
	notices  notices
}

// New makes the screen of a queue.
func New(name string) *Screen {
	return &Screen{
		name: name,
		tabs: [3]*list{
			{view: model.ViewWorking, title: "Working", short: "Work", fields: working},
			{view: model.ViewReady, title: "Ready", short: "Ready", fields: ready},
			{view: model.ViewFailed, title: "Dead letters", short: "Dead", fields: failed},
		},
		curves: newCurves(),
	}
}

// Crumb implements kit.Screen.
func (s *Screen) Crumb() string { return text.Clean(s.name) }

// Subject implements kit.Screen.
func (s *Screen) Subject() kit.Subject { return kit.Subject{Queue: s.name, View: s.list().view} }

func (s *Screen) list() *list { return s.tabs[s.tab] }

// The keys of the screen, beside the acts.
var (
	inspect = kit.Bind("enter", "↵", "inspect")
	first   = kit.Bind("1", "1", "working list").Hushed()
	second  = kit.Bind("2", "2", "ready list").Hushed()
	third   = kit.Bind("3", "3", "dead letters").Hushed()
	next    = kit.Bind("tab shift+tab", "⇥", "next list, shift: back").Hushed()
)

// Keys implements kit.Screen.
func (s *Screen) Keys(e *kit.Env) []kit.Binding {
	in := inspect
	if _, lost := s.list().cursor.Lost(); !lost && s.list().selected() == nil {
		in = in.Refused(model.No("no job is chosen", "↑ and ↓ choose one"))
	}
	keys := append([]kit.Binding{in}, kit.ActKeys(e, s.chosen())...)
	return append(append(keys, first, second, third, next), table.Keys()...)
}

// chosen is what an act would be about. A job that left the list cannot be acted
// on: what it is now was not shown.
func (s *Screen) chosen() kit.Chosen {
	l := s.list()
	c := kit.Chosen{Queue: s.name, Job: l.selected(), At: l.at, List: l.view}
	if key, lost := l.cursor.Lost(); lost {
		c.None = "job " + text.Cut(text.Clean(key.String()), keyMost) + " left this list: ↵ opens its page"
	}
	return c
}

// Update implements kit.Screen.
func (s *Screen) Update(e *kit.Env, msg tea.Msg) kit.Action {
	if _, ok := msg.(kit.News); ok {
		s.news(e)
		return nil
	}
	l := s.list()
	if a, ok := kit.Act(e, msg, s.chosen()); ok {
		return a
	}
	switch {
	case kit.Pressed(msg, inspect):
		return s.inspect()
	case kit.Pressed(msg, first):
		s.tab = 0
	case kit.Pressed(msg, second):
		s.tab = 1
	case kit.Pressed(msg, third):
		s.tab = 2
	case kit.Pressed(msg, next):
		s.turn(msg)
	default:
		l.cursor.Press(rows{l}, msg)
	}
	return nil
}

// turn goes to the next list, or with shift to the one before.
func (s *Screen) turn(msg tea.Msg) {
	by := 1
	if k, ok := msg.(tea.KeyPressMsg); ok && k.Mod.Contains(tea.ModShift) {
		by = len(s.tabs) - 1
	}
	s.tab = (s.tab + by) % len(s.tabs)
}

func (s *Screen) inspect() kit.Action {
	l := s.list()
	j := l.selected()
	if key, lost := l.cursor.Lost(); lost {
		return kit.OpenJob{Queue: s.name, Key: key}
	}
	if j == nil {
		return kit.Say{Tone: themes.Warn, Text: "no job is chosen: ↑ and ↓ choose one"}
	}
	return kit.OpenJob{Queue: s.name, Key: j.Key, Job: j, At: l.at}
}

// news takes what is new in the Env.
func (s *Screen) news(e *kit.Env) {
	snap := e.Board.Queue(s.name)
	if snap == nil {
		return
	}
	s.snapshot, s.figures = snap, snap.Figures()
	for _, l := range s.tabs {
		l.take(snap)
	}
	s.notices.take(snap)
	s.curves.refresh(e, snap, s.plan(e))
}

// plan is how the screen's height and width are shared out.
type plan struct {
	charts      int // how many, 0 to 2
	chartHeight int // their edges included
	notices     int // lines
	rows        int // of the list
}

func (s *Screen) plan(e *kit.Env) plan {
	var p plan
	h := e.Height - 3 // figures, tabs, titles
	switch {
	case e.Height >= 33:
		p.chartHeight, p.notices = 9, 3
	case e.Height >= 25:
		p.chartHeight, p.notices = 7, 2
	case e.Height >= 17:
		p.chartHeight, p.notices = 5, 1
	case e.Height >= 11:
		p.notices = 1
	}
	switch {
	case p.chartHeight == 0 || e.Width < 50:
		p.chartHeight = 0
	case e.Width < 96:
		p.charts = 1
	default:
		p.charts = 2
	}
	p.notices = s.notices.lines(e, p.notices)
	p.rows = max(0, h-p.chartHeight-p.notices)
	return p
}

// View implements kit.Screen.
func (s *Screen) View(e *kit.Env) []string {
	if s.snapshot == nil || !s.snapshot.Pulse.Known() {
		return s.waiting(e)
	}
	p := s.plan(e)
	old := s.snapshot.Watch.Health != model.Live
	out := make([]string, 0, e.Height)
	out = append(out, figures(e, &s.figures, s.curves.trend, old))
	if p.charts > 0 {
		out = append(out, s.curves.view(e, s.snapshot, &s.figures, p)...)
	}
	out = append(out, s.notices.view(e, p.notices)...)
	out = append(out, s.tabLine(e))
	return append(out, s.list().viewRows(e, p.rows, old)...)
}
