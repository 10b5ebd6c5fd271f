SET NOCOUNT ON;
SET XACT_ABORT ON;
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
SET LOCK_TIMEOUT 100;
SET DEADLOCK_PRIORITY LOW;

SELECT CONVERT(varchar(33), n.[now], 126) AS [now],
       x.[JobId] AS [key],
       x.[rule] AS [rule],
       x.[rows] AS [rows],
       x.[value] AS [value],
       x.[ms] AS [ms]
FROM (SELECT SYSUTCDATETIME() AS [now]) AS n
OUTER APPLY (
    SELECT a.[JobId], 'working-without-token' AS [rule], a.[rows],
           CONVERT(nvarchar(128), NULL) AS [value], CONVERT(bigint, NULL) AS [ms]
    FROM (
        SELECT TOP (1) r.[JobId], COUNT_BIG(*) OVER () AS [rows]
        FROM (SELECT TOP (@cap) q.[JobId], q.[ClaimToken] FROM [dbo].[QueueDemo] AS q WHERE q.[State] = @working) AS r
        WHERE r.[ClaimToken] IS NULL
        ORDER BY r.[JobId]
    ) AS a
    UNION ALL
    SELECT a.[JobId], 'working-without-lease' AS [rule], a.[rows],
           CONVERT(nvarchar(128), NULL) AS [value], CONVERT(bigint, NULL) AS [ms]
    FROM (
        SELECT TOP (1) r.[JobId], COUNT_BIG(*) OVER () AS [rows]
        FROM (SELECT TOP (@cap) q.[JobId], q.[LeaseUntil] FROM [dbo].[QueueDemo] AS q WHERE q.[State] = @working) AS r
        WHERE r.[LeaseUntil] IS NULL
        ORDER BY r.[JobId]
    ) AS a
    UNION ALL
    SELECT CONVERT(bigint, NULL) AS [JobId], 'state' AS [rule], CONVERT(bigint, NULL) AS [rows],
           COALESCE(CONVERT(nvarchar(128), a.[State]), N'NULL') AS [value], CONVERT(bigint, NULL) AS [ms]
    FROM (SELECT TOP (20) q.[State] FROM [dbo].[QueueDemo] AS q GROUP BY q.[State] ORDER BY q.[State]) AS a
    UNION ALL
    SELECT a.[JobId], 'done-with-lease' AS [rule], a.[rows],
           CONVERT(nvarchar(128), NULL) AS [value], CONVERT(bigint, NULL) AS [ms]
    FROM (
        SELECT TOP (1) r.[JobId], COUNT_BIG(*) OVER () AS [rows]
        FROM (
            SELECT TOP (@cap) q.[JobId] FROM [dbo].[QueueDemo] AS q
            WHERE q.[State] = @done AND q.[LeaseUntil] IS NOT NULL
        ) AS r
        ORDER BY r.[JobId]
    ) AS a
) AS x
OPTION (MAXDOP 1);
