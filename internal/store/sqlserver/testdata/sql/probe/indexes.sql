SET NOCOUNT ON;
SET XACT_ABORT ON;
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
SET LOCK_TIMEOUT 100;
SET DEADLOCK_PRIORITY LOW;

SELECT CONVERT(varchar(33), n.[now], 126) AS [now],
       CASE WHEN i.[object_id] = OBJECT_ID(@history) THEN 1 ELSE 0 END AS [history],
       CONVERT(int, i.[index_id]) AS [index],
       CONVERT(int, i.[type]) AS [type],
       CONVERT(nvarchar(128), c.[name]) AS [name],
       CONVERT(int, k.[is_descending_key]) AS [descending]
FROM (SELECT SYSUTCDATETIME() AS [now]) AS n
LEFT JOIN (
    sys.indexes AS i
    JOIN sys.index_columns AS k
        ON k.[object_id] = i.[object_id] AND k.[index_id] = i.[index_id] AND k.[key_ordinal] > 0
    JOIN sys.columns AS c
        ON c.[object_id] = k.[object_id] AND c.[column_id] = k.[column_id]
) ON i.[object_id] IN (OBJECT_ID(@table), OBJECT_ID(@history)) AND i.[type] IN (1, 2) AND i.[is_disabled] = 0 AND i.[has_filter] = 0
ORDER BY i.[object_id], i.[index_id], k.[key_ordinal];
