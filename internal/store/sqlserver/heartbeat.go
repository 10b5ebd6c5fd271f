package sqlserver

import (
	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqltext"
	"github.com/leasetop/leasetop/model"
)

// heartbeat sets a later lease, never an earlier one.
func heartbeat(t table) (sqltext.Part, error) { return t.step(t.beat()), nil }

func (t table) beat() change {
	later := after(now(), sqltext.Arg("lease_ms"))
	return change{
		op: store.OpHeartbeat,
		set: []edit{
			{model.RoleLease, sqltext.Fill("CASE WHEN {lease} > {later} THEN {lease} ELSE {later} END", sqltext.Holes{
				"lease": t.col(model.RoleLease), "later": later,
			})},
			{model.RoleHeartbeat, now()},
		},
		where: t.held(),
	}
}
