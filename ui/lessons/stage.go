package lessons

import (
	"fmt"
	"strings"

	"github.com/leasetop/leasetop/internal/drill/lesson"
	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/themes"
	"github.com/leasetop/leasetop/ui/kit"
)

// classroom is the stage: the half's title, the actors side by side, the table,
// and below it what happened and what comes.
func (a *App) classroom() []string {
	table := a.table()
	title := a.telling()
	rest := a.env.Height - len(title) - len(table) - 1
	if a.width >= besideWidth && a.env.Height >= besideHeight {
		lower := max(wordLines+6, rest/2)
		out := append(title, a.lanes(max(4, min(rest-lower, 16)))...)
		out = append(append(out, table...), "")
		return append(out, a.beside(a.env.Height-len(out))...)
	}
	words := a.words(a.width - 4)
	// The words have a room of their own, so that nothing moves from step to step.
	out := append(title, a.lanes(min(max(rest-max(len(words), wordLines), 4), 16))...)
	out = append(append(out, table...), "")
	return append(out, words...)
}

// From this size on the statement stands beside the words; wordLines is the least
// room for what happened and what comes; a lane narrower than narrowLane has no
// room for its whole name.
const (
	besideWidth, besideHeight = 110, 34

	wordLines  = 7
	narrowLane = 18
)

// telling is which half is told.
func (a *App) telling() []string {
	st, s := a.env.Styles, a.stage
	name, tone := "the bad half: ", themes.Bad
	if s.Half == lesson.Good {
		name, tone = "the good half: ", themes.Accent
	}
	var l kit.Line
	l.Blank(1)
	l.Text(st.Of(tone), name)
	l.Text(st.Of(themes.Strong), text.Cut(s.Telling, max(0, a.width-l.Width()-1)))
	return []string{l.String()}
}

// beside are the words with the statement of the step at their right.
func (a *App) beside(height int) []string {
	left := a.width/2 - 2
	words := kit.Fit(a.words(left-2), left, height)
	var body []string
	for line := range strings.Lines(a.stage.SQL) {
		line = text.Cut(text.Clean(strings.TrimRight(line, "\n")), a.width-left-4)
		body = append(body, " "+a.env.Styles.Of(themes.Code).Render(line))
	}
	if len(body) == 0 {
		return words
	}
	b := kit.Box{Edge: themes.Border, Title: kit.Spans{{Tone: themes.Strong, Text: "T-SQL: " + a.stage.Op}}}
	if over := len(body) - (height - 2); over > 0 {
		body = body[:height-2]
		b.FootEnd = kit.Spans{{Tone: themes.Accent, Text: fmt.Sprintf("s: %d more lines", over)}}
	}
	box := b.Draw(a.env.Styles, a.width-left, body)
	for i := range words {
		if i < len(box) {
			words[i] += box[i]
		}
	}
	return words
}

// lanes are the actors' boxes and the ledger of effects, height lines each.
func (a *App) lanes(height int) []string {
	s := a.stage
	n := len(s.Lanes)
	ledger := len(s.Ledger) > 0 || a.width >= besideWidth
	if ledger {
		n++
	}
	width := a.width / n
	var boxes [][]string
	for i, l := range s.Lanes {
		w := width
		if i == n-1 {
			w = a.width - width*(n-1)
		}
		boxes = append(boxes, a.lane(l, w, height))
	}
	if ledger {
		boxes = append(boxes, a.ledger(a.width-width*(n-1), height))
	}
	out := make([]string, height)
	for y := range out {
		for _, b := range boxes {
			out[y] += b[y]
		}
	}
	return out
}

// lane is an actor's box: what it did and what came of it, the newest at the bottom.
func (a *App) lane(l lesson.Lane, width, height int) []string {
	st := a.env.Styles
	var body []string
	add := func(lead string, t themes.Token, words string) {
		for i, part := range kit.Wrap(text.Clean(words), max(4, width-3-text.Width(lead))) {
			if i > 0 {
				lead = strings.Repeat(" ", text.Width(lead))
			}
			body = append(body, st.Of(t).Render(lead+part))
		}
	}
	for _, line := range l.Lines {
		add(" ", themes.Plain, line.Says)
		if line.Came != "" {
			add("  → ", toneOf(line.Mark), line.Came)
		}
	}
	name := themes.Strong
	if l.Acts {
		name = themes.Accent
	}
	title := string(l.Actor)
	if width < narrowLane { // the letter says it
		title = strings.TrimPrefix(strings.TrimPrefix(title, "worker "), "another ")
	}
	if l.Gone {
		title, name = "✗ "+title, themes.Bad
	}
	b := kit.Box{Edge: themes.Border, Title: kit.Spans{{Tone: name, Text: title}}}
	if l.Holds != "" && text.Width(title)+text.Width(l.Holds)+8 <= width {
		b.Right = kit.Spans{{Tone: themes.Accent, Text: l.Holds}}
	} else if l.Holds != "" {
		b.FootEnd = kit.Spans{{Tone: themes.Accent, Text: text.Cut(l.Holds, max(0, width-6))}}
	}
	return b.Draw(st, width, tail(body, height-2))
}

// ledger is the box of what was done to the world outside.
func (a *App) ledger(width, height int) []string {
	var body []string
	for _, e := range a.stage.Ledger {
		tone, how := themes.Plain, ""
		switch {
		case e.Ignored:
			tone, how = themes.Dim, ", known: ignored"
		case e.Again:
			tone, how = themes.Bad, ", again"
		}
		words := fmt.Sprintf("%s %d by %s%s", a.stage.Noun(), e.Job, e.Who, how)
		if e.Operation != "" {
			words += " (" + e.Operation + ")"
		}
		for i, part := range kit.Wrap(text.Clean(words), max(4, width-4)) {
			lead := " "
			if i > 0 {
				lead = "  "
			}
			body = append(body, lead+a.env.Styles.Of(tone).Render(part))
		}
	}
	b := kit.Box{Edge: themes.Border, Title: kit.Spans{{Tone: themes.Strong, Text: "outside"}}}
	return b.Draw(a.env.Styles, width, tail(body, height-2))
}

// tail is the last lines of a list, filled up to n.
func tail(lines []string, n int) []string {
	n = max(0, n)
	if len(lines) > n {
		return lines[len(lines)-n:]
	}
	return append(lines, make([]string, n-len(lines))...)
}

func toneOf(m lesson.Mark) themes.Token {
	switch m {
	case lesson.Fine:
		return themes.Accent
	case lesson.Wrong:
		return themes.Bad
	case lesson.Empty:
		return themes.Dim
	case lesson.Plain:
	}
	return themes.Plain
}
