package sqlserver

import (
	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqltext"
	"github.com/leasetop/leasetop/model"
)

// reclaim is an operator's return of one job whose lease is over by the server's
// clock.
func reclaim(t table) (sqltext.Part, error) {
	over := sqltext.Fill("{lease} < @at", sqltext.Holes{"lease": t.col(model.RoleLease)})
	return t.takeBack(store.OpReclaim, t.held(over)), nil
}

// force is the same before the lease is over.
func force(t table) (sqltext.Part, error) { return t.takeBack(store.OpForce, t.held()), nil }

// takeBack writes the act's id as the job's new token, so that a re-read proves
// the act even where there is no history.
func (t table) takeBack(op store.Op, where sqltext.Part) sqltext.Part {
	mine := sqltext.Fill("h.[JobId] = {key}\n   AND h.[ActionId] = CONVERT(uniqueidentifier, @action)",
		sqltext.Holes{"key": given(t.historyKey(), "key")})
	return t.step(change{
		op: op,
		set: []edit{
			{model.RoleState, t.state(model.Ready)}, t.token("action"), {model.RoleLease, null()}, {model.RoleAvailable, now()},
		},
		where: where,
		event: event{
			kind: sqltext.Raw("'reclaimed'"), action: sqltext.Raw("CONVERT(uniqueidentifier, @action)"),
			actor:  sqltext.Raw("CONVERT(nvarchar(128), @actor)"),
			reason: reason("reason"), mine: mine,
		},
	})
}
