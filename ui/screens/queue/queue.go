// Package queue is the screen of one queue: its figures, its curves, what a person
// should know, and its lists.
package queue

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/ui/kit"
	"github.com/leasetop/leasetop/ui/table"
)

// Screen is the screen of one queue.
type Screen struct {
	name     string
	snapshot *model.Snapshot // as last shown; nil: never seen
	figures  model.Pulse     // the snapshot's, counted once
	family   model.Family    // whose lists the tabs are
	tabs     []*list
	tab      int
	typing   bool // the open list's filter is being written
	curves   curves
	notices  notices
	drain    kit.Drain
	past     bool // what is shown is of the past
}

// New makes the screen of a queue.
func New(name string) *Screen {
	s := &Screen{name: name, curves: newCurves()}
	s.open(nil)
	return s
}

// open makes the tabs of a queue's family. The same list stays open if there is one.
func (s *Screen) open(m *model.Mapping) {
	view := model.ViewNone
	if len(s.tabs) > 0 {
		view = s.list().view
	}
	s.tabs, s.tab = nil, 0
	for i, k := range kinds(m) {
		s.tabs = append(s.tabs, &list{kind: k})
		if k.view == view {
			s.tab = i
		}
	}
}

// Crumb implements kit.Screen.
func (s *Screen) Crumb() string { return text.Clean(s.name) }

// Subject implements kit.Screen.
func (s *Screen) Subject() kit.Subject {
	return kit.Subject{Queue: s.name, View: s.list().view, Typing: s.typing}
}

func (s *Screen) list() *list { return s.tabs[s.tab] }

// Keys implements kit.Screen.
func (s *Screen) Keys(e *kit.Env) []kit.Binding {
	if s.typing {
		return []kit.Binding{keep, drop}
	}
	in := s.opens()
	keys := []kit.Binding{in}
	acts := append(kit.ActKeys(e, s.chosen()), kit.WhyKey(e, s.chosen()))
	if m, ok := s.marked(); ok {
		acts = append(kit.MarkedKeys(e, m), kit.WhyKey(e, s.chosen()))
	}
	for _, a := range acts {
		if s.list().others != "" { // they are explained, but nobody looks for them here
			a = a.Hushed()
		}
		keys = append(keys, a)
	}
	keys = append(append(keys, s.narrowing()...), s.turning()...)
	if brake := kit.BrakeKey(e, s.name); brake.Quiet {
		keys = append(keys, brake)
	} else { // while it is on, its release comes before what else could be done
		keys = slices.Insert(keys, 1, brake)
	}
	return append(keys, table.Keys()...)
}

// chosen is what an act would be about. A job that left the list cannot be acted
// on: what it is now was not shown.
func (s *Screen) chosen() kit.Chosen {
	l := s.list()
	c := kit.Chosen{Queue: s.name, Job: l.job(), At: l.at, List: l.view, None: l.others}
	if r, ok := l.selected(); ok && r.group != nil && r.Job == nil && c.None == "" {
		c.None = text.Plural(int64(len(r.group.Jobs)), "job", "jobs") + " together: enter opens the group, and there is each for itself"
	}
	if name, lost := l.lost(); lost && c.None == "" {
		c.None = name + " left this list"
		if gone, _ := l.cursor.Lost(); !gone.key.IsZero() {
			c.None += ": enter opens its page, ↑ ↓ choose another"
		}
	}
	return c
}

// marked are the jobs that the acts are about instead: those that are marked, or
// the group under the cursor.
func (s *Screen) marked() (m kit.Marked, ok bool) {
	l := s.list()
	m = kit.Marked{Queue: s.name, At: l.at, What: "marked"}
	if l.marks.Len() == 0 {
		r, _ := l.selected()
		if r.group == nil || r.Job != nil {
			return kit.Marked{}, false
		}
		m.Jobs, m.What = r.group.Jobs, called(r.group)
		return m, true
	}
	for i := range l.rows {
		if l.marks.Has(l.rows[i].mark()) {
			m.Jobs = append(m.Jobs, l.rows[i].jobs()...)
		}
	}
	return m, true
}

// Update implements kit.Screen.
func (s *Screen) Update(e *kit.Env, msg tea.Msg) kit.Action {
	if _, ok := msg.(kit.News); ok {
		s.news(e)
		return nil
	}
	if c, ok := msg.(kit.Click); ok {
		return s.click(e, c)
	}
	if s.typing {
		s.write(msg)
		return nil
	}
	if a, ok := s.act(e, msg); ok {
		s.list().cursor.Use()
		return a
	}
	if a, ok := kit.AskedWhy(e, msg, s.chosen()); ok {
		s.list().cursor.Use()
		return a
	}
	if a, ok := kit.AskedBrake(e, msg, s.name); ok {
		return a
	}
	if a, ok := s.narrow(msg); ok {
		return a
	}
	if a, ok := s.turn(msg); ok {
		return a
	}
	if kit.Pressed(msg, inspect) {
		s.list().cursor.Use()
		return s.inspect()
	}
	s.list().cursor.Press(s.list().shown(), msg)
	return nil
}

// act takes the key of an act, on the marked jobs or on the one under the cursor.
func (s *Screen) act(e *kit.Env, msg tea.Msg) (kit.Action, bool) {
	if _, ok := msg.(tea.KeyPressMsg); !ok {
		return nil, false
	}
	if m, ok := s.marked(); ok {
		return kit.ActMarked(e, msg, m)
	}
	return kit.Act(e, msg, s.chosen())
}

var (
	inspect = kit.Bind("enter", "↵", "inspect")
	enter   = kit.Bind("enter", "↵", "open the group")
	whose   = kit.Bind("enter", "↵", "its jobs")
)

// opens is the key that opens what is under the cursor.
func (s *Screen) opens() kit.Binding {
	l := s.list()
	r, ok := l.selected()
	gone, lost := l.cursor.Lost()
	switch {
	case lost && !gone.key.IsZero():
		return inspect
	case !ok:
		return inspect.Refused(model.No("no row is chosen", "↑ and ↓ choose one"))
	case r.worker != nil:
		return whose
	case r.event != nil && r.event.Key.IsZero():
		return inspect.Refused(model.No("this was done to the queue and to no job", ""))
	case r.group != nil && r.Job == nil:
		return enter
	}
	return inspect
}

func (s *Screen) inspect() kit.Action {
	l := s.list()
	if b := s.opens(); b.Why != "" {
		return kit.Refuse(b)
	}
	r, _ := l.selected()
	gone, lost := l.cursor.Lost()
	switch {
	case lost:
		return kit.OpenJob{Queue: s.name, Key: gone.key}
	case r.worker != nil:
		s.follow(r.worker.Worker)
		return nil
	case r.event != nil:
		return kit.OpenJob{Queue: s.name, Key: r.event.Key}
	case r.Job == nil:
		l.openGroup(r.group)
		return nil
	}
	return kit.OpenJob{Queue: s.name, Key: r.Key, Job: r.Job, At: l.at}
}

// follow shows the jobs that a worker holds.
func (s *Screen) follow(worker string) {
	for i, l := range s.tabs {
		if l.view != model.ViewWorking {
			continue
		}
		s.tab = i
		l.typed.Set(heldBy(worker))
		l.refilter(l.typed.String())
	}
}

// news takes what is new in the Env.
func (s *Screen) news(e *kit.Env) {
	if e.Past != s.past {
		s.past = e.Past
		for _, l := range s.tabs {
			l.turnTo(e.Past)
		}
	}
	snap := e.Board.Queue(s.name)
	if snap == nil {
		if e.Past {
			s.snapshot = nil
		}
		return
	}
	s.snapshot, s.figures = snap, snap.Figures()
	if m := snap.Mapping; m != nil && m.Family != s.family {
		s.family = m.Family
		s.open(m)
	}
	for _, l := range s.tabs {
		l.take(snap, e.Width)
	}
	s.notices.take(snap, e.Width)
	s.curves.refresh(e, snap, s.plan(e))
	s.drain.Take(snap, &s.figures, s.curves.went)
}
