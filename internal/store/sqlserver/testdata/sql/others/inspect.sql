SET NOCOUNT ON;
SET XACT_ABORT ON;
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
SET LOCK_TIMEOUT 100;
SET DEADLOCK_PRIORITY LOW;

SELECT CONVERT(varchar(33), n.[now], 126) AS [now],
       CONVERT(varchar(60), q.[JobId]) AS [key],
       q.[State] AS [state],
       CONVERT(varchar(36), q.[ClaimToken]) AS [token],
       CONVERT(varchar(33), q.[LeaseUntil], 126) AS [lease],
       NULL AS [available],
       NULL AS [enqueued],
       NULL AS [claimed],
       NULL AS [heartbeat],
       NULL AS [ended],
       CONVERT(varchar(36), q.[Consumer]) AS [worker],
       NULL AS [attempts],
       NULL AS [max_attempts],
       NULL AS [total_claims],
       q.[Priority] AS [priority],
       NULL AS [error],
       NULL AS [operation]
FROM (SELECT SYSUTCDATETIME() AS [now]) AS n
LEFT JOIN [dbo].[QueueDemo] AS q
    ON q.[JobId] = CONVERT(decimal(18, 2), @key);
