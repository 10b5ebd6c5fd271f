SET NOCOUNT ON;
SET XACT_ABORT ON;
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
SET LOCK_TIMEOUT 100;
SET DEADLOCK_PRIORITY LOW;

SELECT CONVERT(varchar(33), n.[now], 126) AS [now],
       SUBSTRING(CONVERT(varchar(36), q.[Payload]), 1, @max) AS [payload],
       DATALENGTH(CONVERT(varchar(36), q.[Payload])) AS [bytes],
       CASE WHEN DATALENGTH(CONVERT(varchar(36), q.[Payload])) > DATALENGTH(SUBSTRING(CONVERT(varchar(36), q.[Payload]), 1, @max)) THEN 1 ELSE 0 END AS [cut]
FROM (SELECT SYSUTCDATETIME() AS [now]) AS n
LEFT JOIN [dbo].[QueueDemo] AS q
    ON q.[JobId] = CONVERT(decimal(18, 2), @key);
