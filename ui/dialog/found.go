package dialog

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/themes"
	"github.com/leasetop/leasetop/ui/kit"
	"github.com/leasetop/leasetop/ui/table"
)

// Match is a job that a look-up found.
type Match struct {
	Queue string
	Job   *model.Job
	At    time.Time // the server's time of the row
}

// Found lets one of several jobs be chosen that a look-up found.
type Found struct {
	what   string
	rows   matches
	whole  bool
	cursor table.Table[int]
}

// NewFound opens the choice. whole is false when more jobs may fit.
func NewFound(what string, rows []Match, whole bool) *Found {
	f := &Found{what: what, rows: rows, whole: whole}
	f.cursor.Sync(f.rows)
	return f
}

var pick = kit.Bind("enter", "↵", "open")

// Keys implements kit.Dialog.
func (f *Found) Keys(*kit.Env) []kit.Binding {
	return append([]kit.Binding{pick, kit.Bind("esc q", "esc", "close")}, table.Keys()...)
}

// Update implements kit.Dialog.
func (f *Found) Update(_ *kit.Env, msg tea.Msg) kit.Action {
	k, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return nil
	}
	switch k.String() {
	case "esc", "q":
		return kit.Close{}
	case "enter":
		i, _ := f.cursor.Selected()
		m := f.rows[i]
		return kit.Many{kit.Close{}, kit.OpenJob{Queue: m.Queue, Key: m.Job.Key, Job: m.Job, At: m.At}}
	}
	f.cursor.Press(f.rows, msg)
	return nil
}

// View implements kit.Dialog.
func (f *Found) View(e *kit.Env) []string {
	width := widthOf(e, helpWidth)
	if width < 12 || e.Height < 5 {
		return nil
	}
	l := table.Fit([]table.Column{
		{Title: "JOB", Width: 12}, {Title: "QUEUE", Width: 14, Rank: 3}, {Title: "STATE", Width: 9, Rank: 1},
		{Title: "WORKER", Width: 14, Grow: true, Rank: 2}, {Title: "TRY", Width: 6, Right: true, Rank: 4},
	}, width-3)
	body := append([]string{l.Head(e.Styles)}, f.cursor.Rows(f.rows, l, e.Styles, e.Height-3, false)...)
	b := kit.Box{Edge: e.Edge, Title: kit.Spans{{Tone: themes.Strong, Text: text.Cut(text.Clean(f.what), width-16)}}}
	b.Foot = kit.Spans{{Tone: themes.Dim, Text: text.Plural(int64(len(f.rows)), "job", "jobs")}}
	if !f.whole {
		b.FootEnd = kit.Spans{{Tone: themes.Dim, Text: "there may be more"}}
	}
	return b.Draw(e.Styles, width, body)
}

// matches are the jobs as a table's source.
type matches []Match

func (m matches) Len() int      { return len(m) }
func (m matches) Key(i int) int { return i }

func (m matches) Cells(i int, dst []table.Cell) []table.Cell {
	j := m[i].Job
	try := text.Unknown
	if j.Attempts.Known {
		try = attempts(j)
	}
	return append(dst, table.Cell{Text: text.Clean(j.Key.String()), Tone: themes.Strong}, table.Cell{Text: text.Clean(m[i].Queue), Tone: themes.Dim},
		table.Cell{Text: j.State.String()}, table.Cell{Text: text.Clean(j.Worker)}, table.Cell{Text: try})
}
