package sqlite

import (
	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqltext"
	"github.com/leasetop/leasetop/model"
)

const claimed = `SELECT @now AS now, job.*, {brake_columns}
FROM (SELECT 1) AS always
LEFT JOIN (
  SELECT {keys},
         @token AS token,
         {lease} AS lease,
         {attempts} AS attempts,
         {max_attempts} AS max_attempts,
         {operation} AS operation,
         {payload} AS payload
  FROM {table}
  WHERE {where}{take}
) AS job ON TRUE{brake}`

// claim takes the first ready jobs that have an attempt left, all with the one
// new token of this statement.
func claim(t table) (store.Stmt, error) {
	return t.claim(sqltext.List(and, t.in(model.Ready), t.attemptLeft(), t.unbraked()), first(t.claimOrder(), "n"))
}

// attemptLeft is the condition that the bound is not reached, absent without one.
func (t table) attemptLeft() sqltext.Part {
	if !t.m.Bounded() {
		return sqltext.Part{}
	}
	return sqltext.Fill("{attempts} < {bound}", sqltext.Holes{
		"attempts": t.col(model.RoleAttempts), "bound": t.col(model.RoleMaxAttempts),
	})
}

func (t table) claim(where, take sqltext.Part) (store.Stmt, error) {
	c := change{
		where: where, take: take,
		state: t.state(model.Working), token: sqltext.Arg("token"), lease: t.write(model.RoleLease, later("lease_ms")),
		attempts: t.plus(model.RoleAttempts),
		set: []edit{
			t.at(model.RoleClaimed, now()), {model.RoleHeartbeat, null()}, {model.RoleEnded, null()},
			{model.RoleWorker, sqltext.Arg("worker")}, {model.RoleTotalClaims, t.plus(model.RoleTotalClaims)},
		},
	}
	or := func(r model.Role) sqltext.Part { return t.col(r).Or(null()) }
	answer := sqltext.Fill(claimed, sqltext.Holes{
		"keys": t.keysAs(), "lease": c.lease, "attempts": c.attempts.Or(null()), "max_attempts": or(model.RoleMaxAttempts),
		"operation": or(model.RoleOperation), "payload": or(model.RolePayload),
		"table": t.name(), "where": c.where, "take": c.take,
		"brake_columns": brakeColumns(!t.m.Brake.IsZero()), "brake": t.besideBrake(),
	})
	return stmt(answer, t.changed(c))
}

// plus is a column and one more, absent where no column plays the role.
func (t table) plus(r model.Role) sqltext.Part {
	if !t.m.Has(r) {
		return sqltext.Part{}
	}
	return sqltext.Fill("{column} + 1", sqltext.Holes{"column": t.col(r)})
}
