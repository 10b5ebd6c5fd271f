SET NOCOUNT ON;
SET XACT_ABORT ON;
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
SET LOCK_TIMEOUT 3000;
SET DEADLOCK_PRIORITY LOW;
IF @@TRANCOUNT <> 0 OR (@@OPTIONS & 2) = 2
    THROW 50000, 'leasetop changes rows only by autocommit: turn IMPLICIT_TRANSACTIONS off for this login', 1;

DECLARE @at datetime2(3) = SYSUTCDATETIME();

UPDATE [dbo].[QueueDemo_Control] WITH (ROWLOCK)
SET [Braked] = 1,
    [At] = @at,
    [Actor] = CONVERT(nvarchar(128), @actor),
    [Login] = ORIGINAL_LOGIN(),
    [Reason] = CONVERT(nvarchar(2000), @reason),
    [ActionId] = CONVERT(uniqueidentifier, @action)
OUTPUT inserted.[At],
       'braked',
       0,
       inserted.[ActionId],
       inserted.[Actor],
       inserted.[Login],
       inserted.[Reason]
INTO [dbo].[QueueDemo_History] ([At], [Kind], [JobId], [ActionId], [Actor], [Login], [Reason])
WHERE [QueueDemo_Control].[Id] = 1
  AND [QueueDemo_Control].[Braked] = 0;

SELECT CONVERT(varchar(33), n.[now], 126) AS [now],
       CONVERT(int, b.[Braked]) AS [braked],
       CONVERT(varchar(33), b.[At], 126) AS [brake_at],
       b.[Actor] AS [brake_actor],
       b.[Login] AS [brake_login],
       b.[Reason] AS [brake_reason],
       CASE WHEN h.[Seq] IS NULL THEN 0 ELSE 1 END AS [mine]
FROM (SELECT SYSUTCDATETIME() AS [now]) AS n
LEFT JOIN [dbo].[QueueDemo_Control] AS b
    ON b.[Id] = 1
LEFT JOIN [dbo].[QueueDemo_History] AS h
    ON h.[JobId] = 0
   AND h.[At] = @at
   AND h.[ActionId] = CONVERT(uniqueidentifier, @action);
