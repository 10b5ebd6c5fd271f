package sqlite

import (
	"errors"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqltext"
	"github.com/leasetop/leasetop/model"
)

// guid makes a random GUID in SQLite's own functions, upper case, version 4.
const guid = `upper(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-' ||` +
	` substr('89AB', 1 + (random() & 3), 1) || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6)))`

// enqueue adds the jobs of a JSON array in its order.
func enqueue(t table) (store.Stmt, error) {
	if !t.m.Has(model.RolePayload) {
		return store.Stmt{}, errors.New("the mapping names no payload column")
	}
	delay := sqltext.Raw("coalesce(value ->> '$.delay_ms', 0)")
	state, due := t.state(model.Ready), now()
	if t.schedules() {
		due = sqltext.Fill("@now + max({delay}, 0)", sqltext.Holes{"delay": delay})
		state = sqltext.Fill("CASE WHEN {delay} > 0 THEN {scheduled} ELSE {ready} END", sqltext.Holes{
			"delay": delay, "scheduled": t.state(model.Scheduled), "ready": t.state(model.Ready),
		})
	}
	columns := []edit{
		{model.RoleState, state},
		{model.RolePayload, sqltext.Raw("value ->> '$.payload'")},
		{model.RolePriority, sqltext.Raw("coalesce(value ->> '$.priority', 100)")},
		{model.RoleAttempts, sqltext.Raw("0")},
		{model.RoleMaxAttempts, sqltext.Raw("coalesce(value ->> '$.max_attempts', 5)")},
		{model.RoleTotalClaims, sqltext.Raw("0")},
		t.at(model.RoleAvailable, due),
		t.at(model.RoleEnqueued, now()),
		{model.RoleOperation, sqltext.Fill("coalesce(value ->> '$.operation', {guid})", sqltext.Holes{"guid": sqltext.Raw(guid)})},
	}
	var names, values []sqltext.Part
	for _, c := range columns {
		if t.m.Has(c.role) {
			names, values = append(names, t.col(c.role)), append(values, c.to)
		}
	}
	return stmt(sqltext.Fill(`INSERT INTO {table}
  ({names})
  SELECT {values}
  FROM json_each(@jobs)
  ORDER BY json_each.key
  RETURNING @now AS now, {keys}`, sqltext.Holes{
		"table": t.name(), "names": sqltext.List(", ", names...), "values": sqltext.List(comma, values...), "keys": t.keysAs(),
	}))
}
