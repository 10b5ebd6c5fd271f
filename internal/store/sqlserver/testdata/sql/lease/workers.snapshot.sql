SET NOCOUNT ON;
SET XACT_ABORT ON;
SET TRANSACTION ISOLATION LEVEL SNAPSHOT;
SET LOCK_TIMEOUT 100;
SET DEADLOCK_PRIORITY LOW;

SELECT CONVERT(varchar(33), n.[now], 126) AS [now],
       w.[there] AS [there],
       w.[worker] AS [worker],
       w.[leases] AS [leases],
       w.[expired] AS [expired],
       CONVERT(varchar(33), w.[seen], 126) AS [seen],
       CONVERT(varchar(33), w.[claimed], 126) AS [claimed],
       w.[done] AS [done],
       w.[failed] AS [failed],
       CONVERT(varchar(33), s.[since], 126) AS [since]
FROM (SELECT SYSUTCDATETIME() AS [now]) AS n
CROSS APPLY (
    SELECT DATEADD(millisecond, -@over_ms, n.[now]) AS [at]
) AS f
CROSS APPLY (
    SELECT MIN(t.[At]) AS [oldest]
    FROM (
        SELECT TOP (@window)
               h.[At]
        FROM [dbo].[QueueDemo_History] AS h WITH (FORCESEEK)
        WHERE h.[Seq] < CONVERT(bigint, 9223372036854775807)
        ORDER BY h.[Seq] DESC
    ) AS t
) AS k
CROSS APPLY (
    SELECT CASE WHEN k.[oldest] > f.[at] THEN k.[oldest] ELSE f.[at] END AS [since]
) AS s
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
               q.[ClaimedBy] AS [worker],
               1 AS [lease],
               CASE WHEN q.[LeaseUntil] < n.[now] THEN 1 ELSE 0 END AS [late],
               COALESCE(q.[HeartbeatAt], q.[ClaimedAt]) AS [seen],
               q.[ClaimedAt] AS [claimed],
               0 AS [done],
               0 AS [failed]
        FROM [dbo].[QueueDemo] AS q WITH (FORCESEEK)
        WHERE q.[State] = @working
        UNION ALL
        SELECT e.[Worker],
               0,
               0,
               CASE WHEN e.[Kind] <> 'expired' THEN e.[At] END,
               NULL,
               CASE WHEN e.[Kind] = 'completed' THEN 1 ELSE 0 END,
               CASE WHEN e.[Kind] IN ('failed', 'expired') THEN 1 ELSE 0 END
        FROM (
        SELECT TOP (@window)
               h.[Worker],
               h.[At],
               h.[Kind]
        FROM [dbo].[QueueDemo_History] AS h WITH (FORCESEEK)
        WHERE h.[Seq] < CONVERT(bigint, 9223372036854775807)
        ORDER BY h.[Seq] DESC
        ) AS e
        WHERE e.[At] > f.[at] AND e.[Kind] IN ('completed', 'failed', 'expired', 'released')
    ) AS x
    GROUP BY x.[worker]
    ORDER BY SUM(x.[late]) DESC, SUM(x.[lease]) DESC, x.[worker]
) AS w
ORDER BY w.[expired] DESC, w.[leases] DESC, w.[worker]
OPTION (MAXDOP 1);
