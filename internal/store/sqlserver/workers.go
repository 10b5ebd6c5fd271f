package sqlserver

import (
	"github.com/leasetop/leasetop/internal/store/sqltext"
	"github.com/leasetop/leasetop/model"
)

const workersText = `{head}SELECT CONVERT(varchar(33), n.[now], 126) AS [now],
       w.[there] AS [there],
       w.[worker] AS [worker],
       w.[leases] AS [leases],
       w.[expired] AS [expired],
       CONVERT(varchar(33), w.[seen], 126) AS [seen],
       CONVERT(varchar(33), w.[claimed], 126) AS [claimed],
       {done} AS [done],
       {failed} AS [failed],
       {since} AS [since]
FROM (SELECT SYSUTCDATETIME() AS [now]) AS n{spans}
OUTER APPLY (
    SELECT TOP (@limit)
           1 AS [there],
           x.[worker],
           SUM(x.[lease]) AS [leases],
           SUM(x.[late]) AS [expired],
           MAX(x.[seen]) AS [seen],
           MIN(x.[claimed]) AS [claimed],
           SUM(x.[done]) AS [done],
           SUM(x.[failed]) AS [failed]
    FROM (
        SELECT TOP (@cap + 1)
               {worker} AS [worker],
               1 AS [lease],
               CASE WHEN {lease} < n.[now] THEN 1 ELSE 0 END AS [late],
               {seen} AS [seen],
               {claimed} AS [claimed],
               0 AS [done],
               0 AS [failed]
        FROM {table} AS q{hints}
        WHERE {working}{ended}
    ) AS x
    GROUP BY x.[worker]
    ORDER BY SUM(x.[late]) DESC, SUM(x.[lease]) DESC, x.[worker]
) AS w
ORDER BY w.[expired] DESC, w.[leases] DESC, w.[worker]
{option}`

const endedText = `
        UNION ALL
        SELECT e.[Worker],
               0,
               0,
               CASE WHEN e.[Kind] <> 'expired' THEN e.[At] END,
               NULL,
               CASE WHEN e.[Kind] = 'completed' THEN 1 ELSE 0 END,
               CASE WHEN e.[Kind] IN ('failed', 'expired') THEN 1 ELSE 0 END
        FROM (
        {tail}
        ) AS e
        WHERE e.[At] > f.[at] AND e.[Kind] IN ('completed', 'failed', 'expired', 'released')`

// workerList reads who holds jobs, by the rows in work, and who ended attempts
// lately, by the tail of the history. A worker whose lease expired gave no sign.
func workerList(t table) (sqltext.Part, error) {
	claimed := t.of("q", model.RoleClaimed).Or(sqltext.Raw("CONVERT(datetime2(3), NULL)"))
	seen := claimed
	if beat := t.of("q", model.RoleHeartbeat); !beat.IsZero() {
		seen = sqltext.Fill("COALESCE({beat}, {claimed})", sqltext.Holes{"beat": beat, "claimed": claimed})
	}
	h := sqltext.Holes{
		"head": t.f.watch(), "option": t.f.option(), "table": t.name(), "hints": t.f.hints(), "working": t.is("q", model.Working),
		"worker": read(t.m.Column(model.RoleWorker), t.of("q", model.RoleWorker)), "lease": t.of("q", model.RoleLease), "claimed": claimed, "seen": seen,
		"spans": {}, "ended": {}, "done": null(), "failed": null(), "since": null(),
	}
	if t.recorded() {
		h["spans"], h["since"] = t.since(), sqltext.Raw("CONVERT(varchar(33), s.[since], 126)")
		h["done"], h["failed"] = sqltext.Raw("w.[done]"), sqltext.Raw("w.[failed]")
		h["ended"] = sqltext.Fill(endedText, sqltext.Holes{"tail": t.tail(sqltext.Raw("h.[Worker]"), sqltext.Raw("h.[At]"), sqltext.Raw("h.[Kind]"))})
	}
	return sqltext.Fill(workersText, h), nil
}
