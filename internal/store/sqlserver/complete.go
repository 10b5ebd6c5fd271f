package sqlserver

import (
	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqltext"
	"github.com/leasetop/leasetop/model"
)

// complete ends a job. The row keeps its token, which is how a worker whose reply
// was lost finds out that it was its own completion.
func complete(t table) (sqltext.Part, error) {
	return t.step(change{
		op:    store.OpComplete,
		set:   []edit{{model.RoleState, t.state(model.Done)}, {model.RoleLease, null()}, {model.RoleEnded, now()}},
		where: t.held(),
		event: event{kind: sqltext.Raw("'completed'"), mine: t.mine(true, "token")},
	}), nil
}
