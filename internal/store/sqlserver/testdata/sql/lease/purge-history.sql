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
           q.[Seq]
    FROM [dbo].[QueueDemo_History] AS q WITH (FORCESEEK, UPDLOCK, READPAST, READCOMMITTEDLOCK, ROWLOCK)
    WHERE q.[At] < CONVERT(datetime2(3), @until, 126)
    ORDER BY q.[At], q.[Seq]
)
DELETE FROM doomed
OUTPUT deleted.[Seq]
INTO @gone ([key]);

SELECT CONVERT(varchar(33), n.[now], 126) AS [now],
       g.[rows] AS [deleted],
       NULL AS [last],
       CASE WHEN g.[rows] >= @n THEN 1 ELSE 0 END AS [more]
FROM (SELECT SYSUTCDATETIME() AS [now]) AS n
CROSS APPLY (SELECT COUNT_BIG(*) AS [rows] FROM @gone AS x) AS g;
