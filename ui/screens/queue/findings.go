package queue

import (
	"strings"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/themes"
	"github.com/leasetop/leasetop/ui/kit"
)

// indent is the cells before the words of a finding.
const indent = 3

// fits reports whether a finding and its cure have room in one line.
func fits(f model.Finding, width int) bool {
	w := indent + text.Width(text.Clean(f.Text))
	if f.Cure != "" {
		w += 2 + text.Width(text.Clean(f.Cure))
	}
	return w < width
}

// weighed are the mark and the ink of a finding.
func weighed(f model.Finding) (mark string, tone themes.Token) {
	switch f.Severity {
	case model.Bad:
		return " ! ", themes.Bad
	case model.Warn:
		return " ! ", themes.Warn
	case model.Normal:
	}
	return " · ", themes.Dim
}

// finding is one line; more is how many others there is no room for.
func finding(e *kit.Env, f model.Finding, more int) string {
	mark, tone := weighed(f)
	var l kit.Line
	room, tail := untold(e, more)
	l.Text(e.Styles.Of(tone), text.Cut(mark+text.Clean(f.Text), room))
	if f.Cure != "" && l.Width()+8 < room {
		l.Text(e.Styles.Of(themes.Dim), text.Cut(": "+text.Clean(f.Cure), room-l.Width()))
	}
	return ended(e, &l, room, tail)
}

// inTwo is a finding in two lines: what is wrong begins the first, what to do about
// it ends the second.
func inTwo(e *kit.Env, f model.Finding, more int) []string {
	mark, tone := weighed(f)
	wide := max(8, e.Width-indent-1)
	words := kit.Wrap(text.Clean(f.Text), wide)
	var first, second kit.Line
	first.Text(e.Styles.Of(tone), mark+words[0])
	room, tail := untold(e, more)
	second.Blank(indent)
	if len(words) > 1 {
		second.Text(e.Styles.Of(tone), text.Cut(strings.Join(words[1:], " "), room-indent))
	}
	if f.Cure != "" && second.Width()+8 < room {
		lead := ""
		if len(words) > 1 {
			lead = ": "
		}
		second.Text(e.Styles.Of(themes.Dim), text.Cut(lead+text.Clean(f.Cure), room-second.Width()))
	}
	return []string{first.String(), ended(e, &second, room, tail)}
}

// untold is the room beside how many more findings there are.
func untold(e *kit.Env, more int) (room int, tail string) {
	room = e.Width - 1
	if more > 0 {
		tail = " +" + text.Plural(int64(more), "more", "more")
	}
	return room - text.Width(tail), tail
}

func ended(e *kit.Env, l *kit.Line, room int, tail string) string {
	if tail != "" {
		l.To(room)
		l.Text(e.Styles.Of(themes.Dim), tail)
	}
	return l.String()
}
