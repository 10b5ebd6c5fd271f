package sqlite

import (
	"errors"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqltext"
	"github.com/leasetop/leasetop/model"
)

// requeue makes a dead letter ready again, at the tail and with its attempts
// anew; how often it was claimed in all stays.
func requeue(t table) (store.Stmt, error) { return t.requeue(t.tokenIs("token")) }

// requeueUnclaimed is the same for a dead letter that carries no token.
func requeueUnclaimed(t table) (store.Stmt, error) { return t.requeue(t.noToken()) }

func (t table) requeue(token sqltext.Part) (store.Stmt, error) {
	if !t.has(model.Failed) {
		return store.Stmt{}, errors.New("the mapping names no value for the failed state, so there are no dead letters")
	}
	return t.change(change{
		where: sqltext.List(and, t.thisKey(), token, t.in(model.Failed)),
		state: t.state(model.Ready), token: t.fence(), lease: null(), attempts: zero(),
		set:   []edit{t.at(model.RoleAvailable, now()), {model.RoleEnded, null()}},
		event: act(sqltext.Raw("'requeued'")),
	})
}

// zero is the count of a job that starts anew.
func zero() sqltext.Part { return sqltext.Raw("0") }
