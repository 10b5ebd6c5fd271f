package sqlserver

import (
	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqltext"
	"github.com/leasetop/leasetop/model"
)

// reclaim is an operator's return of one job whose lease is over by the server's
// clock.
func reclaim(t table) (sqltext.Part, error) {
	return t.takeBack(store.OpReclaim, t.held(t.over())), nil
}

// force is the same before the lease is over.
func force(t table) (sqltext.Part, error) { return t.takeBack(store.OpForce, t.held()), nil }

// over is the condition that the lease has run out.
func (t table) over() sqltext.Part {
	return sqltext.Fill("{lease} < @at", sqltext.Holes{"lease": t.col(model.RoleLease)})
}

// takeBack makes a job ready under the act's id as its new token, so that a
// re-read proves the act even where there is no history.
func (t table) takeBack(op store.Op, where sqltext.Part, more ...edit) sqltext.Part {
	return t.step(change{
		op: op,
		set: append([]edit{
			{model.RoleState, t.state(model.Ready)}, t.fence(), {model.RoleLease, null()}, {model.RoleAvailable, now()},
		}, more...),
		where: where,
		event: t.act(sqltext.Raw("'reclaimed'")),
	})
}

// act is what the history says of an operator's act, and how its row is found
// again.
func (t table) act(kind sqltext.Part) event {
	return event{
		kind: kind, action: sqltext.Raw("CONVERT(uniqueidentifier, @action)"),
		actor: sqltext.Raw("CONVERT(nvarchar(128), @actor)"), reason: reason("reason"),
		mine: sqltext.Fill("h.[JobId] = {key}\n   AND h.[ActionId] = CONVERT(uniqueidentifier, @action)",
			sqltext.Holes{"key": given(t.historyKey(), "key")}),
	}
}
