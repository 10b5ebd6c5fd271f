SET NOCOUNT ON;
SET XACT_ABORT ON;
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
SET LOCK_TIMEOUT 3000;
IF @@TRANCOUNT <> 0 OR (@@OPTIONS & 2) = 2
    THROW 50000, 'leasetop changes rows only by autocommit: turn IMPLICIT_TRANSACTIONS off for this login', 1;

DECLARE @at datetime2(3) = SYSUTCDATETIME();
DECLARE @changed TABLE (
    [key] bigint NULL,
    [old_state] char(1) NULL,
    [new_state] char(1) NULL,
    [old_token] uniqueidentifier NULL,
    [new_token] uniqueidentifier NULL,
    [old_lease] datetime2(3) NULL,
    [new_lease] datetime2(3) NULL,
    [attempts] int NULL,
    [worker] nvarchar(128) NULL
);

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
           q.[AvailableAt]
    FROM [dbo].[leasetop_scratch_flaw] AS q WITH (FORCESEEK, UPDLOCK, READPAST, READCOMMITTEDLOCK, ROWLOCK)
    WHERE q.[State] = @scheduled
    ORDER BY q.[AvailableAt], q.[JobId]
)
UPDATE candidate
SET [State] = @ready
OUTPUT inserted.[JobId],
       deleted.[State],
       inserted.[State],
       deleted.[ClaimToken],
       inserted.[ClaimToken],
       deleted.[LeaseUntil],
       inserted.[LeaseUntil],
       inserted.[Attempts],
       deleted.[ClaimedBy]
INTO @changed ([key], [old_state], [new_state], [old_token], [new_token], [old_lease], [new_lease], [attempts], [worker]);

SELECT CONVERT(varchar(33), n.[now], 126) AS [now],
       c.[key] AS [key],
       c.[old_state] AS [old_state],
       c.[new_state] AS [new_state],
       CONVERT(varchar(36), c.[old_token]) AS [old_token],
       CONVERT(varchar(36), c.[new_token]) AS [new_token],
       CONVERT(varchar(33), c.[old_lease], 126) AS [old_lease],
       CONVERT(varchar(33), c.[new_lease], 126) AS [new_lease],
       c.[attempts] AS [attempts],
       c.[worker] AS [worker]
FROM (SELECT SYSUTCDATETIME() AS [now]) AS n
LEFT JOIN @changed AS c
    ON 1 = 1;
