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
	width    int      // of the screen that held was counted for
	held     kit.Held // lines, so that the list below does not jump
}

// take follows a snapshot, for a screen of width cells.
func (n *notices) take(s *model.Snapshot, width int) {
	n.fault, n.health, n.findings = nil, s.Watch.Health, s.Findings
	if s.Watch.Health != model.Live {
		n.fault = s.Watch.Err
	}
	if width != n.width { // another size moves everything
		n.held, n.width = kit.Held{}, width
	}
	n.held.Take(s, n.need(width))
}

// need is the lines that all of it would take. The worst finding may have two: what
// is to be done about it is worth as much as what it is.
func (n *notices) need(width int) int {
	lines := len(n.findings)
	if lines > 0 && !fits(n.findings[0], width) {
		lines++
	}
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
	return min(limit, max(1, n.held.N))
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
		left, room := len(n.findings)-i-1, height-len(out)
		if room <= 0 {
			break
		}
		if i == 0 && room > 1 && !fits(f, e.Width) {
			if room > 2 {
				left = 0
			}
			out = append(out, inTwo(e, f, left)...)
			continue
		}
		if room > 1 {
			left = 0
		}
		out = append(out, finding(e, f, left))
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
