SET NOCOUNT ON;
SET XACT_ABORT ON;
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
SET LOCK_TIMEOUT 3000;
IF @@TRANCOUNT <> 0 OR (@@OPTIONS & 2) = 2
    THROW 50000, 'leasetop changes rows only by autocommit: turn IMPLICIT_TRANSACTIONS off for this login', 1;

DECLARE @at datetime2(3) = SYSDATETIME();
DECLARE @added TABLE (
    [key] bigint NOT NULL
);

INSERT INTO [dbo].[QueueDemo] ([State], [Priority], [AvailableAt], [EnqueuedAt], [Attempts], [MaxAttempts], [TotalClaims], [OperationId], [Payload])
OUTPUT inserted.[JobId]
INTO @added ([key])
SELECT CASE WHEN j.[delay_ms] > 0 THEN @scheduled ELSE @ready END,
       COALESCE(j.[priority], 100),
       CASE WHEN j.[delay_ms] > 0 THEN DATEADD(millisecond, j.[delay_ms] % 1000, DATEADD(second, j.[delay_ms] / 1000, @at)) ELSE @at END,
       @at,
       0,
       COALESCE(j.[max_attempts], 5),
       0,
       COALESCE(CONVERT(uniqueidentifier, j.[operation]), NEWID()),
       j.[payload]
FROM OPENJSON(@jobs) AS a
CROSS APPLY OPENJSON(a.[value]) WITH (
    [payload] nvarchar(max) '$.payload',
    [priority] int '$.priority',
    [max_attempts] int '$.max_attempts',
    [delay_ms] bigint '$.delay_ms',
    [operation] nvarchar(max) '$.operation'
) AS j
ORDER BY CONVERT(int, a.[key]);

SELECT CONVERT(varchar(33), TODATETIMEOFFSET(n.[now], DATEPART(tzoffset, SYSDATETIMEOFFSET())), 126) AS [now],
       c.[key] AS [key]
FROM (SELECT SYSDATETIME() AS [now]) AS n
LEFT JOIN @added AS c
    ON 1 = 1
ORDER BY c.[key];
