SET NOCOUNT ON;
SET XACT_ABORT ON;
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
SET LOCK_TIMEOUT 3000;
IF @@TRANCOUNT <> 0 OR (@@OPTIONS & 2) = 2
    THROW 50000, 'leasetop changes rows only by autocommit: turn IMPLICIT_TRANSACTIONS off for this login', 1;

DECLARE @taken TABLE (
    [one] int NOT NULL,
    [key] datetime NULL,
    [key2] int NULL,
    [key3] int NULL
);

DELETE TOP (@n) FROM [dbo].[leasetop_scratch_flaw] WITH (UPDLOCK, READPAST, READCOMMITTEDLOCK, ROWLOCK)
OUTPUT 1,
       deleted.[QDateTime],
       deleted.[CustomerID],
       deleted.[OrderID]
INTO @taken ([one], [key], [key2], [key3]);

SELECT CONVERT(varchar(33), n.[now], 126) AS [now],
       NULL AS [clock],
       CASE WHEN c.[one] IS NULL THEN 0 ELSE 1 END AS [present],
       CONVERT(varchar(33), c.[key], 126) AS [key],
       c.[key2] AS [key2],
       c.[key3] AS [key3]
FROM (SELECT SYSUTCDATETIME() AS [now]) AS n
LEFT JOIN @taken AS c
    ON 1 = 1
ORDER BY c.[key];
