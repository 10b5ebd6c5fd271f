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
       done.[rows] AS [completed],
       CONCAT(OBJECT_ID(@table), '/', CONVERT(varchar(33), s.[started], 126)) AS [epoch],
       CONVERT(int, b.[Braked]) AS [braked],
       CONVERT(varchar(33), b.[At], 126) AS [brake_at],
       b.[Actor] AS [brake_actor],
       b.[Login] AS [brake_login],
       b.[Reason] AS [brake_reason]
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
LEFT JOIN [dbo].[QueueDemo_Control] AS b
    ON b.[Id] = 1
CROSS APPLY (
    SELECT COUNT_BIG(*) AS [rows]
    FROM (
        SELECT TOP (@cap + 1) 1 AS [one]
        FROM [dbo].[QueueDemo_History] AS h WITH (FORCESEEK)
        WHERE h.[At] > COALESCE(CONVERT(datetime2(3), @since, 126), CONVERT(datetime2(3), DATEADD(minute, -1, n.[now])))
          AND h.[Kind] = 'completed'
    ) AS x
) AS done
OPTION (MAXDOP 1, FORCE ORDER);
