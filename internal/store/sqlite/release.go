package sqlite

import (
	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqltext"
	"github.com/leasetop/leasetop/model"
)

// release gives a job back untouched: ready at once, its attempt not counted.
func release(t table) (store.Stmt, error) { return t.change(t.giveBack()) }

func (t table) giveBack() change {
	c := change{
		where: t.held(),
		state: t.state(model.Ready), token: sqltext.Arg("new_token"), lease: null(),
		set:   []edit{t.at(model.RoleAvailable, now())},
		event: event{kind: sqltext.Raw("'released'")},
	}
	if t.m.Has(model.RoleAttempts) {
		c.attempts = sqltext.Fill("max({attempts} - 1, 0)", sqltext.Holes{"attempts": t.col(model.RoleAttempts)})
	}
	return c
}
