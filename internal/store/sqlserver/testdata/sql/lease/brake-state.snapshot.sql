SET NOCOUNT ON;
SET XACT_ABORT ON;
SET TRANSACTION ISOLATION LEVEL SNAPSHOT;
SET LOCK_TIMEOUT 100;
SET DEADLOCK_PRIORITY LOW;

SELECT CONVERT(varchar(33), n.[now], 126) AS [now],
       CONVERT(int, b.[Braked]) AS [braked],
       CONVERT(varchar(33), b.[At], 126) AS [brake_at],
       b.[Actor] AS [brake_actor],
       b.[Login] AS [brake_login],
       b.[Reason] AS [brake_reason]
FROM (SELECT SYSUTCDATETIME() AS [now]) AS n
LEFT JOIN [dbo].[QueueDemo_Control] AS b
    ON b.[Id] = 1
OPTION (MAXDOP 1);
