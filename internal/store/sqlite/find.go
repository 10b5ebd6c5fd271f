package sqlite

import (
	"context"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqltext"
	"github.com/leasetop/leasetop/model"
)

// findsOperation is what a probe finds out: an index has the operation ids.
const findsOperation model.Feature = "find-operation"

// operations finds out whether a job is found by its operation id.
func (p *probe) operations(ctx context.Context) error {
	t := table{m: p.m, c: &p.caps}
	if !p.m.Has(model.RoleOperation) {
		return nil
	}
	found, err := p.seeks(ctx, sqltext.Fill("{column} = 'any'", sqltext.Holes{"column": t.col(model.RoleOperation)}))
	p.caps.Can[findsOperation] = model.Yes()
	if !found {
		p.caps.Can[findsOperation] = model.No("no index leads on "+p.m.Column(model.RoleOperation).Name, "leasetop schema --apply makes it")
	}
	return err
}

// findOperation finds jobs by their operation id: by its index, or without one
// among a window of the jobs that are not done. An id is text here, in whatever
// case its writer used.
func findOperation(t table) (store.Stmt, error) {
	is := sqltext.Fill("{column} IN (@operation, upper(@operation), lower(@operation))", sqltext.Holes{"column": t.col(model.RoleOperation)})
	if t.lacks(findsOperation) != nil {
		states := t.present(model.Scheduled, model.Ready, model.Working, model.Failed)
		return t.windows(states, is, t.keys(), sqltext.Raw("0 AS whole"))
	}
	return t.jobsFrom(t.name(), is, first(t.keys(), "limit"), sqltext.Raw("1 AS whole"))
}

// findWorker finds the jobs that a worker has in work.
func findWorker(t table) (store.Stmt, error) {
	states := t.present(model.Working)
	return t.windows(states, sqltext.Fill("{column} = @worker", sqltext.Holes{"column": t.col(model.RoleWorker)}), t.keys(),
		sqltext.Fill("NOT {more} AS whole", sqltext.Holes{"more": t.more(states)}))
}
