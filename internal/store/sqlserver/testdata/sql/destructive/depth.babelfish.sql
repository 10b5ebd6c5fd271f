SET NOCOUNT ON;
SET XACT_ABORT ON;
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
SET LOCK_TIMEOUT 100;
SET DEADLOCK_PRIORITY LOW;

SELECT CONVERT(varchar(33), n.[now], 126) AS [now],
       NULL AS [clock],
       CASE WHEN e.[end] IS NULL THEN 0 ELSE 1 END AS [present],
       e.[end] AS [end],
       CONVERT(varchar(33), e.[QDateTime], 126) AS [key],
       e.[CustomerID] AS [key2],
       e.[OrderID] AS [key3],
       d.[rows] AS [depth],
       NULL AS [rows],
       NULL AS [locked],
       f.[rows] AS [dead],
       a.[rows] AS [arrived],
       NULL AS [inserted],
       NULL AS [deleted],
       CONCAT(OBJECT_ID(@table), '/', CONVERT(varchar(33), s.[started], 126)) AS [epoch]
FROM (SELECT SYSUTCDATETIME() AS [now]) AS n
CROSS APPLY (
    SELECT SUM(p.[rows]) AS [rows]
    FROM sys.partitions AS p
    WHERE p.[object_id] = OBJECT_ID(@table) AND p.[index_id] IN (0, 1)
) AS r
CROSS APPLY (
    SELECT MAX(b.[create_date]) AS [started]
    FROM sys.databases AS b
    WHERE b.[name] = N'tempdb'
) AS s
CROSS APPLY (
    SELECT COUNT_BIG(*) AS [rows]
    FROM (SELECT TOP (@cap + 1) 1 AS [one] FROM [dbo].[QueueDemo] AS q) AS x
) AS d
CROSS APPLY (
    SELECT COUNT_BIG(*) AS [rows]
    FROM (SELECT TOP (@cap + 1) 1 AS [one] FROM [dbo].[QueueDemo_Dead] AS q) AS x
) AS f
CROSS APPLY (
    SELECT COUNT_BIG(*) AS [rows]
    FROM (
        SELECT TOP (@cap + 1) 1 AS [one]
        FROM [dbo].[QueueDemo] AS q
        WHERE q.[QDateTime] > CAST(COALESCE(CONVERT(datetime2(3), @since, 126), DATEADD(minute, -1, SYSUTCDATETIME())) AS datetime)
          AND q.[QDateTime] <= CAST(CAST(CONVERT(varchar(23), SYSUTCDATETIME(), 126) AS datetime) AS datetime)
    ) AS x
) AS a
OUTER APPLY (
    SELECT 'head' AS [end], h.*
    FROM (SELECT TOP (1) q.[QDateTime], q.[CustomerID], q.[OrderID] FROM [dbo].[QueueDemo] AS q ORDER BY q.[QDateTime]) AS h
    UNION ALL
    SELECT 'tail' AS [end], t.*
    FROM (SELECT TOP (1) q.[QDateTime], q.[CustomerID], q.[OrderID] FROM [dbo].[QueueDemo] AS q ORDER BY q.[QDateTime] DESC) AS t
) AS e
OPTION (MAXDOP 1, FORCE ORDER);
