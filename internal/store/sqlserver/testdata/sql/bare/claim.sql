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
    [payload] nvarchar(100) NULL
);

WITH candidate AS (
    SELECT TOP (@n)
           q.[JobId],
           q.[State],
           q.[ClaimToken],
           q.[LeaseUntil],
           q.[Payload]
    FROM [dbo].[QueueDemo] AS q WITH (FORCESEEK, UPDLOCK, READPAST, READCOMMITTEDLOCK, ROWLOCK)
    WHERE q.[State] = @ready
    ORDER BY q.[JobId]
)
UPDATE candidate
SET [State] = @working,
    [ClaimToken] = CONVERT(uniqueidentifier, @token),
    [LeaseUntil] = DATEADD(millisecond, @lease_ms % 1000, DATEADD(second, @lease_ms / 1000, @at))
OUTPUT inserted.[JobId],
       inserted.[ClaimToken],
       inserted.[LeaseUntil],
       inserted.[Payload]
INTO @claimed ([key], [token], [lease], [payload]);

SELECT CONVERT(varchar(33), n.[now], 126) AS [now],
       c.[key] AS [key],
       CONVERT(varchar(36), c.[token]) AS [token],
       CONVERT(varchar(33), c.[lease], 126) AS [lease],
       NULL AS [attempts],
       NULL AS [max_attempts],
       NULL AS [operation],
       c.[payload] AS [payload],
       NULL AS [braked],
       NULL AS [brake_at],
       NULL AS [brake_actor],
       NULL AS [brake_login],
       NULL AS [brake_reason]
FROM (SELECT SYSUTCDATETIME() AS [now]) AS n
LEFT JOIN @claimed AS c
    ON 1 = 1
ORDER BY c.[key];
