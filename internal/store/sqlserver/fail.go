package sqlserver

import (
	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqltext"
	"github.com/leasetop/leasetop/model"
)

// fail ends an attempt with its error: due again after the delay, or failed when
// no attempt is left.
func fail(t table) (sqltext.Part, error) { return t.step(t.failure()), nil }

func (t table) failure() change {
	return change{
		op:    store.OpFail,
		set:   t.back(after(now(), sqltext.Arg("delay_ms")), t.text(model.RoleError, "error")),
		where: t.held(),
		event: event{kind: sqltext.Raw("'failed'"), reason: reason("error"), mine: t.mine(true, "new_token")},
	}
}
