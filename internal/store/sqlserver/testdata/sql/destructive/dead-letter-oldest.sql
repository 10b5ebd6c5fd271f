SET NOCOUNT ON;
SET XACT_ABORT ON;
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
SET LOCK_TIMEOUT 3000;
SET DEADLOCK_PRIORITY LOW;
IF @@TRANCOUNT <> 0 OR (@@OPTIONS & 2) = 2
    THROW 50000, 'leasetop changes rows only by autocommit: turn IMPLICIT_TRANSACTIONS off for this login', 1;

DECLARE @at datetime2(3) = SYSUTCDATETIME();

WITH candidate AS (
    SELECT TOP (@n)
           q.[QDateTime],
           q.[CustomerID],
           q.[OrderID]
    FROM [dbo].[QueueDemo] AS q WITH (UPDLOCK, READPAST, READCOMMITTEDLOCK, ROWLOCK)
    ORDER BY q.[QDateTime]
)
DELETE FROM candidate
OUTPUT deleted.[QDateTime],
       deleted.[CustomerID],
       deleted.[OrderID],
       @at,
       CONVERT(nvarchar(2000), @reason),
       CONVERT(nvarchar(128), @actor),
       ORIGINAL_LOGIN(),
       CONVERT(uniqueidentifier, @action)
INTO [dbo].[QueueDemo_Dead] ([QDateTime], [CustomerID], [OrderID], [DeadAt], [Reason], [Actor], [Login], [ActionId]);

SELECT CONVERT(varchar(33), n.[now], 126) AS [now],
       NULL AS [clock],
       CASE WHEN d.[ActionId] IS NULL THEN 0 ELSE 1 END AS [present],
       CONVERT(varchar(33), d.[QDateTime], 126) AS [key],
       d.[CustomerID] AS [key2],
       d.[OrderID] AS [key3]
FROM (SELECT SYSUTCDATETIME() AS [now]) AS n
LEFT JOIN [dbo].[QueueDemo_Dead] AS d
    ON d.[ActionId] = CONVERT(uniqueidentifier, @action);
