SET NOCOUNT ON;
SET XACT_ABORT ON;
SET TRANSACTION ISOLATION LEVEL SNAPSHOT;
SET LOCK_TIMEOUT 100;
SET DEADLOCK_PRIORITY LOW;

SELECT CONVERT(varchar(33), n.[now], 126) AS [now],
       e.[JobId] AS [key],
       CONVERT(varchar(33), e.[At], 126) AS [at],
       e.[Kind] AS [kind],
       CONVERT(varchar(36), e.[ActionId]) AS [action],
       e.[Actor] AS [actor],
       e.[Login] AS [login],
       e.[Reason] AS [reason],
       e.[OldState] AS [old_state],
       e.[NewState] AS [new_state],
       CONVERT(varchar(36), e.[OldToken]) AS [old_token],
       CONVERT(varchar(36), e.[NewToken]) AS [new_token],
       CONVERT(varchar(33), e.[OldLease], 126) AS [old_lease],
       CONVERT(varchar(33), e.[NewLease], 126) AS [new_lease],
       e.[Attempt] AS [attempts],
       e.[Worker] AS [worker],
       e.[Seq] AS [seq]
FROM (SELECT SYSUTCDATETIME() AS [now]) AS n
OUTER APPLY (
    SELECT TOP (@limit)
           h.[Seq],
           h.[JobId],
           h.[At],
           h.[Kind],
           h.[ActionId],
           h.[Actor],
           h.[Login],
           h.[Reason],
           h.[OldState],
           h.[NewState],
           h.[OldToken],
           h.[NewToken],
           h.[OldLease],
           h.[NewLease],
           h.[Attempt],
           h.[Worker]
    FROM [dbo].[QueueDemo_History] AS h WITH (FORCESEEK)
    WHERE h.[Seq] < COALESCE(@before, CONVERT(bigint, 9223372036854775807))
    ORDER BY h.[Seq] DESC
) AS e
ORDER BY e.[Seq] DESC
OPTION (MAXDOP 1);
