package sqlserver

import (
	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqltext"
	"github.com/leasetop/leasetop/model"
)

// release gives a job back untouched: ready at once, its attempt not counted.
func release(t table) (sqltext.Part, error) { return t.step(t.giveBack()), nil }

func (t table) giveBack() change {
	less := func(column sqltext.Part) sqltext.Part {
		return sqltext.Fill("CASE WHEN {n} > 0 THEN {n} - 1 ELSE 0 END", sqltext.Holes{"n": column})
	}
	attempts := sqltext.Part{}
	if t.m.Has(model.RoleAttempts) {
		attempts = less(t.col(model.RoleAttempts))
	}
	return change{
		op: store.OpRelease,
		set: []edit{
			{model.RoleState, t.state(model.Ready)}, t.token("new_token"), {model.RoleLease, null()},
			{model.RoleAttempts, attempts}, {model.RoleAvailable, now()},
		},
		where:    t.held(),
		event:    event{kind: sqltext.Raw("'released'"), mine: t.mine(true, "new_token")},
		attempts: less(sqltext.Raw("h.[Attempt]")),
	}
}
