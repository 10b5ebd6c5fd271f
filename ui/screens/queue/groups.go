package queue

import (
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/leasetop/leasetop/internal/diagnose"
	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/themes"
	"github.com/leasetop/leasetop/ui/kit"
	"github.com/leasetop/leasetop/ui/table"
)

// groups is how a list shows jobs that failed alike: together, one by one, or
// those of one group.
type groups struct {
	flat   bool
	opened *diagnose.Group // the group that is open, as it was last seen; nil: none
	under  table.Table[id] // the cursor among the groups, while one is open
}

var (
	ungroup = kit.Bind("v", "v", "one by one")
	regroup = kit.Bind("v", "v", "in groups")
	shut    = kit.Bind("esc", "esc", "back to the groups")
)

// GroupKeys are the keys of the lists that show together what failed alike.
func GroupKeys() []kit.Binding { return []kit.Binding{ungroup, regroup} }

// grouped reports whether the rows are groups now.
func (l *list) grouped() bool { return l.alike && !l.groups.flat && l.groups.opened == nil }

// parted are the rows of jobs as groups, or those of the open group.
func (l *list) parted() []row {
	all := diagnose.Groups(l.page.Jobs)
	if o := l.groups.opened; o != nil {
		now := &diagnose.Group{Signature: o.Signature, Nature: o.Nature}
		for _, g := range all {
			if g.Signature == o.Signature && g.Nature == o.Nature {
				now = g
			}
		}
		l.groups.opened = now
		return jobs(&model.Page{Jobs: now.Jobs})
	}
	out := make([]row, len(all))
	for i, g := range all {
		out[i].group = g
		if len(g.Jobs) == 1 {
			out[i].Job = g.Jobs[0]
		}
	}
	return out
}

// groupKeys are the keys of the groups that work now.
func (l *list) groupKeys() []kit.Binding {
	switch {
	case l.groups.opened != nil && l.filter.IsZero() && l.marks.Len() == 0:
		return []kit.Binding{shut}
	case !l.alike || l.groups.opened != nil:
		return nil
	case l.groups.flat:
		return []kit.Binding{regroup}
	}
	return []kit.Binding{ungroup}
}

// group takes a key of the groups; ok is false when it was none.
func (l *list) group(msg tea.Msg) (ok bool) {
	for _, k := range l.groupKeys() {
		if !kit.Pressed(msg, k) {
			continue
		}
		if l.groups.opened != nil {
			l.close()
		} else {
			l.groups.flat = !l.groups.flat
			l.restart(table.Table[id]{})
		}
		return true
	}
	return false
}

// openGroup shows the jobs of a group.
func (l *list) openGroup(g *diagnose.Group) {
	l.groups.opened, l.groups.under = g, l.cursor
	l.restart(table.Table[id]{})
}

// close goes back to the groups.
func (l *list) close() {
	l.groups.opened = nil
	l.restart(l.groups.under)
}

// restart shows other rows of the same page.
func (l *list) restart(cursor table.Table[id]) {
	l.cursor, l.laid = cursor, 0
	l.marks.Clear()
	l.typed.Clear()
	l.order = table.Order{}
	l.lay(l.width)
	l.arrange()
}

// alikeFields are the columns of groups, as far as the table has them.
func alikeFields(m *model.Mapping, keys, width int) []field {
	return recorded(m,
		needed{model.RoleKey, field{table.Column{Title: "JOBS", Width: max(9, min(keyMost, len("job ")+keys))}, groupCell}},
		needed{model.RoleAttempts, field{table.Column{Title: "TRY", Width: 5, Right: true, Rank: 4}, groupTry}},
		needed{model.RoleWorker, field{table.Column{Title: "WORKER", Width: workerWidth(width), Rank: 3}, groupWorker}},
		needed{model.RoleState, field{table.Column{Title: "LAST", Width: ageWidth, Right: true, Rank: 1}, groupLast}},
		needed{model.RoleState, field{table.Column{Title: "FIRST", Width: ageWidth, Right: true, Rank: 5}, groupFirst}},
		needed{model.RoleError, field{table.Column{Title: "FAILED ALIKE", Width: errorLeast, Grow: true, Rank: 2}, groupWords}},
	)
}

func groupCell(r row) table.Cell {
	n := len(r.group.Jobs)
	if n == 1 {
		return table.Cell{Text: "job " + keyText(r.group.Jobs[0]), Tone: themes.Strong, Weight: 1}
	}
	c := table.Cell{Text: text.Grouped(int64(n)) + " jobs", Tone: themes.Strong, Weight: float64(n)}
	for _, j := range r.group.Jobs { // a filter for a key finds its group
		c.Full += keyText(j) + " "
	}
	c.Full += c.Text
	return c
}

// groupTry is the attempts that all of a group have, if they have the same.
func groupTry(r row) table.Cell {
	first := tryCell(row{Job: r.group.Jobs[0]})
	for _, j := range r.group.Jobs[1:] {
		if c := tryCell(row{Job: j}); c.Text != first.Text {
			return table.Cell{Text: "mixed", Tone: themes.Dim, Weight: first.Weight}
		}
	}
	first.Tone = themes.Plain
	return first
}

func groupWorker(r row) table.Cell {
	switch g := r.group; {
	case g.Worker != "":
		return table.Cell{Text: text.Clean(g.Worker)}
	case g.Workers == 0:
		return unknown()
	}
	return table.Cell{Text: fmt.Sprintf("%d workers", r.group.Workers), Tone: themes.Dim, Weight: float64(r.group.Workers)}
}

func groupLast(r row) table.Cell { return r.ago(r.group.Last, themes.Plain) }

func groupFirst(r row) table.Cell {
	if len(r.group.Jobs) == 1 {
		return table.Cell{Weight: r.ago(r.group.First, themes.Dim).Weight}
	}
	return r.ago(r.group.First, themes.Dim)
}

func groupWords(r row) table.Cell {
	c := table.Cell{Text: text.Clean(r.group.Words())}
	switch r.group.Nature {
	case diagnose.Lapsed:
		c.Tone = themes.Warn
	case diagnose.Silent:
		c.Tone = themes.Dim
	case diagnose.Failing:
	}
	return c
}

// called is a group's name for what is done to all of it.
func called(g *diagnose.Group) string {
	return "group ‹" + text.Cut(text.Clean(g.Words()), 60) + "›"
}

// window says what the groups were made of: how many rows, and over which time. A
// shorter form follows.
func (l *list) window() []string {
	n, read := len(l.rows), text.Grouped(int64(len(l.page.Jobs)))
	if n == 0 {
		return nil
	}
	what := fmt.Sprintf("%s in %s", read, text.Plural(int64(n), "group", "groups"))
	var since time.Time
	for i := range l.rows {
		if f := l.rows[i].group.First; !f.IsZero() && (since.IsZero() || f.Before(since)) {
			since = f
		}
	}
	short := fmt.Sprintf("%s in %d", read, n)
	if !since.IsZero() {
		short = "over " + text.Short(l.at.Sub(since))
		what += " " + short
	}
	if l.page.More {
		return []string{"the first " + what, "first " + read}
	}
	return []string{what, short}
}
