package queue

import (
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
	short  string // the title on a narrow screen
	fields func(m *model.Mapping, keys, width int) []field

	page    model.Page
	at      time.Time    // the server's time of the page; zero: none came yet
	err     *model.Fault // why the newest page did not come
	mapping *model.Mapping
	keys    int // widest key seen, so that the column never shrinks
	counted int // widest count seen in its tab, so that the tabs do not wander
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
	if s.Page.Data.View != l.view {
		return
	}
	if l.err = s.Page.Err; !s.Page.Known() {
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
	case l.at.IsZero() && l.err != nil:
		return "cannot be listed: " + text.Clean(l.err.Error())
	case l.at.IsZero():
		return "reading …"
	case l.view == model.ViewWorking:
		return "nothing is being worked on"
	case l.view == model.ViewFailed:
		return "no dead letters"
	}
	return "nothing is ready"
}
