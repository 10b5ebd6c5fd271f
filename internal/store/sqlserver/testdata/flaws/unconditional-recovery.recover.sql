SET NOCOUNT ON;
SET XACT_ABORT ON;
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
SET LOCK_TIMEOUT 3000;
IF @@TRANCOUNT <> 0 OR (@@OPTIONS & 2) = 2
    THROW 50000, 'leasetop changes rows only by autocommit: turn IMPLICIT_TRANSACTIONS off for this login', 1;

DECLARE @at datetime2(3) = SYSUTCDATETIME();

WITH candidate AS (
    SELECT TOP (@limit)
           q.[JobId],
           q.[State],
           q.[ClaimToken],
           q.[LeaseUntil],
           q.[ClaimedBy],
           q.[ClaimedAt],
           q.[Attempts],
           q.[MaxAttempts],
           q.[AvailableAt],
           q.[CompletedAt],
           q.[LastError],
           CASE WHEN @base_ms * POWER(CONVERT(bigint, 2), CASE WHEN q.[Attempts] > 24 THEN 24 WHEN q.[Attempts] > 1 THEN q.[Attempts] - 1 ELSE 0 END) > @max_ms THEN @max_ms
                ELSE @base_ms * POWER(CONVERT(bigint, 2), CASE WHEN q.[Attempts] > 24 THEN 24 WHEN q.[Attempts] > 1 THEN q.[Attempts] - 1 ELSE 0 END) END * @jitter_pct / 100 AS [wait_ms]
    FROM [dbo].[leasetop_scratch_flaw] AS q WITH (FORCESEEK, UPDLOCK, READPAST, READCOMMITTEDLOCK, ROWLOCK)
    WHERE q.[State] = @working
    ORDER BY q.[Priority], q.[AvailableAt], q.[JobId]
)
UPDATE candidate
SET [State] = CASE WHEN [Attempts] >= [MaxAttempts] THEN @failed ELSE @scheduled END,
    [ClaimToken] = CONVERT(uniqueidentifier, @new_token),
    [LeaseUntil] = NULL,
    [AvailableAt] = CASE WHEN [Attempts] >= [MaxAttempts] THEN @at ELSE DATEADD(millisecond, [wait_ms] % 1000, DATEADD(second, [wait_ms] / 1000, @at)) END,
    [CompletedAt] = CASE WHEN [Attempts] >= [MaxAttempts] THEN @at ELSE NULL END,
    [LastError] = N'lease expired, no word from the worker'
OUTPUT @at,
       'expired',
       inserted.[JobId],
       deleted.[State],
       inserted.[State],
       deleted.[ClaimToken],
       inserted.[ClaimToken],
       deleted.[LeaseUntil],
       inserted.[LeaseUntil],
       deleted.[Attempts],
       deleted.[ClaimedBy],
       deleted.[ClaimedAt],
       ORIGINAL_LOGIN(),
       N'lease expired, no word from the worker'
INTO [dbo].[leasetop_scratch_flaw_History] ([At], [Kind], [JobId], [OldState], [NewState], [OldToken], [NewToken], [OldLease], [NewLease], [Attempt], [Worker], [ClaimedAt], [Login], [Reason]);

SELECT CONVERT(varchar(33), n.[now], 126) AS [now],
       h.[JobId] AS [key],
       h.[OldState] AS [old_state],
       h.[NewState] AS [new_state],
       CONVERT(varchar(36), h.[OldToken]) AS [old_token],
       CONVERT(varchar(36), h.[NewToken]) AS [new_token],
       CONVERT(varchar(33), h.[OldLease], 126) AS [old_lease],
       CONVERT(varchar(33), h.[NewLease], 126) AS [new_lease],
       h.[Attempt] AS [attempts],
       h.[Worker] AS [worker]
FROM (SELECT SYSUTCDATETIME() AS [now]) AS n
LEFT JOIN [dbo].[leasetop_scratch_flaw_History] AS h
    ON h.[At] = @at
   AND h.[NewToken] = CONVERT(uniqueidentifier, @new_token);
