SET NOCOUNT ON;
SET XACT_ABORT ON;
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
SET LOCK_TIMEOUT 100;
SET DEADLOCK_PRIORITY LOW;

SELECT CONVERT(varchar(33), n.[now], 126) AS [now],
       CONVERT(bigint, OBJECT_ID(@table)) AS [object_id],
       CONVERT(varchar(2), o.[type]) AS [type],
       CONVERT(bigint, r.[rows]) AS [rows],
       CONVERT(int, HAS_PERMS_BY_NAME(@table, 'OBJECT', 'SELECT')) AS [select],
       CONVERT(int, HAS_PERMS_BY_NAME(@table, 'OBJECT', 'INSERT')) AS [insert]
FROM (SELECT SYSUTCDATETIME() AS [now]) AS n
LEFT JOIN sys.objects AS o
    ON o.[object_id] = OBJECT_ID(@table)
OUTER APPLY (
    SELECT SUM(p.[rows]) AS [rows]
    FROM sys.partitions AS p
    WHERE p.[object_id] = OBJECT_ID(@table) AND p.[index_id] IN (0, 1)
) AS r;
