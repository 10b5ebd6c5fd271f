package ui

import (
	"strings"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/ui/kit"
)

// What a message leaves of the rule: its ends and the blanks around the text. A
// rule with less room than leastTold has none of it.
const (
	toldEdges = 5
	leastTold = 12
	mostTold  = 4 // lines
)

// told is what was said last, as lines: the first stands in the rule, in room
// cells, the others below it. A refusal that is cut names no cure.
func (a *App) told(room int) []string {
	s := strings.Join(strings.Fields(text.Clean(a.said.Text)), " ")
	switch {
	case s == "":
		return nil
	case text.Width(s) <= room:
		return []string{s}
	case a.palette.open: // the line below is being typed into
		return []string{text.Cut(s, max(0, room))}
	}
	var first string
	if room >= leastTold {
		first = kit.Wrap(s, room)[0]
	}
	wide := a.width - 2
	out := append([]string{first}, kit.Wrap(strings.TrimSpace(strings.TrimPrefix(s, first)), wide)...)
	if len(out) > mostTold {
		out = out[:mostTold]
		out[mostTold-1] = text.Cut(out[mostTold-1]+" …", wide)
	}
	return out
}

// foot is the rule and the footer. What was said last takes the footer's place
// where the rule is too short for it, and more lines if need be: until the next key
// it is worth more than they are.
func (a *App) foot() []string {
	told := a.told(a.ruleRoom())
	if len(told) < 2 {
		return []string{a.rule(strings.Join(told, "")), a.footer()}
	}
	out := []string{a.rule(told[0])}
	for _, s := range told[1:] {
		var l kit.Line
		l.Blank(1)
		l.Text(a.env.Styles.Of(a.said.Tone), s)
		out = append(out, kit.FitLine(l.String(), a.width))
	}
	return out
}

// covered is how many lines at the bottom belong to what was said last and to
// nothing else, so that a click there is none on what they cover.
func (a *App) covered() int {
	if n := len(a.told(a.ruleRoom())); n > 1 {
		return n
	}
	return 0
}
