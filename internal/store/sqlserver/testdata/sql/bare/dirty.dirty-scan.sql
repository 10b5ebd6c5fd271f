SET NOCOUNT ON;
SET XACT_ABORT ON;
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
SET LOCK_TIMEOUT 0;
SET DEADLOCK_PRIORITY LOW;

SELECT CONVERT(varchar(33), n.[now], 126) AS [now],
       j.[JobId] AS [key],
       NULL AS [priority],
       NULL AS [available]
FROM (SELECT SYSUTCDATETIME() AS [now]) AS n
OUTER APPLY (
    SELECT TOP (@limit)
           q.[JobId]
    FROM [dbo].[QueueDemo] AS q WITH (NOLOCK)
    WHERE q.[State] = @ready
    ORDER BY q.[JobId]
) AS j
ORDER BY j.[JobId]
OPTION (MAXDOP 1);
