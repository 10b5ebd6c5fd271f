package sqlite

import (
	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqltext"
	"github.com/leasetop/leasetop/model"
)

// complete ends a job. The row keeps its token, which is how a worker whose reply
// was lost finds out that it was its own completion.
func complete(t table) (store.Stmt, error) { return t.change(t.completion()) }

func (t table) completion() change {
	return change{
		where: t.held(),
		state: t.state(model.Done), lease: null(),
		set:   []edit{t.at(model.RoleEnded, now())},
		event: event{kind: sqltext.Raw("'completed'")},
	}
}
