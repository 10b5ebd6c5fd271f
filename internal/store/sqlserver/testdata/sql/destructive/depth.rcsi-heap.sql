SET NOCOUNT ON;
SET XACT_ABORT ON;
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
SET LOCK_TIMEOUT 100;
SET DEADLOCK_PRIORITY LOW;

SELECT CONVERT(varchar(33), n.[now], 126) AS [now],
       NULL AS [clock],
       0 AS [present],
       NULL AS [end],
       NULL AS [key],
       NULL AS [key2],
       NULL AS [key3],
       d.[rows] AS [depth],
       r.[rows] AS [rows],
       NULL AS [locked],
       f.[rows] AS [dead],
       NULL AS [arrived],
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
OPTION (MAXDOP 1, FORCE ORDER);
