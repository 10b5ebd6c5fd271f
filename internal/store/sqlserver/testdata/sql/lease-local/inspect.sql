SET NOCOUNT ON;
SET XACT_ABORT ON;
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
SET LOCK_TIMEOUT 100;
SET DEADLOCK_PRIORITY LOW;

SELECT CONVERT(varchar(33), TODATETIMEOFFSET(n.[now], DATEPART(tzoffset, SYSDATETIMEOFFSET())), 126) AS [now],
       q.[JobId] AS [key],
       q.[State] AS [state],
       CONVERT(varchar(36), q.[ClaimToken]) AS [token],
       CONVERT(varchar(33), q.[LeaseUntil], 126) AS [lease],
       CONVERT(varchar(33), q.[AvailableAt], 126) AS [available],
       CONVERT(varchar(33), q.[EnqueuedAt], 126) AS [enqueued],
       CONVERT(varchar(33), q.[ClaimedAt], 126) AS [claimed],
       CONVERT(varchar(33), q.[HeartbeatAt], 126) AS [heartbeat],
       CONVERT(varchar(33), q.[CompletedAt], 126) AS [ended],
       q.[ClaimedBy] AS [worker],
       q.[Attempts] AS [attempts],
       q.[MaxAttempts] AS [max_attempts],
       q.[TotalClaims] AS [total_claims],
       q.[Priority] AS [priority],
       q.[LastError] AS [error],
       CONVERT(varchar(36), q.[OperationId]) AS [operation]
FROM (SELECT SYSDATETIME() AS [now]) AS n
LEFT JOIN [dbo].[QueueDemo] AS q
    ON q.[JobId] = @key;
