SET NOCOUNT ON;
SET XACT_ABORT ON;
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
SET LOCK_TIMEOUT 100;
SET DEADLOCK_PRIORITY LOW;

SELECT CONVERT(varchar(33), n.[now], 126) AS [now],
       (SELECT COUNT(*) FROM sys.triggers AS g WHERE g.[parent_id] = OBJECT_ID(@table) AND g.[is_disabled] = 0) AS [triggers],
       (SELECT COUNT(*) FROM sys.foreign_keys AS f
        WHERE f.[parent_object_id] = OBJECT_ID(@table) OR f.[referenced_object_id] = OBJECT_ID(@table)) AS [keys],
       (SELECT COUNT(*) FROM sys.check_constraints AS k WHERE k.[parent_object_id] = OBJECT_ID(@table)) AS [checks]
FROM (SELECT SYSUTCDATETIME() AS [now]) AS n;
