package queue

import (
	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/ui/kit"
)

// plan is how the screen's height and width are shared out.
type plan struct {
	others      *kit.Line // about the other queues; nil: there is none
	charts      int       // how many, 0 to 2
	chartHeight int       // their edges included
	notices     int       // lines
	rows        int       // of the list
}

func (s *Screen) plan(e *kit.Env) plan {
	p := plan{others: others(e, s.name)}
	switch {
	case e.Height >= 33:
		p.chartHeight, p.notices = 9, 3
	case e.Height >= 25:
		p.chartHeight, p.notices = 7, 2
	case e.Height >= 17 && e.Width < 100: // the worst finding takes two
		p.chartHeight, p.notices = 5, 2
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
	p.rows = max(0, e.Height-p.tabs()-2-s.heads()) // the tabs and the titles
	return p
}

// tabs is the line of the tabs: behind the figures and all that stands below them.
func (p plan) tabs() int {
	line := 1 + p.chartHeight + p.notices
	if p.others != nil {
		line++
	}
	return line
}

// View implements kit.Screen.
func (s *Screen) View(e *kit.Env) []string {
	if s.snapshot == nil || !s.snapshot.Pulse.Known() {
		return s.waiting(e)
	}
	p := s.plan(e)
	old := s.snapshot.Watch.Health != model.Live
	out := make([]string, 0, e.Height)
	if s.snapshot.Mapping.IsDestructive() {
		out = append(out, rowFigures(e, s.snapshot, &s.figures, s.curves.trend, old))
	} else {
		out = append(out, figures(e, &s.figures, s.curves.trend, s.drain, old))
	}
	if p.others != nil {
		out = append(out, kit.FitLine(p.others.String(), e.Width))
	}
	if p.charts > 0 {
		out = append(out, s.curves.view(e, s.snapshot, &s.figures, p)...)
	}
	out = append(out, s.notices.view(e, p.notices)...)
	out = append(out, s.tabLine(e))
	out = append(out, s.viewHeads(e)...)
	return append(out, s.list().viewRows(e, p.rows, old)...)
}
