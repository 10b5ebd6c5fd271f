SET NOCOUNT ON;
SET XACT_ABORT ON;
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
SET LOCK_TIMEOUT 100;
SET DEADLOCK_PRIORITY LOW;

SELECT CONVERT(varchar(33), n.[now], 126) AS [now],
       CASE WHEN c.[object_id] = OBJECT_ID(@history) THEN 1 ELSE 0 END AS [dead],
       CONVERT(nvarchar(128), c.[name]) AS [name],
       CONVERT(nvarchar(128), CASE
           WHEN t.[name] IN (N'char', N'varchar', N'binary', N'varbinary')
               THEN t.[name] + N'(' + CASE WHEN c.[max_length] = -1 THEN N'max' ELSE CONVERT(nvarchar(10), c.[max_length]) END + N')'
           WHEN t.[name] IN (N'nchar', N'nvarchar')
               THEN t.[name] + N'(' + CASE WHEN c.[max_length] = -1 THEN N'max' ELSE CONVERT(nvarchar(10), c.[max_length] / 2) END + N')'
           WHEN t.[name] IN (N'datetime2', N'datetimeoffset', N'time')
               THEN t.[name] + N'(' + CONVERT(nvarchar(10), c.[scale]) + N')'
           WHEN t.[name] IN (N'decimal', N'numeric')
               THEN t.[name] + N'(' + CONVERT(nvarchar(10), c.[precision]) + N', ' + CONVERT(nvarchar(10), c.[scale]) + N')'
           ELSE COALESCE(t.[name], TYPE_NAME(c.[user_type_id]))
       END) AS [declared],
       CONVERT(int, c.[is_identity]) AS [identity],
       CONVERT(int, c.[is_computed]) AS [computed],
       CONVERT(int, c.[is_nullable]) AS [nullable],
       CONVERT(int, HAS_PERMS_BY_NAME(@table, 'OBJECT', 'SELECT', c.[name], 'COLUMN')) AS [select]
FROM (SELECT SYSUTCDATETIME() AS [now]) AS n
LEFT JOIN sys.columns AS c
    ON c.[object_id] IN (OBJECT_ID(@table), OBJECT_ID(@history))
LEFT JOIN sys.types AS t
    ON t.[user_type_id] = c.[system_type_id]
ORDER BY c.[object_id], c.[column_id];
