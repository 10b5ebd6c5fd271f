package sqlite

import (
	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqltext"
	"github.com/leasetop/leasetop/model"
)

// fail ends an attempt with its error: due again after the delay, or failed when
// no attempt is left.
func fail(t table) (store.Stmt, error) { return t.change(t.failure()) }

func (t table) failure() change {
	return t.back(t.held(), sqltext.Part{}, later("delay_ms"), sqltext.Arg("error"), sqltext.Raw("'failed'"))
}

// back is the return of a job by its worker or by recovery.
func (t table) back(where, take, due, diagnostic, kind sqltext.Part) change {
	again := t.state(model.Ready)
	if t.schedules() {
		again = t.state(model.Scheduled)
	} else {
		due = now()
	}
	set := []edit{{model.RoleError, diagnostic}}
	if t.m.Has(model.RoleAvailable) {
		set = append(set, edit{model.RoleAvailable, t.choose(t.write(model.RoleAvailable, now()), t.write(model.RoleAvailable, due))})
	}
	if t.m.Has(model.RoleEnded) && !t.usedUp().IsZero() {
		set = append(set, edit{model.RoleEnded, t.choose(t.write(model.RoleEnded, now()), null())})
	}
	return change{
		where: where, take: take,
		state: t.choose(t.state(model.Failed), again), token: sqltext.Arg("new_token"), lease: null(),
		set:   set,
		event: event{kind: kind, reason: diagnostic},
	}
}
