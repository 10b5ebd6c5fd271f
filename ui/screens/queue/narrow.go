package queue

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/themes"
	"github.com/leasetop/leasetop/ui/kit"
	"github.com/leasetop/leasetop/ui/table"
)

// The keys that narrow a list down, and those that leave what they began.
var (
	find     = kit.Bind("/", "/", "filter")
	keep     = kit.Bind("enter", "↵", "keep the filter")
	drop     = kit.Bind("esc", "esc", "clear the filter")
	unmark   = kit.Bind("esc", "esc", "clear the marks")
	marking  = kit.Bind("space", "␣", "mark")
	invert   = kit.Bind("*", "*", "turn the marks around").Hushed()
	allShown = kit.Bind("A", "A", "mark all that match")
	sorting  = kit.Bind("s", "s", "sort by next column").Hushed()
	reverse  = kit.Bind("S", "S", "sort the other way").Hushed()
)

// narrowing lists the keys of the filter, the marks and the order.
func (s *Screen) narrowing() []kit.Binding {
	l := s.list()
	one := s.oneByOne()
	mark, all, turn := marking.Refused(one), allShown.Refused(one), invert.Refused(one)
	if l.filter.IsZero() || !one.OK {
		all = all.Hushed()
	}
	var out []kit.Binding
	switch {
	case !l.filter.IsZero():
		out = append(out, drop)
	case l.marks.Len() > 0:
		out = append(out, unmark)
	}
	switch {
	case l.others != "":
	case s.past, !one.OK: // marks are for acts, and there are none
		out = append(out, mark.Hushed())
	default:
		out = append(out, mark)
	}
	out = append(out, l.groupKeys()...)
	return append(out, find, all, turn, sorting, reverse)
}

// oneByOne says why the rows of a destructive queue cannot be marked: an act on
// several takes a fixed set of keys and tokens, and they have neither.
func (s *Screen) oneByOne() model.Verdict {
	if s.family == model.Destructive {
		return model.No("rows without a key are acted on one by one", "leasetop dead-letter "+s.name+" --oldest N takes the oldest together")
	}
	return model.Yes()
}

// narrow takes a key that narrows the list down; ok is false when it was none.
func (s *Screen) narrow(msg tea.Msg) (a kit.Action, ok bool) {
	l := s.list()
	marks := kit.Pressed(msg, marking) || kit.Pressed(msg, allShown) || kit.Pressed(msg, invert)
	if one := s.oneByOne(); marks && !one.OK {
		return kit.Refuse(marking.Refused(one)), true
	}
	switch {
	case kit.Pressed(msg, find):
		s.typing = true
	case kit.Pressed(msg, drop) && !l.filter.IsZero():
		l.refilter("")
	case kit.Pressed(msg, unmark) && l.marks.Len() > 0:
		l.marks.Clear()
	case l.group(msg):
	case kit.Pressed(msg, marking):
		return l.toggle(), true
	case kit.Pressed(msg, allShown):
		return l.markShown(), true
	case kit.Pressed(msg, invert):
		l.invert()
	case kit.Pressed(msg, sorting):
		l.order = l.order.Next(l.layout.Shown())
		l.pick()
	case kit.Pressed(msg, reverse):
		if l.order.Title == "" {
			l.order = l.order.Next(l.layout.Shown())
		}
		l.order.Reverse = !l.order.Reverse
		l.pick()
	default:
		return nil, false
	}
	return nil, true
}

// write takes a key while the filter is being written. Keys that write nothing
// move the cursor as ever.
func (s *Screen) write(msg tea.Msg) {
	l := s.list()
	switch before := l.typed.String(); {
	case kit.Pressed(msg, keep):
		s.typing = false
	case kit.Pressed(msg, drop):
		s.typing = false
		l.refilter("")
	case l.typed.Update(msg):
		if l.typed.String() != before {
			l.refilter(l.typed.String())
		}
	default:
		l.cursor.Press(l.shown(), msg)
	}
}

// refilter shows the rows that meet a filter. A cursor whose row is not among them
// goes to the first that is.
func (l *list) refilter(text string) {
	if text == "" {
		l.typed.Clear()
	}
	l.filter = table.ParseFilter(text, l.titles)
	l.pick()
	if _, ok := l.cursor.Selected(); !ok {
		l.cursor.First(l.shown())
	}
}

// toggle marks the row under the cursor, or takes its mark away, and goes on.
func (l *list) toggle() kit.Action {
	r, ok := l.selected()
	switch {
	case !ok:
		return kit.Say{Tone: themes.Warn, Text: "no row is chosen: ↑ and ↓ choose one"}
	case len(r.jobs()) == 0:
		return unmarkable()
	}
	l.marks.Toggle(r.mark())
	l.cursor.Move(l.shown(), 1)
	return nil
}

func unmarkable() kit.Action {
	return kit.Say{Tone: themes.Warn, Text: "only jobs can be marked"}
}

// markShown marks every row that is shown: the set stays what was seen, whatever
// the filter lets through later.
func (l *list) markShown() kit.Action {
	src := l.shown()
	for i := range src.Len() {
		if r := src.row(i); len(r.jobs()) > 0 {
			l.marks.Add(r.mark())
		}
	}
	if src.Len() > 0 && l.marks.Len() == 0 {
		return unmarkable()
	}
	return nil
}

// invert marks the shown rows that are not marked, and those only.
func (l *list) invert() {
	src := l.shown()
	for i := range src.Len() {
		if r := src.row(i); len(r.jobs()) > 0 {
			l.marks.Toggle(r.mark())
		}
	}
}

// filtering reports whether the filter has a line of its own.
func (s *Screen) filtering() bool { return s.typing || !s.list().filter.IsZero() }

// heads is how many lines stand between the tabs and the titles.
func (s *Screen) heads() int {
	n := 0
	if s.filtering() {
		n++
	}
	if s.list().groups.opened != nil {
		n++
	}
	return n
}

// viewHeads are these lines: the open group, and the filter with its scope.
func (s *Screen) viewHeads(e *kit.Env) []string {
	var out []string
	if g := s.list().groups.opened; g != nil {
		var l kit.Line
		l.Text(e.Styles.Of(themes.Accent), " ▾ ")
		l.Text(e.Styles.Of(themes.Strong), text.Plural(int64(len(g.Jobs)), "job", "jobs"))
		l.Text(e.Styles.Of(themes.Plain), text.Cut("  "+text.Clean(g.Words()), e.Width-l.Width()-1))
		out = append(out, kit.FitLine(l.String(), e.Width))
	}
	if s.filtering() {
		out = append(out, s.filterLine(e))
	}
	return out
}

func (s *Screen) filterLine(e *kit.Env) string {
	l := s.list()
	scope := l.scope()
	var line kit.Line
	line.Text(e.Styles.Of(themes.Accent), " / ")
	room := max(8, e.Width-line.Width()-text.Width(scope)-3)
	out := line.String() + l.typed.Draw(e.Styles, room, s.typing)
	var right kit.Line
	right.Blank(2)
	right.Text(e.Styles.Of(themes.Dim), scope)
	return kit.FitLine(out+right.String(), e.Width)
}

// scope says how many rows match, and of what.
func (l *list) scope() string {
	of := "listed"
	if l.page.More {
		of = "listed, not of all"
	}
	if l.grouped() {
		of = "groups"
	}
	return fmt.Sprintf("%s of the %s %s", text.Grouped(int64(l.shown().Len())), text.Grouped(int64(len(l.rows))), of)
}
