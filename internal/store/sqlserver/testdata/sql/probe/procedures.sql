SET NOCOUNT ON;
SET XACT_ABORT ON;
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
SET LOCK_TIMEOUT 100;
SET DEADLOCK_PRIORITY LOW;

SELECT CONVERT(varchar(33), n.[now], 126) AS [now],
       CONVERT(nvarchar(128), o.[name]) AS [name],
       CONVERT(int, HAS_PERMS_BY_NAME(QUOTENAME(SCHEMA_NAME(o.[schema_id])) + N'.' + QUOTENAME(o.[name]), 'OBJECT', 'EXECUTE')) AS [execute]
FROM (SELECT SYSUTCDATETIME() AS [now]) AS n
LEFT JOIN (
    sys.objects AS t
    JOIN sys.objects AS o
        ON o.[schema_id] = t.[schema_id] AND o.[type] = 'P' AND LEFT(o.[name], LEN(t.[name]) + 1) = t.[name] + N'_'
) ON t.[object_id] = OBJECT_ID(@table);
