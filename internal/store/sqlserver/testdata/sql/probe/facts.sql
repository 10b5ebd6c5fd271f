SET NOCOUNT ON;
SET XACT_ABORT ON;
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
SET LOCK_TIMEOUT 100;
SET DEADLOCK_PRIORITY LOW;

SELECT CONVERT(varchar(33), n.[now], 126) AS [now],
       CONVERT(int, SERVERPROPERTY('EngineEdition')) AS [engine],
       CONVERT(nvarchar(128), SERVERPROPERTY('Edition')) AS [edition],
       CONVERT(nvarchar(128), DATABASEPROPERTYEX(DB_NAME(), 'Collation')) AS [collation],
       CONVERT(int, DATABASEPROPERTYEX(DB_NAME(), 'IsOptimizedLockingOn')) AS [optimized],
       (SELECT CASE WHEN d.[replica_id] IS NULL THEN 0 ELSE 1 END FROM sys.databases AS d WHERE d.[database_id] = DB_ID()) AS [replica],
       (SELECT CONVERT(int, g.[value_in_use]) & 512 FROM sys.configurations AS g WHERE g.[name] = N'user options') AS [nocount],
       DATEPART(tzoffset, SYSDATETIMEOFFSET()) AS [offset],
       CONVERT(int, HAS_PERMS_BY_NAME(DB_NAME(), 'DATABASE', 'VIEW DATABASE STATE')) AS [state],
       CONVERT(int, t.[temporal_type]) AS [temporal],
       (SELECT COUNT(*) FROM sys.partitions AS p WHERE p.[object_id] = OBJECT_ID(@table) AND p.[index_id] IN (0, 1)) AS [partitions],
       (SELECT COUNT(*) FROM sys.indexes AS i WHERE i.[object_id] = OBJECT_ID(@table) AND i.[type] IN (5, 6)) AS [columnar],
       (SELECT COUNT(*) FROM sys.columns AS c WHERE c.[object_id] = OBJECT_ID(@table) AND c.[is_masked] = 1) AS [masked],
       (SELECT COUNT(*) FROM sys.security_predicates AS s
        JOIN sys.security_policies AS y ON y.[object_id] = s.[object_id] AND y.[is_enabled] = 1
        WHERE s.[target_object_id] = OBJECT_ID(@table)) AS [policies]
FROM (SELECT SYSUTCDATETIME() AS [now]) AS n
LEFT JOIN sys.tables AS t
    ON t.[object_id] = OBJECT_ID(@table);
