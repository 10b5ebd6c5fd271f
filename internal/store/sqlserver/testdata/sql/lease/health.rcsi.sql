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
    SELECT TOP (1) q.[State] FROM [dbo].[QueueDemo] AS q WITH (FORCESEEK) WHERE q.[State] >= '' ORDER BY q.[State]
) AS s1
OUTER APPLY (
    SELECT TOP (1) q.[State] FROM [dbo].[QueueDemo] AS q WITH (FORCESEEK) WHERE q.[State] > s1.[State] ORDER BY q.[State]
) AS s2
OUTER APPLY (
    SELECT TOP (1) q.[State] FROM [dbo].[QueueDemo] AS q WITH (FORCESEEK) WHERE q.[State] > s2.[State] ORDER BY q.[State]
) AS s3
OUTER APPLY (
    SELECT TOP (1) q.[State] FROM [dbo].[QueueDemo] AS q WITH (FORCESEEK) WHERE q.[State] > s3.[State] ORDER BY q.[State]
) AS s4
OUTER APPLY (
    SELECT TOP (1) q.[State] FROM [dbo].[QueueDemo] AS q WITH (FORCESEEK) WHERE q.[State] > s4.[State] ORDER BY q.[State]
) AS s5
OUTER APPLY (
    SELECT TOP (1) q.[State] FROM [dbo].[QueueDemo] AS q WITH (FORCESEEK) WHERE q.[State] > s5.[State] ORDER BY q.[State]
) AS s6
OUTER APPLY (
    SELECT TOP (1) q.[State] FROM [dbo].[QueueDemo] AS q WITH (FORCESEEK) WHERE q.[State] > s6.[State] ORDER BY q.[State]
) AS s7
OUTER APPLY (
    SELECT TOP (1) q.[State] FROM [dbo].[QueueDemo] AS q WITH (FORCESEEK) WHERE q.[State] > s7.[State] ORDER BY q.[State]
) AS s8
OUTER APPLY (
    SELECT a.[JobId], 'working-without-token' AS [rule], a.[rows],
           CONVERT(nvarchar(128), NULL) AS [value], CONVERT(bigint, NULL) AS [ms]
    FROM (
        SELECT TOP (1) r.[JobId], COUNT_BIG(*) OVER () AS [rows]
        FROM (SELECT TOP (@cap) q.[JobId], q.[ClaimToken] FROM [dbo].[QueueDemo] AS q WITH (FORCESEEK) WHERE q.[State] = @working) AS r
        WHERE r.[ClaimToken] IS NULL
        ORDER BY r.[JobId]
    ) AS a
    UNION ALL
    SELECT a.[JobId], 'working-without-lease' AS [rule], a.[rows],
           CONVERT(nvarchar(128), NULL) AS [value], CONVERT(bigint, NULL) AS [ms]
    FROM (
        SELECT TOP (1) r.[JobId], COUNT_BIG(*) OVER () AS [rows]
        FROM (SELECT TOP (@cap) q.[JobId], q.[LeaseUntil] FROM [dbo].[QueueDemo] AS q WITH (FORCESEEK) WHERE q.[State] = @working) AS r
        WHERE r.[LeaseUntil] IS NULL
        ORDER BY r.[JobId]
    ) AS a
    UNION ALL
    SELECT a.[JobId], 'scheduled-without-time' AS [rule], a.[rows],
           CONVERT(nvarchar(128), NULL) AS [value], CONVERT(bigint, NULL) AS [ms]
    FROM (
        SELECT TOP (1) r.[JobId], COUNT_BIG(*) OVER () AS [rows]
        FROM (SELECT TOP (@cap) q.[JobId], q.[AvailableAt] FROM [dbo].[QueueDemo] AS q WITH (FORCESEEK) WHERE q.[State] = @scheduled) AS r
        WHERE r.[AvailableAt] IS NULL
        ORDER BY r.[JobId]
    ) AS a
    UNION ALL
    SELECT a.[JobId], 'failed-without-time' AS [rule], a.[rows],
           CONVERT(nvarchar(128), NULL) AS [value], CONVERT(bigint, NULL) AS [ms]
    FROM (
        SELECT TOP (1) r.[JobId], COUNT_BIG(*) OVER () AS [rows]
        FROM (SELECT TOP (@cap) q.[JobId], q.[CompletedAt] FROM [dbo].[QueueDemo] AS q WITH (FORCESEEK) WHERE q.[State] = @failed) AS r
        WHERE r.[CompletedAt] IS NULL
        ORDER BY r.[JobId]
    ) AS a
    UNION ALL
    SELECT a.[JobId], 'attempts-over-bound' AS [rule], a.[rows],
           CONVERT(nvarchar(128), NULL) AS [value], CONVERT(bigint, NULL) AS [ms]
    FROM (
        SELECT TOP (1) r.[JobId], COUNT_BIG(*) OVER () AS [rows]
        FROM (SELECT TOP (@cap) q.[JobId], q.[Attempts], q.[MaxAttempts] FROM [dbo].[QueueDemo] AS q WITH (FORCESEEK) WHERE q.[State] = @working) AS r
        WHERE r.[Attempts] > r.[MaxAttempts]
        ORDER BY r.[JobId]
    ) AS a
    UNION ALL
    SELECT a.[JobId], 'ready-at-bound' AS [rule], a.[rows],
           CONVERT(nvarchar(128), NULL) AS [value], CONVERT(bigint, NULL) AS [ms]
    FROM (
        SELECT TOP (1) r.[JobId], COUNT_BIG(*) OVER () AS [rows]
        FROM (SELECT TOP (@cap) q.[JobId], q.[Attempts], q.[MaxAttempts] FROM [dbo].[QueueDemo] AS q WITH (FORCESEEK) WHERE q.[State] = @ready) AS r
        WHERE r.[Attempts] >= r.[MaxAttempts]
        ORDER BY r.[JobId]
    ) AS a
    UNION ALL
    SELECT CONVERT(bigint, NULL) AS [JobId], 'token-of-several-claims' AS [rule], a.[rows],
           CONVERT(nvarchar(128), CONVERT(varchar(36), a.[shared])) AS [value], CONVERT(bigint, NULL) AS [ms]
    FROM (
        SELECT TOP (1) g.[shared], COUNT_BIG(*) OVER () AS [rows]
        FROM (
            SELECT r.[ClaimToken] AS [shared]
            FROM (SELECT TOP (@cap) q.[JobId], q.[ClaimToken], q.[ClaimedAt], q.[ClaimedBy] FROM [dbo].[QueueDemo] AS q WITH (FORCESEEK) WHERE q.[State] = @working) AS r
            WHERE r.[ClaimToken] IS NOT NULL
            GROUP BY r.[ClaimToken]
            HAVING MIN(r.[ClaimedAt]) <> MAX(r.[ClaimedAt]) OR MIN(r.[ClaimedBy]) <> MAX(r.[ClaimedBy])
        ) AS g
        ORDER BY g.[shared]
    ) AS a
    UNION ALL
    SELECT CONVERT(bigint, NULL) AS [JobId], 'newest' AS [rule], CONVERT(bigint, NULL) AS [rows],
           CONVERT(nvarchar(128), 'claimed') AS [value], DATEDIFF_BIG(millisecond, a.[latest], n.[now]) AS [ms]
    FROM (SELECT MAX(r.[ClaimedAt]) AS [latest] FROM (SELECT TOP (@cap) q.[JobId], q.[ClaimedAt] FROM [dbo].[QueueDemo] AS q WITH (FORCESEEK) WHERE q.[State] = @working) AS r) AS a
    WHERE a.[latest] IS NOT NULL
    UNION ALL
    SELECT CONVERT(bigint, NULL) AS [JobId], 'newest' AS [rule], CONVERT(bigint, NULL) AS [rows],
           CONVERT(nvarchar(128), 'heartbeat') AS [value], DATEDIFF_BIG(millisecond, a.[latest], n.[now]) AS [ms]
    FROM (SELECT MAX(r.[HeartbeatAt]) AS [latest] FROM (SELECT TOP (@cap) q.[JobId], q.[HeartbeatAt] FROM [dbo].[QueueDemo] AS q WITH (FORCESEEK) WHERE q.[State] = @working) AS r) AS a
    WHERE a.[latest] IS NOT NULL
    UNION ALL
    SELECT CONVERT(bigint, NULL) AS [JobId], 'newest' AS [rule], CONVERT(bigint, NULL) AS [rows],
           CONVERT(nvarchar(128), 'enqueued') AS [value], DATEDIFF_BIG(millisecond, a.[latest], n.[now]) AS [ms]
    FROM (SELECT MAX(r.[EnqueuedAt]) AS [latest] FROM (SELECT TOP (@cap) q.[JobId], q.[EnqueuedAt] FROM [dbo].[QueueDemo] AS q WITH (FORCESEEK) WHERE q.[State] = @ready) AS r) AS a
    WHERE a.[latest] IS NOT NULL
    UNION ALL
    SELECT CONVERT(bigint, NULL) AS [JobId], 'state' AS [rule], CONVERT(bigint, NULL) AS [rows],
           CONVERT(nvarchar(128), s1.[State]) AS [value], CONVERT(bigint, NULL) AS [ms]
    WHERE s1.[State] IS NOT NULL
    UNION ALL
    SELECT CONVERT(bigint, NULL) AS [JobId], 'state' AS [rule], CONVERT(bigint, NULL) AS [rows],
           CONVERT(nvarchar(128), s2.[State]) AS [value], CONVERT(bigint, NULL) AS [ms]
    WHERE s2.[State] IS NOT NULL
    UNION ALL
    SELECT CONVERT(bigint, NULL) AS [JobId], 'state' AS [rule], CONVERT(bigint, NULL) AS [rows],
           CONVERT(nvarchar(128), s3.[State]) AS [value], CONVERT(bigint, NULL) AS [ms]
    WHERE s3.[State] IS NOT NULL
    UNION ALL
    SELECT CONVERT(bigint, NULL) AS [JobId], 'state' AS [rule], CONVERT(bigint, NULL) AS [rows],
           CONVERT(nvarchar(128), s4.[State]) AS [value], CONVERT(bigint, NULL) AS [ms]
    WHERE s4.[State] IS NOT NULL
    UNION ALL
    SELECT CONVERT(bigint, NULL) AS [JobId], 'state' AS [rule], CONVERT(bigint, NULL) AS [rows],
           CONVERT(nvarchar(128), s5.[State]) AS [value], CONVERT(bigint, NULL) AS [ms]
    WHERE s5.[State] IS NOT NULL
    UNION ALL
    SELECT CONVERT(bigint, NULL) AS [JobId], 'state' AS [rule], CONVERT(bigint, NULL) AS [rows],
           CONVERT(nvarchar(128), s6.[State]) AS [value], CONVERT(bigint, NULL) AS [ms]
    WHERE s6.[State] IS NOT NULL
    UNION ALL
    SELECT CONVERT(bigint, NULL) AS [JobId], 'state' AS [rule], CONVERT(bigint, NULL) AS [rows],
           CONVERT(nvarchar(128), s7.[State]) AS [value], CONVERT(bigint, NULL) AS [ms]
    WHERE s7.[State] IS NOT NULL
    UNION ALL
    SELECT CONVERT(bigint, NULL) AS [JobId], 'state' AS [rule], CONVERT(bigint, NULL) AS [rows],
           CONVERT(nvarchar(128), s8.[State]) AS [value], CONVERT(bigint, NULL) AS [ms]
    WHERE s8.[State] IS NOT NULL
) AS x
OPTION (MAXDOP 1);
