package sqlite

import (
	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqltext"
	"github.com/leasetop/leasetop/model"
)

const workersText = `{tail}SELECT @now AS now, line.*, {since} AS since
FROM (SELECT 1) AS always
LEFT JOIN (
  SELECT 1 AS there,
         worker,
         sum(lease) AS leases,
         sum(late) AS expired,
         max(seen) AS seen,
         min(claimed) AS claimed,
         {done} AS done,
         {failed} AS failed
  FROM (
    SELECT * FROM (
      SELECT {worker} AS worker,
             1 AS lease,
             {late} AS late,
             {seen} AS seen,
             {claimed} AS claimed,
             0 AS done,
             0 AS failed
      FROM {table}
      WHERE {working}
      LIMIT @cap + 1){ended}
  )
  GROUP BY worker
  ORDER BY expired DESC, leases DESC, worker
  LIMIT @limit
) AS line ON TRUE`

const endedText = `
    UNION ALL
    SELECT Worker, 0, 0, iif(Kind <> 'expired', At, NULL), NULL, Kind = 'completed', Kind IN ('failed', 'expired')
    FROM tail
    WHERE At > @now - @over_ms AND Kind IN ('completed', 'failed', 'expired', 'released')`

// workers reads who holds jobs, by the rows in work, and who ended attempts
// lately, by the tail of the history. A worker whose lease expired gave no sign.
func workers(t table) (store.Stmt, error) {
	claimed := t.read(model.RoleClaimed)
	seen := claimed
	if t.m.Has(model.RoleHeartbeat) {
		seen = sqltext.Fill("coalesce({beat}, {claimed})", sqltext.Holes{"beat": t.read(model.RoleHeartbeat), "claimed": claimed})
	}
	h := sqltext.Holes{
		"worker": t.col(model.RoleWorker), "late": t.leaseBefore(now()), "seen": seen, "claimed": claimed,
		"table": t.name(), "working": t.in(model.Working),
		"tail": {}, "ended": {}, "done": null(), "failed": null(), "since": null(),
	}
	if !t.m.History.IsZero() {
		h["tail"] = sqltext.Fill("WITH tail AS MATERIALIZED (\n  {tail}\n)\n", sqltext.Holes{"tail": t.tail()})
		h["ended"], h["since"] = sqltext.Raw(endedText), sqltext.Raw(since)
		h["done"], h["failed"] = sqltext.Raw("sum(done)"), sqltext.Raw("sum(failed)")
	}
	return stmt(sqltext.Fill(workersText, h))
}
