package lessons

import (
	"fmt"
	"strings"
	"time"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/themes"
	"github.com/leasetop/leasetop/ui/kit"
)

// header says where one is.
func (a *App) header() string {
	st := a.env.Styles
	var l kit.Line
	l.Blank(1)
	l.Text(st.Of(themes.Plain), "leasetop")
	l.Text(st.Of(themes.Dim), " › ")
	if a.stage == nil {
		l.Text(st.Of(themes.Strong), "lessons")
		return kit.FitLine(l.String(), a.width)
	}
	right := fmt.Sprintf("step %d/%d  %s", a.stage.Step, a.stage.Of, clock(a.stage.Passed))
	room := a.width - l.Width() - text.Width(right) - 3
	title := fmt.Sprintf("%d %s", a.stage.Number, a.stage.Title)
	l.Text(st.Of(themes.Strong), text.Cut(title, max(0, room)))
	l.To(a.width - text.Width(right) - 1)
	l.Text(st.Of(themes.Dim), right)
	return kit.FitLine(l.String(), a.width)
}

// rule is the line above the footer: what is amiss or switched on, and what kind of
// queue this is.
func (a *App) rule() string {
	st := a.env.Styles
	edge := st.Edge(themes.Training)
	kind := "LESSON"
	if a.stage != nil && a.stage.Locking == "emulated" {
		kind = "row locks emulated · LESSON"
		if a.width < 80 {
			kind = "emulated · LESSON"
		}
	}
	var l kit.Line
	l.Put(edge, "─", 1)
	if a.failed != nil {
		l.Blank(1)
		l.Text(st.Of(themes.Bad), text.Cut(text.Clean(a.failed.Error()), max(0, a.width-text.Width(kind)-8)))
		l.Blank(1)
	} else if on := a.switched(); on != "" {
		l.Text(st.Of(themes.Accent), " "+text.Cut(on, max(0, a.width-text.Width(kind)-8))+" ")
	}
	n := max(0, a.width-l.Width()-text.Width(kind)-3)
	l.Put(edge, strings.Repeat("─", n), n)
	l.Blank(1)
	l.Text(st.Of(themes.Training), kind)
	l.Blank(1)
	l.Put(edge, "─", 1)
	return kit.FitLine(l.String(), a.width)
}

// switched says what the presenter has switched on, since a step may show nothing
// of it: not every one has a note, and the next beat may be seconds away.
func (a *App) switched() string {
	var on []string
	if a.stage != nil && a.auto {
		on = append(on, fmt.Sprintf("playing, %gs a step", speeds[a.speed].Seconds()))
	}
	switch {
	case a.stage == nil || !a.notes:
	case a.stage.Notes == "":
		on = append(on, "notes on: none here")
	default:
		on = append(on, "notes on")
	}
	return strings.Join(on, " · ")
}

// footer lists the keys, as many as fit; help and quit are always there.
func (a *App) footer() string {
	var parts []kit.Rank
	for i, b := range a.keys() {
		if b.Quiet {
			continue
		}
		rank := i + 1
		if b.Help() == help.Help() || b.Help() == quit.Help() {
			rank = 0
		}
		parts = append(parts, kit.Rank{Rank: rank, Spans: kit.Spans{
			{Tone: themes.Accent, Text: b.Label(a.o.ASCII)}, {Tone: themes.Dim, Text: " " + b.Help().Desc},
		}})
	}
	return kit.Ranks(a.env.Styles, parts, a.width)
}

// over is the box that lies over the stage, nil where none does.
func (a *App) over() []string {
	if a.pane == noPane {
		return nil
	}
	title, width, page := a.page()
	b := kit.Box{Edge: themes.Training, Title: kit.Spans{{Tone: themes.Strong, Text: title}}}
	lines, below := a.place.Window(page)
	if below > 0 {
		b.FootEnd = kit.Spans{{Tone: themes.Accent, Text: fmt.Sprintf("↓ %d more", below)}}
	}
	for i := range lines {
		lines[i] = " " + lines[i]
	}
	return b.Draw(a.env.Styles, width, lines)
}

// page is what is to be read in that box.
func (a *App) page() (title string, width int, p kit.Page) {
	var body []string
	width = min(a.width-4, 100)
	st := a.env.Styles
	switch a.pane {
	case noPane:
	case sqlPane:
		title = "T-SQL: " + a.stage.Op
		for line := range strings.Lines(a.stage.SQL) {
			body = append(body, kit.Wrap(text.Clean(strings.TrimRight(line, "\n")), width-4)...)
		}
		for i := range body {
			body[i] = st.Of(themes.Code).Render(body[i])
		}
	case helpPane:
		title, width = "help", min(a.width-4, 60)
		for _, b := range a.keysBelow() {
			var l kit.Line
			l.Text(st.Of(themes.Accent), text.PadRight(b.Label(a.o.ASCII), 10))
			l.Text(st.Of(themes.Plain), b.Help().Desc)
			body = append(body, l.String())
		}
	}
	return title, width, kit.Page{Lines: body, Height: a.env.Height - 4}
}

// clock writes how much of the story's time has passed.
func clock(d time.Duration) string {
	d = d.Round(time.Second)
	return fmt.Sprintf("%02d:%02d", int(d.Minutes()), int(d.Seconds())%60)
}

// menu is the list of lessons, with what the chosen one is about.
func (a *App) menu() []string {
	st := a.env.Styles
	out := []string{""}
	room := max(1, a.env.Height-9)
	first := max(0, min(a.at-room/2, len(a.o.Lessons)-room))
	for i := first; i < min(len(a.o.Lessons), first+room); i++ {
		l := a.o.Lessons[i]
		s := fmt.Sprintf("%4d  %s", l.Number, l.Title)
		var line kit.Line
		if i == a.at {
			line.Text(st.On(themes.Strong), " ▸"+text.PadRight(s, a.width-3))
		} else {
			line.Text(st.Of(themes.Plain), "  "+s)
		}
		out = append(out, line.String())
	}
	if a.at < len(a.o.Lessons) {
		out = append(out, "")
		for _, s := range kit.Wrap(a.o.Lessons[a.at].About, min(a.width-8, 90)) {
			out = append(out, "      "+st.Of(themes.Dim).Render(s))
		}
	}
	if a.busy {
		doing := "making its queue …"
		if a.then != nil {
			doing = "ending the step in hand …"
		}
		out = append(out, "", "      "+st.Of(themes.Dim).Render(doing))
	}
	return out
}
