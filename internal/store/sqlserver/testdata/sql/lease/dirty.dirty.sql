SET NOCOUNT ON;
SET XACT_ABORT ON;
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
SET LOCK_TIMEOUT 0;
SET DEADLOCK_PRIORITY LOW;

SELECT CONVERT(varchar(33), n.[now], 126) AS [now],
       j.[JobId] AS [key],
       j.[Priority] AS [priority],
       CONVERT(varchar(33), j.[AvailableAt], 126) AS [available]
FROM (SELECT SYSUTCDATETIME() AS [now]) AS n
OUTER APPLY (
    SELECT TOP (@limit)
           q.[JobId],
           q.[Priority],
           q.[AvailableAt]
    FROM [dbo].[QueueDemo] AS q WITH (FORCESEEK, NOLOCK)
    WHERE q.[State] = @ready
    ORDER BY q.[Priority], q.[AvailableAt], q.[JobId]
) AS j
ORDER BY j.[Priority], j.[AvailableAt], j.[JobId]
OPTION (MAXDOP 1);
