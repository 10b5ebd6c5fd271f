package sqlserver

import (
	"errors"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqltext"
	"github.com/leasetop/leasetop/model"
)

// requeue makes a dead letter ready again, at the tail and with its attempts
// anew; how often it was claimed in all stays.
func requeue(t table) (sqltext.Part, error) { return t.requeue(store.OpRequeue, t.carries()) }

// requeueUnclaimed is the same for a dead letter that carries no token.
func requeueUnclaimed(t table) (sqltext.Part, error) {
	return t.requeue(store.OpRequeueUnclaimed, t.carriesNone())
}

func (t table) requeue(op store.Op, token sqltext.Part) (sqltext.Part, error) {
	if !t.has(model.Failed) {
		return sqltext.Part{}, errors.New("the mapping names no value for the failed state, so there are no dead letters")
	}
	return t.step(change{
		op: op,
		set: []edit{
			{model.RoleState, t.state(model.Ready)}, t.fence(), {model.RoleLease, null()},
			{model.RoleAvailable, now()}, {model.RoleEnded, null()}, {model.RoleAttempts, sqltext.Raw("0")},
		},
		where: sqltext.List(and, append(t.thisKey(t.row), token, t.is(t.row, model.Failed))...),
		event: t.act(sqltext.Raw("'requeued'")),
	}), nil
}
