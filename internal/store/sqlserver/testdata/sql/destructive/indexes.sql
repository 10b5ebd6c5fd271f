SET NOCOUNT ON;
SET XACT_ABORT ON;
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
SET LOCK_TIMEOUT 100;
SET DEADLOCK_PRIORITY LOW;

SELECT CONVERT(varchar(33), n.[now], 126) AS [now],
       CASE WHEN i.[object_id] = OBJECT_ID(@history) THEN 1 WHEN i.[object_id] IS NOT NULL THEN 0 END AS [on_history],
       CONVERT(nvarchar(128), i.[name]) AS [index],
       CASE WHEN i.[type] = 1 THEN 1 ELSE 0 END AS [clustered],
       CONVERT(int, i.[is_unique]) AS [unique],
       CONVERT(int, i.[is_disabled]) AS [disabled],
       CONVERT(int, i.[allow_page_locks]) AS [page_locks],
       CONVERT(int, i.[allow_row_locks]) AS [row_locks],
       CONVERT(nvarchar(2000), i.[filter_definition]) AS [filter],
       CONVERT(nvarchar(128), c.[name]) AS [column],
       CONVERT(int, k.[is_descending_key]) AS [descending]
FROM (SELECT SYSUTCDATETIME() AS [now]) AS n
LEFT JOIN (
    sys.indexes AS i
    JOIN sys.index_columns AS k
        ON k.[object_id] = i.[object_id] AND k.[index_id] = i.[index_id] AND k.[key_ordinal] > 0
    JOIN sys.columns AS c
        ON c.[object_id] = k.[object_id] AND c.[column_id] = k.[column_id]
) ON i.[object_id] IN (OBJECT_ID(@table), OBJECT_ID(@history)) AND i.[type] IN (1, 2)
ORDER BY i.[object_id], i.[index_id], k.[key_ordinal];
