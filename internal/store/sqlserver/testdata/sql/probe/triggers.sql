SET NOCOUNT ON;
SET XACT_ABORT ON;
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
SET LOCK_TIMEOUT 100;
SET DEADLOCK_PRIORITY LOW;

SELECT CONVERT(varchar(33), n.[now], 126) AS [now],
       (SELECT COUNT(*) FROM sys.triggers AS g
        WHERE g.[parent_id] = OBJECT_ID(@table) AND g.[is_disabled] = 0 AND g.[is_instead_of_trigger] = 0) AS [after],
       (SELECT COUNT(*) FROM sys.triggers AS g
        WHERE g.[parent_id] = OBJECT_ID(@table) AND g.[is_disabled] = 0 AND g.[is_instead_of_trigger] = 1) AS [instead]
FROM (SELECT SYSUTCDATETIME() AS [now]) AS n;
