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
