SET NOCOUNT ON;
SET XACT_ABORT ON;
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
SET LOCK_TIMEOUT 3000;
IF @@TRANCOUNT <> 0 OR (@@OPTIONS & 2) = 2
    THROW 50000, 'leasetop changes rows only by autocommit: turn IMPLICIT_TRANSACTIONS off for this login', 1;

DECLARE @at datetime2(3) = SYSUTCDATETIME();
DECLARE @claimed TABLE (
    [key] bigint NULL,
    [token] uniqueidentifier NULL,
    [lease] datetime2(3) NULL,
    [attempts] int NULL,
    [max_attempts] int NULL,
    [operation] uniqueidentifier NULL,
    [payload] nvarchar(max) NULL,
    [priority] smallint NULL,
    [available] datetime2(3) NULL
);

WITH candidate AS (
    SELECT TOP (@n)
           q.[JobId],
           q.[State],
           q.[ClaimToken],
           q.[LeaseUntil],
           q.[ClaimedAt],
           q.[HeartbeatAt],
           q.[CompletedAt],
           q.[ClaimedBy],
           q.[Attempts],
           q.[MaxAttempts],
           q.[TotalClaims],
           q.[Priority],
           q.[AvailableAt],
           q.[OperationId],
           q.[Payload]
    FROM [dbo].[QueueDemo] AS q WITH (FORCESEEK, UPDLOCK, READPAST, READCOMMITTEDLOCK, ROWLOCK)
    WHERE q.[State] = @ready
      AND q.[Attempts] < q.[MaxAttempts]
      AND ISNULL((SELECT b.[Braked] FROM [dbo].[QueueDemo_Control] AS b WITH (REPEATABLEREAD, ROWLOCK) WHERE b.[Id] = 1), 0) = 0
    ORDER BY q.[Priority], q.[AvailableAt], q.[JobId]
)
UPDATE candidate
SET [State] = @working,
    [ClaimToken] = CONVERT(uniqueidentifier, @token),
    [LeaseUntil] = DATEADD(millisecond, @lease_ms % 1000, DATEADD(second, @lease_ms / 1000, @at)),
    [ClaimedAt] = @at,
    [HeartbeatAt] = NULL,
    [CompletedAt] = NULL,
    [ClaimedBy] = CONVERT(nvarchar(128), @worker),
    [Attempts] = [Attempts] + 1,
    [TotalClaims] = [TotalClaims] + 1
OUTPUT inserted.[JobId],
       inserted.[ClaimToken],
       inserted.[LeaseUntil],
       inserted.[Attempts],
       inserted.[MaxAttempts],
       inserted.[OperationId],
       inserted.[Payload],
       inserted.[Priority],
       inserted.[AvailableAt]
INTO @claimed ([key], [token], [lease], [attempts], [max_attempts], [operation], [payload], [priority], [available]);

SELECT CONVERT(varchar(33), n.[now], 126) AS [now],
       c.[key] AS [key],
       CONVERT(varchar(36), c.[token]) AS [token],
       CONVERT(varchar(33), c.[lease], 126) AS [lease],
       c.[attempts] AS [attempts],
       c.[max_attempts] AS [max_attempts],
       CONVERT(varchar(36), c.[operation]) AS [operation],
       c.[payload] AS [payload],
       CONVERT(int, b.[Braked]) AS [braked],
       CONVERT(varchar(33), b.[At], 126) AS [brake_at],
       b.[Actor] AS [brake_actor],
       b.[Login] AS [brake_login],
       b.[Reason] AS [brake_reason]
FROM (SELECT SYSUTCDATETIME() AS [now]) AS n
LEFT JOIN @claimed AS c
    ON 1 = 1
LEFT JOIN [dbo].[QueueDemo_Control] AS b
    ON b.[Id] = 1
ORDER BY c.[priority], c.[available], c.[key];
