package sqlserver

import (
	"errors"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqltext"
	"github.com/leasetop/leasetop/model"
)

// complete ends a job. The row keeps its token, which is how a worker whose reply
// was lost finds out that it was its own completion.
func complete(t table) (sqltext.Part, error) {
	if !t.has(model.Done) {
		return sqltext.Part{}, errors.New("the mapping names no value for the done state")
	}
	return t.step(t.completion()), nil
}

func (t table) completion() change {
	return change{
		op:    store.OpComplete,
		set:   []edit{{model.RoleState, t.state(model.Done)}, {model.RoleLease, null()}, {model.RoleEnded, now()}},
		where: t.held(),
		event: event{kind: sqltext.Raw("'completed'"), mine: t.mine(true, "token")},
	}
}
