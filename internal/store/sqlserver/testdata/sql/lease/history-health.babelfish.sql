SET NOCOUNT ON;
SET XACT_ABORT ON;
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
SET LOCK_TIMEOUT 100;
SET DEADLOCK_PRIORITY LOW;

SELECT CONVERT(varchar(33), n.[now], 126) AS [now],
       x.[rule] AS [rule],
       x.[rows] AS [rows],
       x.[value] AS [value],
       x.[ms] AS [ms]
FROM (SELECT SYSUTCDATETIME() AS [now]) AS n
OUTER APPLY (
    SELECT 'step-back' AS [rule], a.[rows], CONVERT(nvarchar(128), a.[Seq]) AS [value], a.[ms]
    FROM (
        SELECT TOP (1) r.[Seq], DATEDIFF_BIG(millisecond, r.[At], r.[before]) AS [ms], COUNT_BIG(*) OVER () AS [rows]
        FROM (
            SELECT h.[Seq], h.[At], MAX(h.[At]) OVER (ORDER BY h.[Seq] ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS [before]
            FROM (SELECT TOP (@limit) e.[Seq], e.[At] FROM [dbo].[QueueDemo_History] AS e ORDER BY e.[Seq] DESC) AS h
        ) AS r
        WHERE r.[before] > DATEADD(second, 10, r.[At])
        ORDER BY [ms] DESC
    ) AS a
    UNION ALL
    SELECT 'oldest', CONVERT(bigint, NULL), CONVERT(nvarchar(128), NULL), DATEDIFF_BIG(millisecond, o.[At], n.[now])
    FROM (SELECT TOP (1) e.[At] FROM [dbo].[QueueDemo_History] AS e ORDER BY e.[Seq]) AS o
) AS x
OPTION (MAXDOP 1);
