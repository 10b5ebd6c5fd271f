package queue

import (
	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/ui/kit"
)

// click chooses the tab or the row that was clicked on.
func (s *Screen) click(e *kit.Env, c kit.Click) kit.Action {
	if s.snapshot == nil || !s.snapshot.Pulse.Known() {
		return nil // nothing is drawn that could be clicked on
	}
	tabs := s.plan(e).tabs()
	if c.Y == tabs {
		return s.clickTab(e, c.X)
	}
	l := s.list()
	l.cursor.Point(l.shown(), c.Y-tabs-s.heads()-2) // the tabs and the titles
	return nil
}

// clickTab opens the tab in a column, or says why it cannot be had.
func (s *Screen) clickTab(e *kit.Env, x int) kit.Action {
	f, end := s.form(e.Width), 0
	for i := range s.tabs {
		if end += text.Width(s.label(i, f)) + 1; x >= end-1 {
			continue
		}
		if b := s.turning()[i]; b.Why != "" {
			return kit.Refuse(b)
		}
		s.tab = i
		return nil
	}
	return nil
}
