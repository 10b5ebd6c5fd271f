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
       NULL AS [locked]
FROM (SELECT SYSUTCDATETIME() AS [now]) AS n
OUTER APPLY (
    SELECT TOP (@limit)
           1 AS [present],
           q.[QDateTime],
           q.[CustomerID],
           q.[OrderID]
    FROM [dbo].[QueueDemo] AS q WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK)
    ORDER BY q.[QDateTime]
) AS j
ORDER BY j.[QDateTime]
OPTION (MAXDOP 1);
