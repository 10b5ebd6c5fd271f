package sqlserver

import (
	"github.com/leasetop/leasetop/internal/store/sqltext"
	"github.com/leasetop/leasetop/model"
)

// findOperation finds jobs by their operation id: by its index, or without one
// among a window of the jobs that are not done.
func findOperation(t table) (sqltext.Part, error) {
	c := t.m.Column(model.RoleOperation)
	is := sqltext.Fill("{column} = {value}", sqltext.Holes{"column": within("q", c), "value": given(c, "operation")})
	if t.f.active {
		states := t.present(model.Scheduled, model.Ready, model.Working, model.Failed)
		return t.windows(states, is, t.byKey, t.cut(states, sqltext.Raw("0"), sqltext.Raw("0"), ident("whole"))), nil
	}
	return sqltext.Fill(windowsText, sqltext.Holes{
		"head": t.f.watch(), "columns": t.result("j"), "told": as(sqltext.Raw("1"), ident("whole")), "counts": {},
		"raw":    sqltext.List(",\n           ", t.raw("q", shown()...)...),
		"source": sqltext.Fill("{table} AS q{hints}", sqltext.Holes{"table": t.name(), "hints": t.f.hints()}),
		"where":  is, "order": t.byKey("q"), "outer": t.byKey("j"), "option": t.f.option(),
	}), nil
}

// findWorker finds the jobs that a worker has in work.
func findWorker(t table) (sqltext.Part, error) {
	c := t.m.Column(model.RoleWorker)
	states := t.present(model.Working)
	return t.windows(states, sqltext.Fill("{column} = {value}", sqltext.Holes{"column": within("q", c), "value": given(c, "worker")}),
		t.byKey, t.cut(states, sqltext.Raw("0"), sqltext.Raw("1"), ident("whole"))), nil
}

// byKey is the order of the keys alone.
func (t table) byKey(alias string) sqltext.Part { return sqltext.List(", ", t.keys(alias)...) }
