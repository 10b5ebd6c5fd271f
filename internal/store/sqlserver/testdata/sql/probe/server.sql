SET NOCOUNT ON;
SET XACT_ABORT ON;
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
SET LOCK_TIMEOUT 100;
SET DEADLOCK_PRIORITY LOW;

SELECT CONVERT(varchar(33), n.[now], 126) AS [now],
       CONVERT(nvarchar(128), SERVERPROPERTY('ProductVersion')) AS [version],
       CONVERT(nvarchar(128), SERVERPROPERTY('BabelfishVersion')) AS [babelfish],
       DB_NAME() AS [database],
       ORIGINAL_LOGIN() AS [login],
       CONVERT(int, d.[is_read_committed_snapshot_on]) AS [rcsi],
       CONVERT(int, d.[snapshot_isolation_state]) AS [snapshot],
       CONVERT(int, d.[compatibility_level]) AS [level],
       CONVERT(nvarchar(20), DATABASEPROPERTYEX(DB_NAME(), 'Updateability')) AS [updateability]
FROM (SELECT SYSUTCDATETIME() AS [now]) AS n
LEFT JOIN sys.databases AS d
    ON d.[database_id] = DB_ID();
