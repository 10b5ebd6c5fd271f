package queue

import (
	"github.com/leasetop/leasetop/model"
)

// kind is what a list of the queue is: how it is named, whose rows it has and in
// which columns.
type kind struct {
	view  model.View
	title string
	word  string // the title on a narrow screen
	room  int    // cells that its count takes at the least, 0: it has no count

	// absent says why this queue cannot have the list; empty: it can. nil: all can.
	absent func(*model.Snapshot) string
	// fields are its columns, as far as the table has them.
	fields func(m *model.Mapping, keys, width int) []field
	// rows are a page's rows. They need not say when they were read.
	rows func(p *model.Page) []row
	// count is its figure; nil: the length of the list, once it was read.
	count func(*model.Pulse) model.Count

	nothing string // what an empty list says
	alike   bool   // its jobs are shown in groups that failed alike
	others  string // why an act is refused where the rows are no jobs; empty: they are
	newest  bool   // the newest row is the first, and a cursor that is there stays there
}

// kinds are the lists of a queue, in the order of their tabs. Which there are is
// decided by the family; a list that only this table lacks is there and dimmed.
func kinds(m *model.Mapping) []kind {
	if m.IsDestructive() {
		return rowKinds()
	}
	return []kind{
		{
			view: model.ViewWorking, title: "Working", word: "Work", room: 2, fields: working, rows: jobs,
			count: func(p *model.Pulse) model.Count { return p.Working }, nothing: "nothing is being worked on",
		},
		{
			view: model.ViewReady, title: "Ready", word: "Ready", room: 5, fields: ready, rows: jobs,
			count: func(p *model.Pulse) model.Count { return p.Ready }, nothing: "nothing is ready",
		},
		{
			view: model.ViewRepeaters, title: "Repeaters", word: "Repeat", room: 2, fields: repeaters, rows: jobs,
			nothing: "no job is tried again", alike: true, absent: uncounted,
		},
		{
			view: model.ViewFailed, title: "Dead letters", word: "Dead", room: 3, fields: failed, rows: jobs,
			count: func(p *model.Pulse) model.Count { return p.Failed }, nothing: "no dead letters", alike: true, absent: deathless,
		},
		{
			view: model.ViewWorkers, title: "Workers", word: "Workers", room: 2, fields: crewFields, rows: crew,
			nothing: "no worker was seen lately", absent: unnamed, others: "a worker is chosen and no job: enter shows its jobs",
		},
		{
			view: model.ViewHistory, title: "History", word: "History", fields: eventFields, rows: events,
			nothing: "nothing has happened yet", absent: forgetful, newest: true, others: "this is what was: enter opens the job as it is",
		},
	}
}

func uncounted(s *model.Snapshot) string {
	if m := s.Mapping; !m.Has(model.RoleTotalClaims) && !m.Has(model.RoleAttempts) {
		return "the table counts neither attempts nor claims"
	}
	return ""
}

func deathless(s *model.Snapshot) string {
	if _, ok := s.Mapping.States[model.Failed]; !ok {
		return "the mapping names no value for the failed state"
	}
	return ""
}

func unnamed(s *model.Snapshot) string {
	if !s.Mapping.Has(model.RoleWorker) {
		return "the table does not record who claims"
	}
	return ""
}

func forgetful(s *model.Snapshot) string {
	if s.Mapping.History.IsZero() {
		return "the table has no history"
	}
	if v, probed := s.Caps.Can[model.CanHistory]; probed && !v.OK {
		return v.Why
	}
	return ""
}

// jobs are the rows of a list of jobs.
func jobs(p *model.Page) []row {
	out := make([]row, len(p.Jobs))
	for i, j := range p.Jobs {
		out[i].Job = j
	}
	return out
}
