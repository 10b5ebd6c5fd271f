package sqlite

import (
	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqltext"
	"github.com/leasetop/leasetop/model"
)

// reclaim is an operator's return of one job whose lease is over.
func reclaim(t table) (store.Stmt, error) {
	return t.takeBack(sqltext.List(and, t.held(), t.leaseBefore(now())))
}

// force is the same before the lease is over.
func force(t table) (store.Stmt, error) { return t.takeBack(t.held()) }

// takeBack makes a job ready under the act's id as its new token, so that a
// re-read proves the act even where there is no history.
func (t table) takeBack(where sqltext.Part, more ...edit) (store.Stmt, error) {
	return t.change(change{
		where: where,
		state: t.state(model.Ready), token: t.fence(), lease: null(),
		set:   append([]edit{t.at(model.RoleAvailable, now())}, more...),
		event: act(sqltext.Raw("'reclaimed'")),
	})
}

// act is what the history says of an operator's act.
func act(kind sqltext.Part) event {
	return event{kind: kind, action: sqltext.Arg("action"), actor: sqltext.Arg("actor"), reason: sqltext.Arg("reason")}
}
