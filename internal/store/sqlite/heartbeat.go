package sqlite

import (
	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqltext"
	"github.com/leasetop/leasetop/model"
)

// heartbeat sets a later lease, never an earlier one.
func heartbeat(t table) (store.Stmt, error) { return t.change(t.beat()) }

func (t table) beat() change {
	return change{
		where: t.held(),
		lease: sqltext.Fill("CASE WHEN {ms} >= @now + @lease_ms THEN {lease} ELSE {later} END", sqltext.Holes{
			"ms": t.ms(model.RoleLease), "lease": t.read(model.RoleLease), "later": t.write(model.RoleLease, later("lease_ms")),
		}),
		set: []edit{t.at(model.RoleHeartbeat, now())},
	}
}
