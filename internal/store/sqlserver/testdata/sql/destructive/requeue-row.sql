SET NOCOUNT ON;
SET XACT_ABORT ON;
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
SET LOCK_TIMEOUT 3000;
SET DEADLOCK_PRIORITY LOW;
IF @@TRANCOUNT <> 0 OR (@@OPTIONS & 2) = 2
    THROW 50000, 'leasetop changes rows only by autocommit: turn IMPLICIT_TRANSACTIONS off for this login', 1;

DECLARE @moved int, @at datetime = CAST(CONVERT(varchar(23), SYSUTCDATETIME(), 126) AS datetime);

DELETE TOP (1) FROM [dbo].[QueueDemo_Dead] WITH (UPDLOCK, READPAST, READCOMMITTEDLOCK, ROWLOCK)
OUTPUT @at,
       deleted.[CustomerID],
       deleted.[OrderID]
INTO [dbo].[QueueDemo] ([QDateTime], [CustomerID], [OrderID])
WHERE [QueueDemo_Dead].[QDateTime] = CAST(@key AS datetime)
   AND [QueueDemo_Dead].[CustomerID] = CONVERT(int, @key2)
   AND [QueueDemo_Dead].[OrderID] = CONVERT(int, @key3)
   AND EXISTS (SELECT [QueueDemo_Dead].[ActionId] INTERSECT SELECT CONVERT(uniqueidentifier, @token));
SET @moved = @@ROWCOUNT;

SELECT CONVERT(varchar(33), n.[now], 126) AS [now],
       NULL AS [clock],
       CASE WHEN @moved > 0 THEN 1 ELSE 0 END AS [present],
       CONVERT(varchar(33), @at, 126) AS [key],
       CONVERT(int, @key2) AS [key2],
       CONVERT(int, @key3) AS [key3],
       a.[rows] AS [alike]
FROM (SELECT SYSUTCDATETIME() AS [now]) AS n
CROSS APPLY (
    SELECT COUNT_BIG(*) AS [rows]
    FROM (
        SELECT TOP (10001) 1 AS [one]
        FROM [dbo].[QueueDemo_Dead] AS q WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK)
        WHERE q.[QDateTime] = CAST(@key AS datetime)
   AND q.[CustomerID] = CONVERT(int, @key2)
   AND q.[OrderID] = CONVERT(int, @key3)
          AND EXISTS (SELECT [q].[ActionId] INTERSECT SELECT CONVERT(uniqueidentifier, @token))
    ) AS x
) AS a;
