package sqlite

import (
	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqltext"
	"github.com/leasetop/leasetop/model"
)

// change is a step that changes jobs. Its texts run in one transaction that holds
// the write lock from its begin: the rows are captured before and as they will
// be, their history is written, and then they are changed; all three by the same
// condition, which nobody else can make untrue in between.
type change struct {
	where sqltext.Part // which rows
	take  sqltext.Part // their order and how many of them, absent where the key names one

	// What the row becomes. An absent part leaves the column as it is.
	state, token, lease, attempts sqltext.Part

	set   []edit // what else changes
	event event  // what the history says; zero: no attempt ends here
}

// edit gives a column a new value. It is left out where no column plays the role.
type edit struct {
	role model.Role
	to   sqltext.Part
}

// event is what the history records beside the row itself.
type event struct {
	kind                  sqltext.Part
	action, actor, reason sqltext.Part
}

const captured = `SELECT @now AS now, job.*
FROM (SELECT 1) AS always
LEFT JOIN (
  SELECT {keys},
         {state} AS old_state,
         {new_state} AS new_state,
         {token} AS old_token,
         {new_token} AS new_token,
         {lease} AS old_lease,
         {new_lease} AS new_lease,
         {attempts} AS attempts,
         {worker} AS worker
  FROM {table}
  WHERE {where}{take}
) AS job ON TRUE`

const recorded = `INSERT INTO {history}
  (At, Kind, JobId, Attempt, OldState, NewState, OldToken, NewToken, OldLease, NewLease, Worker, ClaimedAt, ActionId, Actor, Login, Reason)
  SELECT @now, {kind}, {keys}, {attempt},
         {state}, {new_state},
         {token}, {new_token},
         {lease}, {new_lease},
         {worker}, {claimed},
         {action}, {actor}, NULL, {reason}
  FROM {table}
  WHERE {where}{take}`

const changed = `UPDATE {table}
SET {set}
WHERE {where}`

const changedBatch = `UPDATE {table}
SET {set}
WHERE {key} IN (
  SELECT {keys}
  FROM {table}
  WHERE {where}{take})`

// change renders a step.
func (t table) change(c change) (store.Stmt, error) {
	return stmt(t.captured(c), t.recorded(c), t.changed(c))
}

func (t table) captured(c change) sqltext.Part {
	or := func(r model.Role) sqltext.Part { return t.col(r).Or(null()) }
	return sqltext.Fill(captured, sqltext.Holes{
		"keys": t.keysAs(), "state": t.col(model.RoleState), "new_state": c.state.Or(t.col(model.RoleState)),
		"token": t.tokenOut(), "new_token": c.token.Or(t.tokenOut()),
		"lease": t.read(model.RoleLease), "new_lease": c.lease.Or(t.read(model.RoleLease)),
		"attempts": c.attempts.Or(or(model.RoleAttempts)), "worker": or(model.RoleWorker),
		"table": t.name(), "where": c.where, "take": c.take,
	})
}

func (t table) recorded(c change) sqltext.Part {
	if c.event.kind.IsZero() || t.m.History.IsZero() {
		return sqltext.Part{}
	}
	or := func(r model.Role) sqltext.Part { return t.col(r).Or(null()) }
	return sqltext.Fill(recorded, sqltext.Holes{
		"history": t.historyName(), "kind": c.event.kind, "keys": t.keys(), "attempt": or(model.RoleAttempts),
		"state": t.col(model.RoleState), "new_state": c.state.Or(t.col(model.RoleState)),
		"token": t.tokenOut(), "new_token": c.token.Or(t.tokenOut()),
		"lease": t.read(model.RoleLease), "new_lease": c.lease.Or(t.read(model.RoleLease)),
		"worker": or(model.RoleWorker), "claimed": t.read(model.RoleClaimed),
		"action": c.event.action.Or(null()), "actor": c.event.actor.Or(null()), "reason": c.event.reason.Or(null()),
		"table": t.name(), "where": c.where, "take": c.take,
	})
}

func (t table) changed(c change) sqltext.Part {
	edits := append([]edit{
		{model.RoleState, c.state}, {model.RoleToken, t.tokenIn(c.token)}, {model.RoleLease, c.lease}, {model.RoleAttempts, c.attempts},
	}, c.set...)
	parts, once := make([]sqltext.Part, 0, len(edits)), map[string]bool{} // a column that plays two roles is written once
	for _, e := range edits {
		c := t.m.Column(e.role)
		if e.to.IsZero() || c.IsZero() || once[c.Name] {
			continue
		}
		once[c.Name] = true
		parts = append(parts, sqltext.Fill("{column} = {value}", sqltext.Holes{"column": t.col(e.role), "value": e.to}))
	}
	set := sqltext.List(",\n    ", parts...)
	if c.take.IsZero() {
		return sqltext.Fill(changed, sqltext.Holes{"table": t.name(), "set": set, "where": c.where})
	}
	return sqltext.Fill(changedBatch, sqltext.Holes{
		"table": t.name(), "set": set, "key": t.key(), "keys": t.keys(), "where": c.where, "take": c.take,
	})
}

// held is the condition of every step of a worker: this key, this token, in work.
func (t table) held() sqltext.Part {
	return sqltext.List(and, t.thisKey(), t.tokenIs("token"), t.in(model.Working))
}

// at sets the column of a role to a time in milliseconds.
func (t table) at(r model.Role, ms sqltext.Part) edit { return edit{r, t.write(r, ms)} }

// usedUp is the condition that no attempt is left, absent without a bound.
func (t table) usedUp() sqltext.Part {
	if !t.m.Bounded() || !t.has(model.Failed) {
		return sqltext.Part{}
	}
	return sqltext.Fill("{attempts} >= {bound}", sqltext.Holes{
		"attempts": t.col(model.RoleAttempts), "bound": t.col(model.RoleMaxAttempts),
	})
}

// choose is one value where no attempt is left and another where one is.
func (t table) choose(over, again sqltext.Part) sqltext.Part {
	cond := t.usedUp()
	if cond.IsZero() {
		return again
	}
	return sqltext.Fill("CASE WHEN {cond} THEN {over} ELSE {again} END", sqltext.Holes{"cond": cond, "over": over, "again": again})
}
