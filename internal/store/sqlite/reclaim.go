package sqlite

import (
	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqltext"
	"github.com/leasetop/leasetop/model"
)

// reclaim is an operator's return of one job whose lease is over.
func reclaim(t table) (store.Stmt, error) {
	return t.reclaim(sqltext.List(and, t.held(), t.leaseBefore(now())))
}

// force is the same before the lease is over.
func force(t table) (store.Stmt, error) { return t.reclaim(t.held()) }

// reclaim writes the act's id as the job's new token, so that a re-read proves
// the act even where there is no history.
func (t table) reclaim(where sqltext.Part) (store.Stmt, error) {
	return t.change(change{
		where: where,
		state: t.state(model.Ready), token: sqltext.Arg("action"), lease: null(),
		set: []edit{t.at(model.RoleAvailable, now())},
		event: event{
			kind: sqltext.Raw("'reclaimed'"), action: sqltext.Arg("action"),
			actor: sqltext.Arg("actor"), reason: sqltext.Arg("reason"),
		},
	})
}
