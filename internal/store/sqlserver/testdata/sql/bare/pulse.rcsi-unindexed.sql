SET NOCOUNT ON;
SET XACT_ABORT ON;
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
SET LOCK_TIMEOUT 100;
SET DEADLOCK_PRIORITY LOW;

SELECT CONVERT(varchar(33), n.[now], 126) AS [now],
       NULL AS [scheduled],
       NULL AS [ready],
       NULL AS [failed],
       NULL AS [working],
       NULL AS [expired],
       NULL AS [corrupt],
       NULL AS [worst_key],
       NULL AS [worst_lease],
       NULL AS [key],
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
OPTION (MAXDOP 1, FORCE ORDER);
