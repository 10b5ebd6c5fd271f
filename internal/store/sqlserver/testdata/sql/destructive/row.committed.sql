SET NOCOUNT ON;
SET XACT_ABORT ON;
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
SET LOCK_TIMEOUT 100;
SET DEADLOCK_PRIORITY LOW;

SELECT CONVERT(varchar(33), n.[now], 126) AS [now],
       NULL AS [clock],
       COALESCE(j.[present], 0) AS [present],
       CONVERT(varchar(33), j.[QDateTime], 126) AS [key],
       j.[CustomerID] AS [key2],
       j.[OrderID] AS [key3],
       c.[rows] AS [copies],
       NULL AS [locked]
FROM (SELECT SYSUTCDATETIME() AS [now]) AS n
CROSS APPLY (
    SELECT COUNT_BIG(*) AS [rows]
    FROM (SELECT TOP (10001) 1 AS [one] FROM [dbo].[QueueDemo] AS q WHERE q.[QDateTime] = CAST(@key AS datetime)
   AND q.[CustomerID] = CONVERT(int, @key2)
   AND q.[OrderID] = CONVERT(int, @key3)) AS x
) AS c
OUTER APPLY (
    SELECT TOP (1)
           1 AS [present],
           q.[QDateTime],
           q.[CustomerID],
           q.[OrderID]
    FROM [dbo].[QueueDemo] AS q
    WHERE q.[QDateTime] = CAST(@key AS datetime)
   AND q.[CustomerID] = CONVERT(int, @key2)
   AND q.[OrderID] = CONVERT(int, @key3)
) AS j
OPTION (MAXDOP 1);
