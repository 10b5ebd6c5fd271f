SET NOCOUNT ON;
SET XACT_ABORT ON;
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
SET LOCK_TIMEOUT 100;
SET DEADLOCK_PRIORITY LOW;

SELECT CONVERT(varchar(33), n.[now], 126) AS [now],
       t.[schema],
       t.[name]
FROM (SELECT SYSUTCDATETIME() AS [now]) AS n
LEFT JOIN (
    SELECT SCHEMA_NAME(o.[schema_id]) AS [schema], o.[name]
    FROM sys.tables AS o
    WHERE o.[name] LIKE N'leasetop\_scratch\_%' ESCAPE N'\'
) AS t
    ON 1 = 1;
