package queue

import (
	"fmt"
	"time"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/themes"
	"github.com/leasetop/leasetop/ui/kit"
	"github.com/leasetop/leasetop/ui/table"
)

// list is one of the queue's lists, with the newest page of it that came.
type list struct {
	view   model.View
	title  string
	fields func(m *model.Mapping, keys, width int) []field

	page    model.Page
	at      time.Time // the server's time of the page; zero: none came yet
	mapping *model.Mapping
	keys    int // widest key seen, so that the column never shrinks
	cursor  table.Table[model.Key]

	layout  table.Layout
	columns []field
	laid    int // the width that layout is for
}

// field is a column and how a job fills it.
type field struct {
	table.Column
	cell func(r row) table.Cell
}

// row is a job at the moment at which the list was read.
type row struct {
	*model.Job
	now     time.Time
	mapping *model.Mapping
}

// rows are the rows of a list as a table's source.
type rows struct{ l *list }

func (r rows) Len() int            { return len(r.l.page.Jobs) }
func (r rows) Key(i int) model.Key { return r.l.page.Jobs[i].Key }

func (r rows) Cells(i int, dst []table.Cell) []table.Cell {
	x := row{Job: r.l.page.Jobs[i], now: r.l.at, mapping: r.l.mapping}
	for _, f := range r.l.columns {
		dst = append(dst, f.cell(x))
	}
	return dst
}

// measured is how many rows are looked at for the width of the key column.
const measured = 512

// take follows a snapshot, if its page is one of this list.
func (l *list) take(s *model.Snapshot) {
	if l.mapping != s.Mapping { // a probe has found out more about the table
		l.mapping, l.laid = s.Mapping, 0
	}
	if s.Page.Data.View != l.view || !s.Page.Known() {
		return
	}
	l.page, l.at = s.Page.Data, s.Page.At
	widest := l.keys
	for _, j := range l.page.Jobs[:min(measured, len(l.page.Jobs))] {
		widest = max(widest, text.Width(keyText(j)))
	}
	if widest != l.keys {
		l.keys, l.laid = widest, 0
	}
	l.cursor.Sync(rows{l})
}

func keyText(j *model.Job) string { return text.Clean(j.Key.String()) }

// selected is the job under the cursor, nil when there is none.
func (l *list) selected() *model.Job {
	if i, ok := l.cursor.Selected(); ok && i < len(l.page.Jobs) {
		return l.page.Jobs[i]
	}
	return nil
}

// viewRows are the titles and the rows, in height lines and one for the titles.
func (l *list) viewRows(e *kit.Env, height int, old bool) []string {
	if l.mapping == nil {
		return nil
	}
	if l.laid != e.Width {
		l.columns = l.fields(l.mapping, l.keys, e.Width)
		cols := make([]table.Column, len(l.columns))
		for i, f := range l.columns {
			cols[i] = f.Column
			if f.Grow && e.Width < 80 {
				cols[i].Width = 10
			}
		}
		l.layout, l.laid = table.Fit(cols, e.Width), e.Width
	}
	out := []string{l.layout.Head(e.Styles)}
	if len(l.page.Jobs) == 0 && height > 0 {
		return append(out, e.Styles.Of(themes.Dim).Render(text.Cut("  "+l.nothing(), e.Width)))
	}
	return append(out, l.cursor.Rows(rows{l}, l.layout, e.Styles, height, old)...)
}

func (l *list) nothing() string {
	switch {
	case l.at.IsZero():
		return "reading …"
	case l.view == model.ViewWorking:
		return "nothing is being worked on"
	}
	return "nothing is ready"
}

// tabLine is the line of tabs and what is to be known about the open one.
func (s *Screen) tabLine(e *kit.Env) string {
	counts := [...]model.Count{s.figures.Working, s.figures.Ready}
	var l kit.Line
	for i, t := range s.tabs {
		if i > 0 {
			l.Text(e.Styles.Of(themes.Border), "│")
		}
		label := text.PadRight(fmt.Sprintf(" %d %s %s", i+1, t.title, text.Count(counts[i])), len(t.title)+11)
		if i == s.tab {
			l.Text(e.Styles.On(themes.Strong), label)
		} else {
			l.Text(e.Styles.Of(themes.Dim), label)
		}
	}
	parts := kit.Choose(s.list().asides(), e.Width-l.Width()-2, 2)
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

// asides are what the list does not say: that it is cut, that the chosen job left
// it, and the ages of the chosen job to the second. They stand here and not in the
// row, where each cursor key would have to draw two rows anew.
func (l *list) asides() []kit.Rank {
	part := func(rank int, t themes.Token, s string) kit.Rank {
		return kit.Rank{Rank: rank, Spans: kit.Spans{{Tone: t, Text: s}}}
	}
	var out []kit.Rank
	if l.page.More {
		out = append(out, part(1, themes.Dim, fmt.Sprintf("the first %s", text.Grouped(int64(len(l.page.Jobs))))))
	}
	if key, lost := l.cursor.Lost(); lost {
		return append(out, part(2, themes.Accent, "job "+text.Cut(text.Clean(key.String()), 20)+" left this list"))
	}
	if j := l.selected(); j != nil {
		out = append(out, part(3, themes.Dim, exactly(j, l.at)))
	}
	return out
}

// exactly are a job's ages to the second.
func exactly(j *model.Job, now time.Time) string {
	if j.State != model.Working {
		return "waiting " + text.ExactAge(j.Waiting)
	}
	s := "held " + text.ExactAge(j.Held)
	switch left, ok := j.Left(now); {
	case !ok:
		return s
	case left < 0:
		return s + ", lease out " + text.Exact(-left)
	default:
		return s + ", lease " + text.Exact(left)
	}
}
