SET NOCOUNT ON;
SET XACT_ABORT ON;
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
SET LOCK_TIMEOUT 3000;
SET DEADLOCK_PRIORITY LOW;
IF @@TRANCOUNT <> 0 OR (@@OPTIONS & 2) = 2
    THROW 50000, 'leasetop changes rows only by autocommit: turn IMPLICIT_TRANSACTIONS off for this login', 1;

DECLARE @gone TABLE (
    [key] bigint NULL
);

WITH doomed AS (
    SELECT TOP (@n)
           q.[JobId],
           q.[State],
           q.[AvailableAt],
           q.[CompletedAt]
    FROM [dbo].[QueueDemo] AS q WITH (FORCESEEK, UPDLOCK, READPAST, READCOMMITTEDLOCK, ROWLOCK)
    WHERE q.[State] = @done
      AND q.[AvailableAt] < DATEADD(minute, -210, CONVERT(datetime2(3), @until, 126))
      AND q.[CompletedAt] < DATEADD(minute, -210, CONVERT(datetime2(3), @until, 126))
    ORDER BY q.[AvailableAt], q.[JobId]
)
DELETE FROM doomed
OUTPUT deleted.[JobId]
INTO @gone ([key]);

SELECT CONVERT(varchar(33), TODATETIMEOFFSET(n.[now], -210), 126) AS [now],
       g.[rows] AS [deleted],
       NULL AS [last],
       CASE WHEN g.[rows] >= @n THEN 1 ELSE 0 END AS [more]
FROM (SELECT DATEADD(minute, -210, SYSUTCDATETIME()) AS [now]) AS n
CROSS APPLY (SELECT COUNT_BIG(*) AS [rows] FROM @gone AS x) AS g;
