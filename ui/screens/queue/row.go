package queue

import (
	"time"

	"github.com/leasetop/leasetop/internal/diagnose"
	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/ui/table"
)

// row is one line of a list, at the moment at which the list was read.
type row struct {
	*model.Job // nil: the line is not about one job
	group      *diagnose.Group
	worker     *model.WorkerLine
	event      *model.Event

	now     time.Time
	mapping *model.Mapping
}

// field is a column and how a row fills it.
type field struct {
	table.Column
	cell func(r row) table.Cell
}

// id is what the cursor stays on: a job, whoever holds it.
type id struct {
	key  model.Key
	name string // of a line that is not about one job
}

// mark is what a mark is on: a job as it was seen. Under another token it is
// another claim, which nobody has marked.
type mark struct {
	id
	token model.Token
}

func (r row) id() id {
	switch {
	case r.group != nil: // the same group whether one or many jobs are in it
		return id{name: string('0'+byte(r.group.Nature)) + r.group.Signature}
	case r.worker != nil:
		return id{name: r.worker.Worker}
	case r.event != nil:
		return id{key: r.event.Key, name: stamp(r.event)}
	case r.Job != nil:
		return id{key: r.Key}
	}
	return id{}
}

func (r row) mark() mark {
	m := mark{id: r.id()}
	if r.Job != nil && r.group == nil {
		m.token = r.Token
	}
	return m
}

// jobs are the jobs that the line stands for.
func (r row) jobs() []*model.Job {
	switch {
	case r.group != nil:
		return r.group.Jobs
	case r.Job != nil:
		return []*model.Job{r.Job}
	}
	return nil
}

func keyText(j *model.Job) string { return text.Clean(j.Key.String()) }

// needed is a column that is there if the table records a role.
type needed struct {
	role model.Role
	field
}

// recorded are the columns that the table has.
func recorded(m *model.Mapping, all ...needed) []field {
	var out []field
	for _, f := range all {
		if m.Has(f.role) {
			out = append(out, f.field)
		}
	}
	return out
}

// source is a list's rows for a table: all of them, or those that were picked.
type source struct {
	l      *list
	picked []int
	all    bool
}

func (s source) row(i int) row {
	if !s.all && s.picked != nil {
		i = s.picked[i]
	}
	return s.l.row(i)
}

func (s source) Len() int {
	if !s.all && s.picked != nil {
		return len(s.picked)
	}
	return len(s.l.rows)
}

func (s source) Key(i int) id { return s.row(i).id() }

func (s source) Cells(i int, dst []table.Cell) []table.Cell {
	r, first := s.row(i), len(dst)
	for _, f := range s.l.columns {
		dst = append(dst, f.cell(r))
	}
	if s.l.marks.Len() > 0 && len(dst) > first {
		dst[first].Marked = s.l.marks.Has(r.mark())
	}
	return dst
}
