SET NOCOUNT ON;
SET XACT_ABORT ON;
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
SET LOCK_TIMEOUT 100;
SET DEADLOCK_PRIORITY LOW;

SELECT CONVERT(varchar(33), n.[now], 126) AS [now],
       NULL AS [scheduled],
       [ready].[rows] AS [ready],
       [failed].[rows] AS [failed],
       COALESCE(w.[rows], 0) AS [working],
       COALESCE(w.[expired], 0) AS [expired],
       COALESCE(w.[corrupt], 0) AS [corrupt],
       CASE WHEN w.[expired] > 0 THEN w.[JobId] END AS [worst_key],
       CASE WHEN w.[expired] > 0 THEN CONVERT(varchar(33), w.[LeaseUntil], 126) END AS [worst_lease],
       o.[JobId] AS [key],
       NULL AS [priority],
       NULL AS [available],
       r.[rows] AS [rows],
       CONVERT(bigint, IDENT_CURRENT(@table)) AS [enqueued],
       NULL AS [completed],
       CONCAT(OBJECT_ID(@table), '/', CONVERT(varchar(33), s.[started], 126)) AS [epoch],
       NULL AS [braked],
       NULL AS [brake_at],
       NULL AS [brake_actor],
       NULL AS [brake_login],
       NULL AS [brake_reason]
FROM (SELECT SYSUTCDATETIME() AS [now]) AS n
CROSS APPLY (
    SELECT SUM(p.[rows]) AS [rows]
    FROM sys.partitions AS p
    WHERE p.[object_id] = OBJECT_ID(@table) AND p.[index_id] IN (0, 1)
) AS r
CROSS APPLY (
    SELECT MAX(d.[create_date]) AS [started]
    FROM sys.databases AS d
    WHERE d.[name] = N'tempdb'
) AS s
CROSS APPLY (
    SELECT COUNT_BIG(*) AS [rows]
    FROM (SELECT TOP (@cap + 1) 1 AS [one] FROM [dbo].[QueueDemo] AS q WHERE q.[State] = @ready) AS x
) AS [ready]
CROSS APPLY (
    SELECT COUNT_BIG(*) AS [rows]
    FROM (SELECT TOP (@cap + 1) 1 AS [one] FROM [dbo].[QueueDemo] AS q WHERE q.[State] = @failed) AS x
) AS [failed]
OUTER APPLY (
    SELECT TOP (1)
           x.[JobId],
           x.[LeaseUntil],
           COUNT_BIG(*) OVER () AS [rows],
           SUM(x.[late]) OVER () AS [expired],
           SUM(x.[broken]) OVER () AS [corrupt]
    FROM (
        SELECT TOP (@cap + 1)
               q.[JobId],
               q.[LeaseUntil],
               CASE WHEN q.[LeaseUntil] < n.[now] THEN 1 ELSE 0 END AS [late],
               CASE WHEN q.[ClaimToken] IS NULL THEN 1 WHEN q.[LeaseUntil] IS NULL THEN 1 ELSE 0 END AS [broken]
        FROM [dbo].[QueueDemo] AS q
        WHERE q.[State] = @working
    ) AS x
    ORDER BY CASE WHEN x.[LeaseUntil] IS NULL THEN 1 ELSE 0 END, x.[LeaseUntil]
) AS w
OUTER APPLY (
    SELECT TOP (1) q.[JobId]
    FROM [dbo].[QueueDemo] AS q
    WHERE q.[State] = @ready
    ORDER BY q.[JobId]
) AS o
OPTION (MAXDOP 1, FORCE ORDER);
