SET NOCOUNT ON;
SET XACT_ABORT ON;
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
SET LOCK_TIMEOUT 3000;
SET DEADLOCK_PRIORITY LOW;
IF @@TRANCOUNT <> 0 OR (@@OPTIONS & 2) = 2
    THROW 50000, 'leasetop changes rows only by autocommit: turn IMPLICIT_TRANSACTIONS off for this login', 1;

DECLARE @at datetime2(3) = SYSUTCDATETIME();

DELETE TOP (1) FROM [dbo].[QueueDemo] WITH (UPDLOCK, READPAST, READCOMMITTEDLOCK, ROWLOCK)
OUTPUT deleted.[QDateTime],
       deleted.[CustomerID],
       deleted.[OrderID],
       @at,
       CONVERT(nvarchar(2000), @reason),
       CONVERT(nvarchar(128), @actor),
       ORIGINAL_LOGIN(),
       CONVERT(uniqueidentifier, @action)
INTO [dbo].[QueueDemo_Dead] ([QDateTime], [CustomerID], [OrderID], [DeadAt], [Reason], [Actor], [Login], [ActionId])
WHERE [QueueDemo].[QDateTime] = CAST(@key AS datetime)
   AND [QueueDemo].[CustomerID] = CONVERT(int, @key2)
   AND [QueueDemo].[OrderID] = CONVERT(int, @key3);

SELECT CONVERT(varchar(33), n.[now], 126) AS [now],
       NULL AS [clock],
       CASE WHEN d.[ActionId] IS NULL THEN 0 ELSE 1 END AS [present],
       CONVERT(varchar(33), d.[QDateTime], 126) AS [key],
       d.[CustomerID] AS [key2],
       d.[OrderID] AS [key3],
       a.[rows] AS [alike]
FROM (SELECT SYSUTCDATETIME() AS [now]) AS n
CROSS APPLY (
    SELECT COUNT_BIG(*) AS [rows]
    FROM (
        SELECT TOP (10001) 1 AS [one]
        FROM [dbo].[QueueDemo] AS q WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK)
        WHERE q.[QDateTime] = CAST(@key AS datetime)
   AND q.[CustomerID] = CONVERT(int, @key2)
   AND q.[OrderID] = CONVERT(int, @key3)
    ) AS x
) AS a
LEFT JOIN [dbo].[QueueDemo_Dead] AS d
    ON d.[ActionId] = CONVERT(uniqueidentifier, @action);
