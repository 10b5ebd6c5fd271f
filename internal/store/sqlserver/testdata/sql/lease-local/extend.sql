SET NOCOUNT ON;
SET XACT_ABORT ON;
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
SET LOCK_TIMEOUT 3000;
SET DEADLOCK_PRIORITY LOW;
IF @@TRANCOUNT <> 0 OR (@@OPTIONS & 2) = 2
    THROW 50000, 'leasetop changes rows only by autocommit: turn IMPLICIT_TRANSACTIONS off for this login', 1;

DECLARE @at datetime2(3) = SYSDATETIME();

UPDATE [dbo].[QueueDemo] WITH (ROWLOCK)
SET [LeaseUntil] = DATEADD(millisecond, @mark_ms - DATEPART(millisecond, @at), DATEADD(second, @by_s, @at))
OUTPUT @at,
       'extended',
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
       CONVERT(uniqueidentifier, @action),
       CONVERT(nvarchar(128), @actor),
       ORIGINAL_LOGIN(),
       CONVERT(nvarchar(2000), @reason)
INTO [dbo].[QueueDemo_History] ([At], [Kind], [JobId], [OldState], [NewState], [OldToken], [NewToken], [OldLease], [NewLease], [Attempt], [Worker], [ClaimedAt], [ActionId], [Actor], [Login], [Reason])
WHERE [QueueDemo].[JobId] = @key
   AND [QueueDemo].[State] = @working
   AND [QueueDemo].[ClaimToken] = CONVERT(uniqueidentifier, @token)
   AND [QueueDemo].[LeaseUntil] < DATEADD(millisecond, @mark_ms - DATEPART(millisecond, @at), DATEADD(second, @by_s, @at));

SELECT CONVERT(varchar(33), TODATETIMEOFFSET(n.[now], DATEPART(tzoffset, SYSDATETIMEOFFSET())), 126) AS [now],
       h.[JobId] AS [key],
       h.[OldState] AS [old_state],
       h.[NewState] AS [new_state],
       CONVERT(varchar(36), h.[OldToken]) AS [old_token],
       CONVERT(varchar(36), h.[NewToken]) AS [new_token],
       CONVERT(varchar(33), h.[OldLease], 126) AS [old_lease],
       CONVERT(varchar(33), h.[NewLease], 126) AS [new_lease],
       h.[Attempt] AS [attempts],
       h.[Worker] AS [worker]
FROM (SELECT SYSDATETIME() AS [now]) AS n
LEFT JOIN [dbo].[QueueDemo_History] AS h
    ON h.[JobId] = @key
   AND h.[ActionId] = CONVERT(uniqueidentifier, @action);
