package sqlite

import (
	"github.com/leasetop/leasetop/internal/store/sqltext"
	"github.com/leasetop/leasetop/model"
)

// oldest is the ready job that would be claimed next, of each of the first eight
// priorities where the table has priorities: from one priority the next is found
// by a seek, so that the ready rows themselves are not read.
func (t table) oldest() sqltext.Part {
	holes := sqltext.Holes{
		"table": t.name(), "ready": t.in(model.Ready), "keys": t.keysAs(),
		"available": t.read(model.RoleAvailable), "order": t.claimOrder(),
	}
	if !t.m.Has(model.RolePriority) {
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
    SELECT {row} FROM {table} WHERE {ready} AND {priority} = step.priority ORDER BY {order} LIMIT 1)
)`, holes)
}
