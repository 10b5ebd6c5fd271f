package sqlite

import (
	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqltext"
	"github.com/leasetop/leasetop/model"
)

// oldest is the ready job that would be claimed next, of each of the first eight
// priorities where the table has priorities, and of the jobs that have none, which
// come before all others: from one priority the next is found by a seek, so that
// the ready rows themselves are not read. Where the whole table is read it is the one
// that waits longest of all.
func (t table) oldest() sqltext.Part {
	holes := sqltext.Holes{
		"table": t.name(), "ready": t.in(model.Ready), "keys": t.keysAs(),
		"available": t.read(model.RoleAvailable), "order": t.claimOrder(),
	}
	if once := t.c.Form[string(store.OpPulse)] == formScan; once || !t.m.Has(model.RolePriority) {
		if once {
			holes["order"] = sqltext.List(", ", t.ms(model.RoleAvailable), t.keys())
		}
		return sqltext.Fill(`oldest AS (
  SELECT {keys},
         NULL AS priority,
         {available} AS available
  FROM {table}
  WHERE {ready}
  ORDER BY {order}
  LIMIT 1
)`, holes)
	}
	holes["priority"], holes["key"], holes["row"] = t.col(model.RolePriority), t.key(), t.keys()
	return sqltext.Fill(`step(priority, n) AS (
  SELECT NULL, 0
  UNION ALL
  SELECT min({priority}), 1 FROM {table} WHERE {ready}
  UNION ALL
  SELECT (SELECT min({priority}) FROM {table} WHERE {ready} AND {priority} > step.priority), n + 1
  FROM step
  WHERE priority IS NOT NULL AND n < 8
), oldest AS (
  SELECT {keys},
         step.priority AS priority,
         {available} AS available
  FROM step
  CROSS JOIN {table} ON {key} = (
    SELECT {row} FROM {table} WHERE {ready} AND {priority} IS step.priority ORDER BY {order} LIMIT 1)
  WHERE n = 0 OR step.priority IS NOT NULL
)`, holes)
}
