package queue

import (
	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/themes"
	"github.com/leasetop/leasetop/ui/kit"
)

// othersFrom is the height from which there is room for the line about the others.
const othersFrom = 17

// others is one line about the first of the other queues, nil where there is none
// or no room.
func others(e *kit.Env, name string) *kit.Line {
	if !e.Beside || e.Height < othersFrom || e.Board == nil {
		return nil
	}
	for _, s := range e.Board.Queues {
		if s.Queue == name || s.Mapping == nil {
			continue
		}
		var l kit.Line
		l.Text(e.Styles.Of(themes.Border), " ▸ ")
		l.Text(e.Styles.Of(themes.Strong), text.Clean(s.Queue))
		for _, part := range besides(s) {
			if l.Width()+text.Width(part)+2 > e.Width-1 {
				break
			}
			l.Text(e.Styles.Of(themes.Dim), "  "+part)
		}
		if end := "esc: all queues"; l.Width()+text.Width(end)+3 < e.Width {
			l.To(e.Width - text.Width(end) - 2)
			l.Text(e.Styles.Of(themes.Dim), end)
		}
		return &l
	}
	return nil
}

// besides are another queue's figures, in cells that do not wander.
func besides(s *model.Snapshot) []string {
	f := s.Figures()
	if !s.Mapping.IsDestructive() {
		return []string{
			s.Mapping.Family.String(), "ready " + text.PadRight(text.Count(f.Ready), 5), "working " + text.PadRight(text.Count(f.Working), 4),
			"expired " + text.PadRight(text.Count(f.Expired), 3), "failed " + text.PadRight(text.Count(f.Failed), 4),
		}
	}
	age := text.Unknown
	if f.Head != nil {
		age = text.Age(f.Head.Waiting)
	}
	locked := "locked " + text.Count(f.Working)
	if s.Caps.Emulated {
		locked += " (emulated)"
	}
	return []string{
		s.Mapping.Family.String() + " " + s.Mapping.Lane.Order.String(), "depth " + text.PadRight(text.Count(f.Ready), 4),
		"head " + text.PadRight(age, 6), text.PadRight(locked, 19), "dead " + text.PadRight(text.Count(f.Failed), 4),
	}
}
