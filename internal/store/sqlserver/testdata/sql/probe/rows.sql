SET NOCOUNT ON;
SET XACT_ABORT ON;
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
SET LOCK_TIMEOUT 100;
SET DEADLOCK_PRIORITY LOW;

SELECT CONVERT(varchar(33), n.[now], 126) AS [now],
       CONVERT(int, HAS_PERMS_BY_NAME(@table, 'OBJECT', 'DELETE')) AS [delete],
       CONVERT(int, HAS_PERMS_BY_NAME(@history, 'OBJECT', 'DELETE')) AS [dead_delete],
       CONVERT(int, HAS_PERMS_BY_NAME(DB_NAME(), 'DATABASE', 'VIEW DATABASE STATE')) AS [state],
       (SELECT COUNT(*) FROM sys.triggers AS g WHERE g.[parent_id] = OBJECT_ID(@table) AND g.[is_disabled] = 0)
       + (SELECT COUNT(*) FROM sys.foreign_keys AS f
          WHERE OBJECT_ID(@table) IN (f.[parent_object_id], f.[referenced_object_id]))
       + (SELECT COUNT(*) FROM sys.check_constraints AS k WHERE k.[parent_object_id] = OBJECT_ID(@table)) AS [obstacles]
FROM (SELECT SYSUTCDATETIME() AS [now]) AS n;
