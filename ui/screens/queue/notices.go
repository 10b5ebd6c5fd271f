package queue

import (
	"strings"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/themes"
	"github.com/leasetop/leasetop/ui/kit"
)

// notices are the lines that say what a person should know: what is wrong with
// the watching first, then the findings, worst first.
type notices struct {
	fault    *model.Fault
	health   model.Health
	findings []model.Finding
	held     int // lines kept, so that the list below does not jump
	calm     int // boards in a row that needed fewer
}

// patience is how many boards fewer lines must do before the list moves up.
const patience = 8

func (n *notices) take(s *model.Snapshot) {
	n.fault, n.health, n.findings = nil, s.Watch.Health, s.Findings
	if s.Watch.Health != model.Live {
		n.fault = s.Watch.Err
	}
	need := n.need()
	switch {
	case need >= n.held:
		n.held, n.calm = need, 0
	case n.calm >= patience:
		n.held, n.calm = need, 0
	default:
		n.calm++
	}
}

func (n *notices) need() int {
	lines := len(n.findings)
	if n.fault != nil {
		lines += 2
	}
	return max(1, lines)
}

// lines is how many of at most limit lines are taken. A fault of the watching is
// shown on any screen.
func (n *notices) lines(e *kit.Env, limit int) int {
	if n.fault != nil && e.Height >= 8 {
		limit = max(limit, 2)
	}
	return min(limit, max(1, n.held))
}

func (n *notices) view(e *kit.Env, height int) []string {
	if height == 0 {
		return nil
	}
	var out []string
	if n.fault != nil {
		out = append(out, n.trouble(e)...)
	}
	for i, f := range n.findings {
		if left := len(n.findings) - i; len(out) == height-1 && left > 1 {
			out = append(out, finding(e, f, left-1))
			break
		}
		out = append(out, finding(e, f, 0))
	}
	if len(out) == 0 && n.health == model.Live {
		out = append(out, e.Styles.Of(themes.Dim).Render(text.Cut("   nothing needs a person", e.Width)))
	}
	return kit.Fit(out, e.Width, height)
}

// trouble is the fault of the watching in its own words, with its cure.
func (n *notices) trouble(e *kit.Env) []string {
	tone := themes.Warn
	if n.health == model.Down || n.health == model.Broken {
		tone = themes.Bad
	}
	f := *n.fault
	words := strings.ToUpper(n.health.String()) + ": " + text.Clean(f.Error())
	lines := kit.Wrap(words, max(8, e.Width-4))
	if len(lines) > 2 {
		lines[1] = text.Cut(lines[1]+" "+lines[2], e.Width-4)
		lines = lines[:2]
	}
	for i := range lines {
		mark := " ! "
		if i > 0 {
			mark = "   "
		}
		lines[i] = e.Styles.Of(tone).Render(mark + lines[i])
	}
	return lines
}

// finding is one line; more is how many others there is no room for.
func finding(e *kit.Env, f model.Finding, more int) string {
	mark, tone := " · ", themes.Dim
	switch f.Severity {
	case model.Bad:
		mark, tone = " ! ", themes.Bad
	case model.Warn:
		mark, tone = " ! ", themes.Warn
	case model.Normal:
	}
	var l kit.Line
	room := e.Width - 1
	tail := ""
	if more > 0 {
		tail = " +" + text.Plural(int64(more), "more", "more")
		room -= text.Width(tail)
	}
	l.Text(e.Styles.Of(tone), text.Cut(mark+text.Clean(f.Text), room))
	if f.Cure != "" && l.Width()+8 < room {
		l.Text(e.Styles.Of(themes.Dim), text.Cut(": "+text.Clean(f.Cure), room-l.Width()))
	}
	if more > 0 {
		l.To(room)
		l.Text(e.Styles.Of(themes.Dim), tail)
	}
	return l.String()
}
