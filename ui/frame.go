package ui

import (
	"fmt"
	"strings"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/themes"
	"github.com/leasetop/leasetop/ui/kit"
)

// The smallest terminal that anything can be read on, and what the frame takes of
// it: the header, the rule and the footer.
const (
	leastWidth, leastHeight = 30, 8
	footLines               = 2
	frameLines              = 1 + footLines
)

// area is the Env with the space between header and footer.
func (a *App) area() *kit.Env {
	a.env.Width, a.env.Height = a.width, max(0, a.height-frameLines)
	a.env.Edge = a.edge()
	return &a.env
}

// edge is the ink of boxes and rules: what kind of picture this is, above all that
// it is not of now. A training queue and a production server have their own.
func (a *App) edge() themes.Token {
	switch {
	case a.env.Past:
		return themes.Past
	case a.o.Training:
		return themes.Training
	case a.env.Frozen:
		return themes.Frozen
	case a.unseen() != themes.Plain:
		return a.unseen()
	case a.production():
		return themes.Production
	}
	return themes.Border
}

// unseen is how bad it is that the queue on the screen is not being seen now; plain
// while it is.
func (a *App) unseen() themes.Token {
	s := a.subject()
	if s == nil {
		return themes.Plain
	}
	switch s.Watch.Health {
	case model.Stale:
		return themes.Warn
	case model.Down, model.Broken:
		return themes.Bad
	case model.Connecting, model.Live:
	}
	return themes.Plain
}

func (a *App) production() bool {
	q := a.top().Subject().Queue
	return a.o.Production != nil && q != "" && a.o.Production(q)
}

// draw makes the whole frame: height lines of width cells.
func (a *App) draw() string {
	if a.width <= 0 || a.height <= 0 {
		return ""
	}
	var lines []string
	if a.width < leastWidth || a.height < leastHeight {
		lines = kit.Fit(a.tooSmall(), a.width, a.height)
	} else {
		e := a.area()
		body := kit.Fit(a.top().View(e), e.Width, e.Height)
		if a.dialog != nil {
			body = kit.Over(body, a.dialog.View(e), e.Width)
		}
		foot := a.foot()
		body = body[:max(0, len(body)-(len(foot)-footLines))]
		lines = append(append([]string{a.header()}, body...), foot...)
	}
	frame := strings.Join(lines, "\n")
	if a.o.ASCII {
		frame = kit.ASCII(frame)
	}
	return frame
}

func (a *App) tooSmall() []string {
	s := fmt.Sprintf("leasetop needs %dx%d, this is %dx%d", leastWidth, leastHeight, a.width, a.height)
	lines := kit.Wrap(s, a.width)
	if a.o.Training {
		lines = append(lines, a.env.Styles.Of(themes.Training).Render(text.Cut("TRAINING", a.width)))
	}
	return lines
}

// ruleRoom is how many cells the rule has for words, beside what kind of picture
// this is.
func (a *App) ruleRoom() int {
	room := a.width - toldEdges
	if kw := a.kind().Width(); kw > 0 {
		room -= kw + 3
	}
	return room
}

// rule is the line above the footer. What was said last stands in it, and what
// kind of picture this is.
func (a *App) rule(told string) string {
	st := a.env.Styles
	edge := st.Edge(a.edge())
	kind := a.kind()
	kw := kind.Width()
	var l kit.Line
	l.Put(edge, "─", 1)
	if told != "" {
		l.Blank(1)
		l.Text(st.Of(a.said.Tone), told)
		l.Blank(1)
	} else if a.reel.on {
		a.scrubber(&l, a.ruleRoom())
	}
	tail := 0
	if kw > 0 && kw+4 < a.width {
		tail = kw + 3
	}
	n := max(0, a.width-l.Width()-tail)
	l.Put(edge, strings.Repeat("─", n), n)
	if tail > 0 {
		l.Blank(1)
		l.Spans(st, kind, kw)
		l.Blank(1)
		l.Put(edge, "─", 1)
	}
	return kit.FitLine(l.String(), a.width)
}

// kind says what kind of picture the frame is around.
func (a *App) kind() kit.Spans {
	var out kit.Spans
	add := func(t themes.Token, s string) {
		if len(out) > 0 {
			out = append(out, kit.Span{Tone: themes.Dim, Text: " · "})
		}
		out = append(out, kit.Span{Tone: t, Text: s})
	}
	switch {
	case a.o.Replay:
		add(themes.Past, "REPLAY")
	case a.env.Past:
		add(themes.Past, "THE PAST")
	case a.env.Frozen:
		add(themes.Frozen, "FROZEN")
	}
	if a.o.Recording != nil {
		if a.o.Recording() == nil {
			add(themes.Dim, "REC")
		} else {
			add(themes.Bad, "REC FAILED")
		}
	}
	if s := a.subject(); s != nil && s.Pulse.Data.Brake != nil && s.Pulse.Data.Brake.On {
		add(themes.Bad, "BRAKED")
	}
	switch {
	case a.o.Training:
		add(themes.Training, "TRAINING")
	case a.production():
		add(themes.Production, "PRODUCTION")
	}
	return out
}
