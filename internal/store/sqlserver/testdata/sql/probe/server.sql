SET NOCOUNT ON;
SET XACT_ABORT ON;
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
SET LOCK_TIMEOUT 100;
SET DEADLOCK_PRIORITY LOW;

SELECT CONVERT(varchar(33), SYSUTCDATETIME(), 126) AS [now],
       CONVERT(nvarchar(128), SERVERPROPERTY('ProductVersion')) AS [version],
       CONVERT(nvarchar(128), SERVERPROPERTY('Edition')) AS [edition],
       CONVERT(nvarchar(128), SERVERPROPERTY('BabelfishVersion')) AS [babelfish],
       DB_NAME() AS [database],
       ORIGINAL_LOGIN() AS [login];
