SET NOCOUNT ON;
SET XACT_ABORT ON;
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
SET LOCK_TIMEOUT 100;
SET DEADLOCK_PRIORITY LOW;

SELECT CONVERT(varchar(33), TODATETIMEOFFSET(n.[now], DATEPART(tzoffset, SYSDATETIMEOFFSET())), 126) AS [now],
       l.[n] AS [n],
       l.[p50] AS [p50_ms],
       l.[p95] AS [p95_ms],
       l.[p99] AS [p99_ms],
       CONVERT(varchar(33), s.[since], 126) AS [since]
FROM (SELECT SYSDATETIME() AS [now]) AS n
CROSS APPLY (
    SELECT DATEADD(millisecond, -@over_ms, n.[now]) AS [at]
) AS f
CROSS APPLY (
    SELECT MIN(t.[At]) AS [oldest]
    FROM (
        SELECT TOP (@window)
               h.[At]
        FROM [dbo].[QueueDemo_History] AS h WITH (FORCESEEK)
        WHERE h.[Seq] < CONVERT(bigint, 9223372036854775807)
        ORDER BY h.[Seq] DESC
    ) AS t
) AS k
CROSS APPLY (
    SELECT CASE WHEN k.[oldest] > f.[at] THEN k.[oldest] ELSE f.[at] END AS [since]
) AS s
OUTER APPLY (
    SELECT COUNT_BIG(*) AS [n],
           MIN(CASE WHEN x.[place] * 100 >= x.[of] * 50 THEN x.[took] END) AS [p50],
           MIN(CASE WHEN x.[place] * 100 >= x.[of] * 95 THEN x.[took] END) AS [p95],
           MIN(CASE WHEN x.[place] * 100 >= x.[of] * 99 THEN x.[took] END) AS [p99]
    FROM (
        SELECT DATEDIFF_BIG(millisecond, e.[ClaimedAt], e.[At]) AS [took],
               ROW_NUMBER() OVER (ORDER BY DATEDIFF_BIG(millisecond, e.[ClaimedAt], e.[At])) AS [place],
               COUNT_BIG(*) OVER () AS [of]
        FROM (
        SELECT TOP (@window)
               h.[At],
               h.[Kind],
               h.[ClaimedAt]
        FROM [dbo].[QueueDemo_History] AS h WITH (FORCESEEK)
        WHERE h.[Seq] < CONVERT(bigint, 9223372036854775807)
        ORDER BY h.[Seq] DESC
        ) AS e
        WHERE e.[At] > f.[at] AND e.[Kind] = 'completed' AND e.[ClaimedAt] IS NOT NULL
    ) AS x
) AS l
OPTION (MAXDOP 1);
