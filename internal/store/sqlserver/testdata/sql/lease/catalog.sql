SET NOCOUNT ON;
SET XACT_ABORT ON;
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
SET LOCK_TIMEOUT 100;
SET DEADLOCK_PRIORITY LOW;

SELECT CONVERT(varchar(33), n.[now], 126) AS [now],
       CONVERT(nvarchar(128), SERVERPROPERTY('Edition')) AS [edition],
       CASE WHEN CONVERT(int, SERVERPROPERTY('EngineEdition')) IN (3, 5, 8) THEN 1 ELSE 0 END AS [online],
       CONVERT(int, d.[is_read_committed_snapshot_on]) AS [versions],
       CONVERT(int, d.[snapshot_isolation_state]) AS [snapshot],
       CONVERT(int, DATABASEPROPERTYEX(DB_NAME(), 'IsOptimizedLockingOn')) AS [optimized],
       DATEPART(tzoffset, SYSDATETIMEOFFSET()) AS [offset_min],
       CONVERT(nvarchar(128), i.[name]) AS [identity],
       CONVERT(nvarchar(128), TYPE_NAME(i.[system_type_id])) AS [identity_type],
       TRY_CONVERT(bigint, IDENT_CURRENT(@table)) AS [identity_last],
       COALESCE(COLUMNPROPERTY(OBJECT_ID(@table), N'JobId', 'AllowsNull'), 0) AS [nullable_keys],
       (SELECT SUM(p.[rows]) FROM sys.partitions AS p
        WHERE p.[object_id] = OBJECT_ID(@table) AND p.[index_id] IN (0, 1)) AS [rows],
       (SELECT SUM(p.[rows]) FROM sys.partitions AS p
        WHERE p.[object_id] = OBJECT_ID(@history) AND p.[index_id] IN (0, 1)) AS [events],
       CONVERT(nvarchar(128), (SELECT TOP (1) g.[name] FROM sys.triggers AS g
                               WHERE g.[parent_id] = OBJECT_ID(@table) AND g.[is_disabled] = 0
                               ORDER BY g.[is_instead_of_trigger] DESC, g.[name])) AS [own_trigger],
       (SELECT COUNT(*) FROM sys.triggers AS g WHERE g.[parent_id] = OBJECT_ID(@history) AND g.[is_disabled] = 0) AS [triggers],
       CONVERT(nvarchar(128), (SELECT MIN(g.[name]) FROM sys.triggers AS g
                               WHERE g.[parent_id] = OBJECT_ID(@history) AND g.[is_disabled] = 0)) AS [trigger],
       (SELECT COUNT(*) FROM sys.foreign_keys AS f
        WHERE OBJECT_ID(@history) IN (f.[parent_object_id], f.[referenced_object_id])) AS [foreign_keys],
       CONVERT(nvarchar(128), f.[name]) AS [foreign_key],
       CONVERT(nvarchar(128), OBJECT_SCHEMA_NAME(f.[parent_object_id])) AS [foreign_schema],
       CONVERT(nvarchar(128), OBJECT_NAME(f.[parent_object_id])) AS [foreign_table],
       (SELECT COUNT(*) FROM sys.check_constraints AS k WHERE k.[parent_object_id] = OBJECT_ID(@history)) AS [checks],
       CONVERT(nvarchar(128), (SELECT MIN(k.[name]) FROM sys.check_constraints AS k
                               WHERE k.[parent_object_id] = OBJECT_ID(@history))) AS [check],
       CONVERT(int, HAS_PERMS_BY_NAME(@table, 'OBJECT', 'INSERT')) AS [may_insert],
       CONVERT(int, HAS_PERMS_BY_NAME(@table, 'OBJECT', 'UPDATE')) AS [may_update],
       CONVERT(int, HAS_PERMS_BY_NAME(@history, 'OBJECT', 'SELECT')) AS [may_recall],
       CONVERT(int, HAS_PERMS_BY_NAME(@history, 'OBJECT', 'INSERT')) AS [may_record],
       CONVERT(int, CASE WHEN CONVERT(int, SERVERPROPERTY('EngineEdition')) IN (5, 12)
                         THEN HAS_PERMS_BY_NAME(DB_NAME(), 'DATABASE', 'VIEW DATABASE STATE')
                         ELSE COALESCE(HAS_PERMS_BY_NAME(NULL, NULL, 'VIEW SERVER PERFORMANCE STATE'),
                                       HAS_PERMS_BY_NAME(NULL, NULL, 'VIEW SERVER STATE')) END) AS [sees_sessions]
FROM (SELECT SYSUTCDATETIME() AS [now]) AS n
LEFT JOIN sys.databases AS d
    ON d.[database_id] = DB_ID()
LEFT JOIN sys.identity_columns AS i
    ON i.[object_id] = OBJECT_ID(@table)
OUTER APPLY (
    SELECT TOP (1) x.[name], x.[parent_object_id]
    FROM sys.foreign_keys AS x
    WHERE OBJECT_ID(@history) IN (x.[parent_object_id], x.[referenced_object_id])
    ORDER BY x.[name]
) AS f;
