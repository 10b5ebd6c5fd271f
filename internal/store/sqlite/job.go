package sqlite

import (
	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqltext"
	"github.com/leasetop/leasetop/model"
)

// jobs is a list of jobs, with one row of nothing but the time when it is empty.
const jobs = `SELECT @now AS now, job.*{told}
FROM (SELECT 1) AS always
LEFT JOIN (
  SELECT {keys},
         {state} AS state,
         {token} AS token,
         {lease} AS lease,
         {available} AS available,
         {enqueued} AS enqueued,
         {claimed} AS claimed,
         {heartbeat} AS heartbeat,
         {ended} AS ended,
         {worker} AS worker,
         {attempts} AS attempts,
         {max_attempts} AS max_attempts,
         {total_claims} AS total_claims,
         {priority} AS priority,
         {error} AS error,
         {operation} AS operation
  FROM {source}
  WHERE {where}{order}
) AS job ON TRUE`

// jobsWhere reads the jobs that meet a condition.
func (t table) jobsWhere(where, order sqltext.Part) (store.Stmt, error) {
	return t.jobsFrom(t.name(), where, order, sqltext.Part{})
}

// jobsFrom reads jobs of a source that has the table's columns. told is a column
// beside theirs, absent where there is none.
func (t table) jobsFrom(source, where, order, told sqltext.Part) (store.Stmt, error) {
	or := func(r model.Role) sqltext.Part { return t.col(r).Or(null()) }
	return stmt(sqltext.Fill(jobs, sqltext.Holes{
		"keys": t.keysAs(), "state": t.col(model.RoleState), "token": t.tokenOut(), "lease": t.read(model.RoleLease),
		"available": t.read(model.RoleAvailable), "enqueued": t.read(model.RoleEnqueued), "claimed": t.read(model.RoleClaimed),
		"heartbeat": t.read(model.RoleHeartbeat), "ended": t.read(model.RoleEnded), "worker": or(model.RoleWorker),
		"attempts": or(model.RoleAttempts), "max_attempts": or(model.RoleMaxAttempts), "total_claims": or(model.RoleTotalClaims),
		"priority": or(model.RolePriority), "error": or(model.RoleError), "operation": or(model.RoleOperation),
		"source": source, "where": where, "order": order, "told": sqltext.If(!told.IsZero(), sqltext.Fill(", {told}", sqltext.Holes{"told": told})),
	}))
}

// claimOrder is the order in which ready jobs are claimed: by priority, then by
// the time from which a job is claimable, then by key.
func (t table) claimOrder() sqltext.Part {
	available := t.col(model.RoleAvailable)
	if !available.IsZero() {
		available = t.ms(model.RoleAvailable)
	}
	return sqltext.List(", ", t.col(model.RolePriority), available, t.keys())
}

// first is an order and a bound, on their own lines.
func first(order sqltext.Part, arg string) sqltext.Part {
	return sqltext.Fill("\n  ORDER BY {order}\n  LIMIT {limit}", sqltext.Holes{"order": order, "limit": sqltext.Arg(arg)})
}
