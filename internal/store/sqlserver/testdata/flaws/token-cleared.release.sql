SET NOCOUNT ON;
SET XACT_ABORT ON;
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
SET LOCK_TIMEOUT 3000;
IF @@TRANCOUNT <> 0 OR (@@OPTIONS & 2) = 2
    THROW 50000, 'leasetop changes rows only by autocommit: turn IMPLICIT_TRANSACTIONS off for this login', 1;

DECLARE @at datetime2(3) = SYSUTCDATETIME();

UPDATE [dbo].[leasetop_scratch_flaw] WITH (ROWLOCK)
SET [State] = @ready,
    [LeaseUntil] = NULL,
    [Attempts] = CASE WHEN [leasetop_scratch_flaw].[Attempts] > 0 THEN [leasetop_scratch_flaw].[Attempts] - 1 ELSE 0 END,
    [AvailableAt] = @at,
    [ClaimToken] = NULL
OUTPUT @at,
       'released',
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
       ORIGINAL_LOGIN()
INTO [dbo].[leasetop_scratch_flaw_History] ([At], [Kind], [JobId], [OldState], [NewState], [OldToken], [NewToken], [OldLease], [NewLease], [Attempt], [Worker], [ClaimedAt], [Login])
WHERE [leasetop_scratch_flaw].[JobId] = @key
   AND [leasetop_scratch_flaw].[State] = @working
   AND [leasetop_scratch_flaw].[ClaimToken] = CONVERT(uniqueidentifier, @token);

SELECT CONVERT(varchar(33), n.[now], 126) AS [now],
       h.[JobId] AS [key],
       h.[OldState] AS [old_state],
       h.[NewState] AS [new_state],
       CONVERT(varchar(36), h.[OldToken]) AS [old_token],
       CONVERT(varchar(36), h.[NewToken]) AS [new_token],
       CONVERT(varchar(33), h.[OldLease], 126) AS [old_lease],
       CONVERT(varchar(33), h.[NewLease], 126) AS [new_lease],
       CASE WHEN h.[Attempt] > 0 THEN h.[Attempt] - 1 ELSE 0 END AS [attempts],
       h.[Worker] AS [worker]
FROM (SELECT SYSUTCDATETIME() AS [now]) AS n
LEFT JOIN [dbo].[leasetop_scratch_flaw_History] AS h
    ON h.[At] = @at
   AND h.[NewToken] IS NULL
   AND h.[JobId] = @key;
