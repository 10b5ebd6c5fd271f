package ui

import (
	"fmt"
	"strings"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/themes"
	"github.com/leasetop/leasetop/ui/kit"
)

// The smallest terminal that anything can be read on, and what the frame takes of
// it: the header, the rule and the footer.
const (
	leastWidth, leastHeight = 30, 8
	frameLines              = 3
)

// area is the Env with the space between header and footer.
func (a *App) area() *kit.Env {
	a.env.Width, a.env.Height = a.width, max(0, a.height-frameLines)
	a.env.Edge = a.edge()
	return &a.env
}

// edge is the ink of boxes and rules. A training queue and a production server
// have their own on every frame.
func (a *App) edge() themes.Token {
	switch {
	case a.o.Training:
		return themes.Training
	case a.env.Frozen:
		return themes.Frozen
	case a.production():
		return themes.Production
	}
	return themes.Border
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
		lines = append(append([]string{a.header()}, body...), a.rule(), a.footer())
	}
	frame := strings.Join(lines, "\n")
	if a.o.ASCII {
		frame = ascii(frame)
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

// rule is the line above the footer. What was said last stands in it, and what
// kind of picture this is.
func (a *App) rule() string {
	st := a.env.Styles
	edge := st.Of(a.edge())
	kind := a.kind()
	kw := kind.Width()
	var l kit.Line
	l.Put(edge, "─", 1)
	room := a.width - 5
	if kw > 0 {
		room -= kw + 3
	}
	if a.said.Text != "" && room > 4 {
		l.Blank(1)
		l.Text(st.Of(a.said.Tone), text.Cut(text.Clean(a.said.Text), room))
		l.Blank(1)
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
	if a.env.Frozen {
		add(themes.Frozen, "FROZEN")
	}
	switch {
	case a.o.Training:
		add(themes.Training, "TRAINING")
	case a.production():
		add(themes.Production, "PRODUCTION")
	}
	return out
}

// footer lists the keys, as many as fit. Help and quit are always there, and the
// way back from a frozen picture.
func (a *App) footer() string {
	var parts []kit.Rank
	rank := 1
	add := func(b kit.Binding, r int) {
		key, does := themes.Accent, themes.Dim
		if b.Why != "" {
			key, does = themes.Off, themes.Off
		}
		parts = append(parts, kit.Rank{Rank: r, Spans: kit.Spans{
			{Tone: key, Text: b.Label(a.o.ASCII)}, {Tone: does, Text: " " + b.Help().Desc},
		}})
	}
	keys := append(a.top().Keys(a.area()), a.everywhere()...)
	if a.dialog != nil {
		keys = a.dialog.Keys(a.area())
	}
	for _, k := range keys {
		if k.Quiet {
			continue
		}
		switch k.Help() {
		case help.Help(), quit.Help(), goOn.Help():
			add(k, 0)
		default:
			add(k, rank)
			rank++
		}
	}
	parts = append(parts, kit.Rank{Rank: rank, Right: true, Spans: kit.Spans{{Tone: themes.Dim, Text: a.o.Version}}})
	return kit.Ranks(a.env.Styles, parts, a.width)
}
