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
	kind

	page    model.Page
	at      time.Time     // the server's time of the page; zero: none came yet
	behind  time.Duration // how much older than the queue's figures the page is
	err     *model.Fault  // why the newest page did not come
	mapping *model.Mapping
	rows    []row
	picked  []int // the rows that are shown, in their order; nil: all
	keys    int   // widest key seen, so that the column never shrinks
	counted int   // widest count seen in its tab, so that the tabs do not wander

	cursor table.Table[id]
	marks  table.Marks[mark]
	typed  kit.Input // the filter as it is written
	filter table.Filter
	order  table.Order

	groups groups

	layout  table.Layout
	columns []field
	titles  []table.Column
	width   int // of the screen
	laid    int // the width that layout is for
	past    bool
}

// turnTo makes the list one of the past, or of now. What it has is of neither.
func (l *list) turnTo(past bool) {
	l.page, l.at, l.past = model.Page{}, time.Time{}, past
	l.arrange()
}

// row is a row as the list was read.
func (l *list) row(i int) row {
	r := l.rows[i]
	r.now, r.mapping = l.at, l.mapping
	return r
}

// shown is the list as it is shown.
func (l *list) shown() source { return source{l: l, picked: l.picked} }

// every is the list with the rows that the filter leaves out.
func (l *list) every() source { return source{l: l, all: true} }

// measured is how many rows are looked at for the width of the key column.
const measured = 512

// take follows a snapshot, if its page is one of this list, in a width.
func (l *list) take(s *model.Snapshot, width int) {
	if l.mapping != s.Mapping { // a probe has found out more about the table
		l.mapping, l.laid = s.Mapping, 0
	}
	switch {
	case s.Page.Data.View == l.view && s.Page.Known():
		l.read(s)
	case l.past:
		l.turnTo(true) // what it had is of another moment
	}
	if s.Page.Data.View == l.view {
		l.err = s.Page.Err
	}
	if l.behind = 0; !l.at.IsZero() {
		l.behind = s.Pulse.At.Sub(l.at)
	}
	if l.lay(width) {
		l.pick()
	}
}

// read takes a page of this list.
func (l *list) read(s *model.Snapshot) {
	l.page, l.at = s.Page.Data, s.Page.At
	widest := l.keys
	for _, j := range l.page.Jobs[:min(measured, len(l.page.Jobs))] {
		widest = max(widest, text.Width(keyText(j)))
	}
	for i := range l.page.Events {
		widest = max(widest, text.Width(text.Clean(l.page.Events[i].Key.String())))
	}
	if widest != l.keys {
		l.keys, l.laid = widest, 0
	}
	i, ok := l.cursor.Selected()
	l.arrange()
	if l.newest && ok && i == 0 && l.order == (table.Order{}) {
		l.cursor.First(l.shown())
	}
}

// arrange makes the rows of the page anew.
func (l *list) arrange() {
	if l.alike && !l.groups.flat {
		l.rows = l.parted()
	} else {
		l.rows = l.kind.rows(&l.page)
	}
	l.marks.Sync(func(yield func(mark)) {
		for i := range l.rows {
			yield(l.rows[i].mark())
		}
	})
	l.pick()
}

// lay fits the columns into a width and reports whether that changed them.
func (l *list) lay(width int) bool {
	l.width = width
	if l.mapping == nil || l.laid == width {
		return false
	}
	fields := l.fields
	if l.grouped() {
		fields = alikeFields
	}
	l.columns = fields(l.mapping, l.keys, width)
	l.titles = make([]table.Column, len(l.columns))
	for i, f := range l.columns {
		l.titles[i] = f.Column
		if f.Grow && width < 80 {
			l.titles[i].Width = 10
		}
	}
	l.layout, l.laid = table.Fit(l.titles, width), width
	l.filter = table.ParseFilter(l.typed.String(), l.titles)
	return true
}

// pick chooses and sorts the rows that are shown. The cursor stays on its row.
func (l *list) pick() {
	l.picked = table.Pick(l.every(), l.titles, l.filter, l.order)
	l.cursor.Sync(l.shown())
}

// selected is the row under the cursor; ok is false when there is none.
func (l *list) selected() (r row, ok bool) {
	src := l.shown()
	if i, ok := l.cursor.Selected(); ok && i < src.Len() {
		return src.row(i), true
	}
	return row{}, false
}

// job is the job under the cursor, nil when there is none.
func (l *list) job() *model.Job {
	r, _ := l.selected()
	return r.Job
}

// lost names the row that the cursor was on when it left the list.
func (l *list) lost() (name string, lost bool) {
	gone, lost := l.cursor.Lost()
	switch {
	case !lost:
		return "", false
	case !gone.key.IsZero() && l.mapping.IsDestructive():
		return "row " + text.Cut(text.Clean(gone.key.String()), 2*keyMost), true
	case !gone.key.IsZero():
		return "job " + text.Cut(text.Clean(gone.key.String()), keyMost), true
	case l.grouped():
		return "the group", true
	}
	return text.Cut(text.Clean(gone.name), keyMost), true
}

// viewRows are the titles and the rows, in height lines and one for the titles.
func (l *list) viewRows(e *kit.Env, height int, old bool) []string {
	if l.mapping == nil {
		return nil
	}
	l.lay(e.Width)
	out := []string{l.layout.By(l.order).Head(e.Styles)}
	src := l.shown()
	if src.Len() == 0 && height > 0 {
		return append(out, e.Styles.Of(themes.Dim).Render(text.Cut("  "+l.none(e.Frozen), e.Width)))
	}
	return append(out, l.cursor.Rows(src, l.layout, e.Styles, height, old)...)
}

// none says why no row is shown. While the picture is frozen nothing is read for it.
func (l *list) none(frozen bool) string {
	switch {
	case l.at.IsZero() && l.past:
		return "this list was not watched then"
	case l.at.IsZero() && l.err != nil:
		return "cannot be listed: " + text.Clean(l.err.Error())
	case l.at.IsZero() && frozen:
		return "this list is not in the frozen picture: p goes on"
	case l.at.IsZero():
		return "reading …"
	case len(l.rows) > 0:
		return "no row matches the filter"
	case l.groups.opened != nil:
		return "no job of this group is left"
	}
	return l.nothing
}

// lists reports whether a row is in the list, whatever the filter says.
func (l *list) lists(x id) bool {
	for i := range l.rows {
		if l.rows[i].id() == x {
			return true
		}
	}
	return false
}
