SET NOCOUNT ON;
SET XACT_ABORT ON;
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
SET LOCK_TIMEOUT 3000;
IF @@TRANCOUNT <> 0 OR (@@OPTIONS & 2) = 2
    THROW 50000, 'leasetop changes rows only by autocommit: turn IMPLICIT_TRANSACTIONS off for this login', 1;

DECLARE @added TABLE (
    [one] int NOT NULL,
    [key] datetime NULL,
    [key2] int NULL,
    [key3] int NULL
);

INSERT INTO [dbo].[QueueDemo] ([QDateTime], [CustomerID], [OrderID])
OUTPUT 1,
       inserted.[QDateTime],
       inserted.[CustomerID],
       inserted.[OrderID]
INTO @added ([one], [key], [key2], [key3])
SELECT COALESCE(CAST(j.[key] AS datetime), CAST(CONVERT(varchar(23), SYSUTCDATETIME(), 126) AS datetime)),
       CONVERT(int, j.[key2]),
       CONVERT(int, j.[key3])
FROM OPENJSON(@jobs) AS a
CROSS APPLY OPENJSON(a.[value]) WITH (
    [key] nvarchar(max) '$.key',
    [key2] nvarchar(max) '$.key2',
    [key3] nvarchar(max) '$.key3'
) AS j
ORDER BY CONVERT(int, a.[key]);

SELECT CONVERT(varchar(33), n.[now], 126) AS [now],
       NULL AS [clock],
       CASE WHEN c.[one] IS NULL THEN 0 ELSE 1 END AS [present],
       CONVERT(varchar(33), c.[key], 126) AS [key],
       c.[key2] AS [key2],
       c.[key3] AS [key3]
FROM (SELECT SYSUTCDATETIME() AS [now]) AS n
LEFT JOIN @added AS c
    ON 1 = 1;
