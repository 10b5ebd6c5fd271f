package sqlite

import (
	"errors"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqltext"
	"github.com/leasetop/leasetop/model"
)

// repeaters reads the jobs that are not over and were claimed more than once, or
// that wait again after an attempt. No index has them, so a window of each state
// is looked at; cut says whether that was all.
func repeaters(t table) (store.Stmt, error) {
	times := t.col(model.RoleTotalClaims).Or(t.col(model.RoleAttempts))
	if times.IsZero() {
		return store.Stmt{}, errors.New("not recorded: the table counts neither attempts nor claims")
	}
	h := sqltext.Holes{
		"times": times, "again": t.col(model.RoleAttempts).Or(times), "state": t.col(model.RoleState),
		"working": t.state(model.Working),
	}
	states := t.present(model.Scheduled, model.Ready, model.Working)
	return t.windows(states, sqltext.Fill("({times} > 1 OR {again} > 0 AND {state} <> {working})", h),
		sqltext.Fill("{times} DESC, {keys}", sqltext.Holes{"times": times, "keys": t.keys()}),
		sqltext.Fill("{more} AS cut", sqltext.Holes{"more": t.more(states)}))
}

// windows lists those jobs of a window of some states that meet a condition; told
// says something of the windows themselves.
func (t table) windows(states []model.State, where, order, told sqltext.Part) (store.Stmt, error) {
	parts := make([]sqltext.Part, len(states))
	for i, s := range states {
		parts[i] = sqltext.Fill("SELECT * FROM (SELECT * FROM {table} WHERE {where} LIMIT @window)", sqltext.Holes{
			"table": t.name(), "where": t.in(s),
		})
	}
	source := sqltext.Fill("(\n    {parts}\n  )", sqltext.Holes{"parts": sqltext.List("\n    UNION ALL\n    ", parts...)})
	return t.jobsFrom(source, where, first(order, "limit"), told)
}

// more is whether a state has more rows than the window.
func (t table) more(states []model.State) sqltext.Part {
	parts := make([]sqltext.Part, len(states))
	for i, s := range states {
		parts[i] = sqltext.Fill("EXISTS (SELECT 1 FROM {table} WHERE {where} LIMIT 1 OFFSET @window)", sqltext.Holes{
			"table": t.name(), "where": t.in(s),
		})
	}
	return sqltext.Fill("({more})", sqltext.Holes{"more": sqltext.List(" OR ", parts...)})
}

// present are those of the states that the mapping names a value for.
func (t table) present(states ...model.State) []model.State {
	var out []model.State
	for _, s := range states {
		if t.has(s) {
			out = append(out, s)
		}
	}
	return out
}
