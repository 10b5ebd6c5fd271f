SET NOCOUNT ON;
SET XACT_ABORT ON;
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
SET LOCK_TIMEOUT 100;
SET DEADLOCK_PRIORITY LOW;

SELECT CONVERT(varchar(33), n.[now], 126) AS [now],
       CONVERT(bigint, OBJECT_ID(@table)) AS [object_id],
       CONVERT(varchar(2), o.[type]) AS [type],
       CONVERT(int, t.[is_memory_optimized]) AS [memory],
       CONVERT(bigint, r.[rows]) AS [rows],
       CONVERT(int, HAS_PERMS_BY_NAME(@table, 'OBJECT', 'INSERT')) AS [insert],
       CONVERT(int, HAS_PERMS_BY_NAME(@table, 'OBJECT', 'DELETE')) AS [delete],
       (SELECT COUNT(*) FROM sys.triggers AS g
        WHERE g.[parent_id] = OBJECT_ID(@table) AND g.[is_disabled] = 0 AND g.[is_instead_of_trigger] = 0) AS [after],
       (SELECT COUNT(*) FROM sys.triggers AS g
        WHERE g.[parent_id] = OBJECT_ID(@table) AND g.[is_disabled] = 0 AND g.[is_instead_of_trigger] = 1) AS [instead],
       CONVERT(bigint, OBJECT_ID(@history)) AS [history_id],
       CONVERT(int, HAS_PERMS_BY_NAME(@history, 'OBJECT', 'SELECT')) AS [history_select],
       CONVERT(int, HAS_PERMS_BY_NAME(@history, 'OBJECT', 'INSERT')) AS [history_insert],
       CONVERT(int, HAS_PERMS_BY_NAME(@history, 'OBJECT', 'DELETE')) AS [history_delete],
       (SELECT COUNT(*) FROM sys.triggers AS g WHERE g.[parent_id] = OBJECT_ID(@history) AND g.[is_disabled] = 0)
       + (SELECT COUNT(*) FROM sys.foreign_keys AS f
          WHERE OBJECT_ID(@history) IN (f.[parent_object_id], f.[referenced_object_id]))
       + (SELECT COUNT(*) FROM sys.check_constraints AS k WHERE k.[parent_object_id] = OBJECT_ID(@history)) AS [history_obstacles],
       (SELECT CONVERT(nvarchar(128), TYPE_NAME(k.[system_type_id])) FROM sys.columns AS k
        WHERE k.[object_id] = OBJECT_ID(@history) AND k.[name] = N'NewToken') AS [history_token]
FROM (SELECT SYSUTCDATETIME() AS [now]) AS n
LEFT JOIN sys.objects AS o
    ON o.[object_id] = OBJECT_ID(@table)
LEFT JOIN sys.tables AS t
    ON t.[object_id] = OBJECT_ID(@table)
OUTER APPLY (
    SELECT SUM(p.[rows]) AS [rows]
    FROM sys.partitions AS p
    WHERE p.[object_id] = OBJECT_ID(@table) AND p.[index_id] IN (0, 1)
) AS r;
