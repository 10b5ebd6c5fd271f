SET NOCOUNT ON;
SET XACT_ABORT ON;
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
SET LOCK_TIMEOUT 100;
SET DEADLOCK_PRIORITY LOW;

SELECT CONVERT(varchar(33), n.[now], 126) AS [now],
       w.[there] AS [there],
       w.[worker] AS [worker],
       w.[leases] AS [leases],
       w.[expired] AS [expired],
       CONVERT(varchar(33), w.[seen], 126) AS [seen],
       CONVERT(varchar(33), w.[claimed], 126) AS [claimed],
       NULL AS [done],
       NULL AS [failed],
       NULL AS [since]
FROM (SELECT SYSUTCDATETIME() AS [now]) AS n
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
               CONVERT(varchar(36), q.[Consumer]) AS [worker],
               1 AS [lease],
               CASE WHEN q.[LeaseUntil] < n.[now] THEN 1 ELSE 0 END AS [late],
               CONVERT(datetime2(3), NULL) AS [seen],
               CONVERT(datetime2(3), NULL) AS [claimed],
               0 AS [done],
               0 AS [failed]
        FROM [dbo].[QueueDemo] AS q WITH (FORCESEEK)
        WHERE q.[State] = @working
    ) AS x
    GROUP BY x.[worker]
    ORDER BY SUM(x.[late]) DESC, SUM(x.[lease]) DESC, x.[worker]
) AS w
ORDER BY w.[expired] DESC, w.[leases] DESC, w.[worker]
OPTION (MAXDOP 1);
