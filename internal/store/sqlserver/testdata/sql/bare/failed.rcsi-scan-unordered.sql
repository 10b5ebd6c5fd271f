SET NOCOUNT ON;
SET XACT_ABORT ON;
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
SET LOCK_TIMEOUT 100;
SET DEADLOCK_PRIORITY LOW;

SELECT CONVERT(varchar(33), n.[now], 126) AS [now],
       j.[JobId] AS [key],
       j.[State] AS [state],
       CONVERT(varchar(36), j.[ClaimToken]) AS [token],
       CONVERT(varchar(33), j.[LeaseUntil], 126) AS [lease],
       NULL AS [available],
       NULL AS [enqueued],
       NULL AS [claimed],
       NULL AS [heartbeat],
       NULL AS [ended],
       NULL AS [worker],
       NULL AS [attempts],
       NULL AS [max_attempts],
       NULL AS [total_claims],
       NULL AS [priority],
       NULL AS [error],
       NULL AS [operation]
FROM (SELECT SYSUTCDATETIME() AS [now]) AS n
OUTER APPLY (
    SELECT TOP (@limit)
           q.[JobId],
           q.[State],
           q.[ClaimToken],
           q.[LeaseUntil]
    FROM (
        SELECT TOP (10000)
               w.[JobId],
               w.[State],
               w.[ClaimToken],
               w.[LeaseUntil]
        FROM [dbo].[QueueDemo] AS w
        WHERE w.[State] = @failed
    ) AS q
    ORDER BY q.[JobId] DESC
) AS j
ORDER BY j.[JobId] DESC
OPTION (MAXDOP 1);
