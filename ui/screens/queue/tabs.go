package queue

import (
	"fmt"
	"time"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/themes"
	"github.com/leasetop/leasetop/ui/kit"
)

// countCells is the least room for the count of a tab; a longer one widens its tab
// for good, so that the tabs do not wander.
const countCells = 5

// tabLine is the line of tabs and what is to be known about the open one.
func (s *Screen) tabLine(e *kit.Env) string {
	var l kit.Line
	for i, t := range s.tabs {
		if i > 0 {
			l.Text(e.Styles.Of(themes.Border), "│")
		}
		label := t.label(i+1, s.count(t.view), e.Width)
		if i == s.tab {
			l.Text(e.Styles.On(themes.Strong), label)
		} else {
			l.Text(e.Styles.Of(themes.Dim), label)
		}
	}
	parts := kit.Choose(s.list().asides(e.Width-l.Width()-2), e.Width-l.Width()-2, 2)
	w := -2
	for _, p := range parts {
		w += p.Spans.Width() + 2
	}
	l.To(e.Width - w - 1)
	for i, p := range parts {
		if i > 0 {
			l.Blank(2)
		}
		l.Spans(e.Styles, p.Spans, e.Width-l.Width())
	}
	return kit.FitLine(l.String(), e.Width)
}

// count is the figure of a list.
func (s *Screen) count(v model.View) model.Count {
	switch v {
	case model.ViewWorking:
		return s.figures.Working
	case model.ViewReady:
		return s.figures.Ready
	case model.ViewFailed:
		return s.figures.Failed
	case model.ViewNone:
	}
	return model.Count{}
}

// label is a tab. A narrow screen has room for the first word of its title only.
func (l *list) label(n int, c model.Count, width int) string {
	title, count := l.title, text.Count(c)
	if width < 60 {
		title = l.short
	}
	l.counted = max(l.counted, countCells, text.Width(count))
	return fmt.Sprintf(" %d %s %s ", n, title, text.PadRight(count, l.counted))
}

// asides are what the list does not say: that it is cut, that the chosen job left
// it, and the ages of the chosen job to the second, as long as there is room for.
// They stand here and not in the row, where each cursor key would have to draw two
// rows anew.
func (l *list) asides(room int) []kit.Rank {
	var out []kit.Rank
	part := func(rank int, t themes.Token, forms ...string) {
		for i, f := range forms {
			if i == len(forms)-1 || text.Width(f) <= room {
				out = append(out, kit.Rank{Rank: rank, Spans: kit.Spans{{Tone: t, Text: f}}})
				return
			}
		}
	}
	key, lost := l.cursor.Lost()
	name := text.Cut(text.Clean(key.String()), keyMost)
	if l.page.More {
		part(2, themes.Dim, "the first "+text.Grouped(int64(len(l.page.Jobs))))
	}
	if j := l.selected(); lost {
		part(1, themes.Accent, "job "+name+" left this list", name+" left this list", "it left this list")
	} else if j != nil {
		if l.page.More {
			room -= out[0].Spans.Width() + 2
		}
		part(3, themes.Dim, exactly(j, l.at)...)
	}
	return out
}

// exactly are a job's ages to the second, in forms of which each is shorter than
// the one before.
func exactly(j *model.Job, now time.Time) []string {
	switch j.State {
	case model.Working:
	case model.Failed:
		if j.Ended.At.IsZero() {
			return nil
		}
		ago := text.Exact(now.Sub(j.Ended.At)) + " ago"
		return []string{"failed " + ago, ago}
	default:
		return []string{"waiting " + text.ExactAge(j.Waiting), text.ExactAge(j.Waiting)}
	}
	held := "held " + text.ExactAge(j.Held)
	left, ok := j.Left(now)
	if !ok {
		return []string{held}
	}
	if left < 0 {
		out := "out " + text.Exact(-left)
		return []string{held + ", lease " + out, held + ", " + out, out}
	}
	rest := text.Exact(left)
	return []string{held + ", lease " + rest, held + ", " + rest + " left", rest + " left"}
}
