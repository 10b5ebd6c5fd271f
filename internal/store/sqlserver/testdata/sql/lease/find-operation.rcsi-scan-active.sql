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
       CONVERT(varchar(33), j.[AvailableAt], 126) AS [available],
       CONVERT(varchar(33), j.[EnqueuedAt], 126) AS [enqueued],
       CONVERT(varchar(33), j.[ClaimedAt], 126) AS [claimed],
       CONVERT(varchar(33), j.[HeartbeatAt], 126) AS [heartbeat],
       CONVERT(varchar(33), j.[CompletedAt], 126) AS [ended],
       j.[ClaimedBy] AS [worker],
       j.[Attempts] AS [attempts],
       j.[MaxAttempts] AS [max_attempts],
       j.[TotalClaims] AS [total_claims],
       j.[Priority] AS [priority],
       j.[LastError] AS [error],
       CONVERT(varchar(36), j.[OperationId]) AS [operation],
       CASE WHEN [scheduled].[rows] > @window OR [ready].[rows] > @window OR [working].[rows] > @window OR [failed].[rows] > @window THEN 0 ELSE 0 END AS [whole]
FROM (SELECT SYSUTCDATETIME() AS [now]) AS n
CROSS APPLY (
    SELECT COUNT_BIG(*) AS [rows]
    FROM (SELECT TOP (@window + 1) 1 AS [one] FROM [dbo].[QueueDemo] AS q WHERE q.[State] = @scheduled) AS x
) AS [scheduled]
CROSS APPLY (
    SELECT COUNT_BIG(*) AS [rows]
    FROM (SELECT TOP (@window + 1) 1 AS [one] FROM [dbo].[QueueDemo] AS q WHERE q.[State] = @ready) AS x
) AS [ready]
CROSS APPLY (
    SELECT COUNT_BIG(*) AS [rows]
    FROM (SELECT TOP (@window + 1) 1 AS [one] FROM [dbo].[QueueDemo] AS q WHERE q.[State] = @working) AS x
) AS [working]
CROSS APPLY (
    SELECT COUNT_BIG(*) AS [rows]
    FROM (SELECT TOP (@window + 1) 1 AS [one] FROM [dbo].[QueueDemo] AS q WHERE q.[State] = @failed) AS x
) AS [failed]
OUTER APPLY (
    SELECT TOP (@limit)
           q.[JobId],
           q.[State],
           q.[ClaimToken],
           q.[LeaseUntil],
           q.[AvailableAt],
           q.[EnqueuedAt],
           q.[ClaimedAt],
           q.[HeartbeatAt],
           q.[CompletedAt],
           q.[ClaimedBy],
           q.[Attempts],
           q.[MaxAttempts],
           q.[TotalClaims],
           q.[Priority],
           q.[LastError],
           q.[OperationId]
    FROM (
        SELECT TOP (@window)
               w.[JobId],
               w.[State],
               w.[ClaimToken],
               w.[LeaseUntil],
               w.[AvailableAt],
               w.[EnqueuedAt],
               w.[ClaimedAt],
               w.[HeartbeatAt],
               w.[CompletedAt],
               w.[ClaimedBy],
               w.[Attempts],
               w.[MaxAttempts],
               w.[TotalClaims],
               w.[Priority],
               w.[LastError],
               w.[OperationId]
        FROM [dbo].[QueueDemo] AS w
        WHERE w.[State] = @scheduled
        UNION ALL
        SELECT TOP (@window)
               w.[JobId],
               w.[State],
               w.[ClaimToken],
               w.[LeaseUntil],
               w.[AvailableAt],
               w.[EnqueuedAt],
               w.[ClaimedAt],
               w.[HeartbeatAt],
               w.[CompletedAt],
               w.[ClaimedBy],
               w.[Attempts],
               w.[MaxAttempts],
               w.[TotalClaims],
               w.[Priority],
               w.[LastError],
               w.[OperationId]
        FROM [dbo].[QueueDemo] AS w
        WHERE w.[State] = @ready
        UNION ALL
        SELECT TOP (@window)
               w.[JobId],
               w.[State],
               w.[ClaimToken],
               w.[LeaseUntil],
               w.[AvailableAt],
               w.[EnqueuedAt],
               w.[ClaimedAt],
               w.[HeartbeatAt],
               w.[CompletedAt],
               w.[ClaimedBy],
               w.[Attempts],
               w.[MaxAttempts],
               w.[TotalClaims],
               w.[Priority],
               w.[LastError],
               w.[OperationId]
        FROM [dbo].[QueueDemo] AS w
        WHERE w.[State] = @working
        UNION ALL
        SELECT TOP (@window)
               w.[JobId],
               w.[State],
               w.[ClaimToken],
               w.[LeaseUntil],
               w.[AvailableAt],
               w.[EnqueuedAt],
               w.[ClaimedAt],
               w.[HeartbeatAt],
               w.[CompletedAt],
               w.[ClaimedBy],
               w.[Attempts],
               w.[MaxAttempts],
               w.[TotalClaims],
               w.[Priority],
               w.[LastError],
               w.[OperationId]
        FROM [dbo].[QueueDemo] AS w
        WHERE w.[State] = @failed
    ) AS q
    WHERE q.[OperationId] = CONVERT(uniqueidentifier, @operation)
    ORDER BY q.[JobId]
) AS j
ORDER BY j.[JobId]
OPTION (MAXDOP 1);
