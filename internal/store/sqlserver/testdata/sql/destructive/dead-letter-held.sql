SET NOCOUNT ON;
SET XACT_ABORT ON;
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
SET LOCK_TIMEOUT 3000;

DECLARE @at datetime2(3) = SYSUTCDATETIME();

INSERT INTO [dbo].[QueueDemo_Dead] ([QDateTime], [CustomerID], [OrderID], [DeadAt], [Reason], [Actor], [Login], [ActionId])
VALUES (CAST(@key AS datetime),
       CONVERT(int, @key2),
       CONVERT(int, @key3),
       @at,
       CONVERT(nvarchar(2000), @reason),
       CONVERT(nvarchar(128), @actor),
       ORIGINAL_LOGIN(),
       CONVERT(uniqueidentifier, @action));

SELECT CONVERT(varchar(33), n.[now], 126) AS [now],
       NULL AS [clock],
       CASE WHEN d.[ActionId] IS NULL THEN 0 ELSE 1 END AS [present],
       CONVERT(varchar(33), d.[QDateTime], 126) AS [key],
       d.[CustomerID] AS [key2],
       d.[OrderID] AS [key3]
FROM (SELECT SYSUTCDATETIME() AS [now]) AS n
LEFT JOIN [dbo].[QueueDemo_Dead] AS d
    ON d.[ActionId] = CONVERT(uniqueidentifier, @action);
