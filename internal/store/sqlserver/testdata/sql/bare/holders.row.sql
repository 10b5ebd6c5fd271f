SET NOCOUNT ON;
SET XACT_ABORT ON;
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
SET LOCK_TIMEOUT 0;
SET DEADLOCK_PRIORITY LOW;

SELECT CONVERT(varchar(33), n.[now], 126) AS [now],
       r.[JobId] AS [key],
       CONVERT(int, DATABASEPROPERTYEX(DB_NAME(), 'IsOptimizedLockingOn')) AS [optimized],
       CONVERT(bigint, l.[session]) AS [session],
       l.[level] AS [level],
       l.[mode] AS [mode],
       l.[waiting] AS [waiting],
       CASE WHEN l.[session] = @@SPID THEN 1 ELSE 0 END AS [ours],
       s.[program_name] AS [program],
       s.[host_name] AS [host],
       s.[login_name] AS [login],
       s.[status] AS [status],
       DATEDIFF_BIG(millisecond, t.[begun], n.[local]) AS [held_ms],
       CONVERT(bigint, e.[blocking_session_id]) AS [blocker],
       LEFT(COALESCE(c.[text], b.[event_info]), 1000) AS [running],
       CASE WHEN c.[text] IS NULL THEN 0 ELSE 1 END AS [busy]
FROM (SELECT SYSUTCDATETIME() AS [now], SYSDATETIME() AS [local]) AS n
OUTER APPLY (
    SELECT q.[JobId],
           %%lockres%% AS [resource],
           sys.fn_PhysLocFormatter(%%physloc%%) AS [place]
    FROM [dbo].[QueueDemo] AS q WITH (NOLOCK, INDEX(1))
    WHERE q.[JobId] = @key
) AS r
OUTER APPLY (
    SELECT TOP (@limit)
           k.[request_session_id] AS [session],
           CASE k.[resource_type] WHEN 'KEY' THEN 'row' WHEN 'PAGE' THEN 'page' ELSE 'table' END AS [level],
           CASE k.[resource_type] WHEN 'KEY' THEN 0 WHEN 'PAGE' THEN 1 ELSE 2 END AS [rank],
           k.[request_mode] AS [mode],
           CASE k.[request_status] WHEN 'WAIT' THEN 1 ELSE 0 END AS [waiting]
    FROM sys.dm_tran_locks AS k
    WHERE k.[resource_database_id] = DB_ID()
      AND (k.[resource_type] = 'OBJECT'
       AND k.[resource_associated_entity_id] = OBJECT_ID(@table)
       AND k.[request_mode] NOT IN ('IS', 'Sch-S')
        OR k.[resource_type] = 'KEY'
       AND k.[resource_description] = r.[resource]
       AND EXISTS (SELECT 1 FROM sys.partitions AS p WHERE p.[hobt_id] = k.[resource_associated_entity_id]
                   AND p.[object_id] = OBJECT_ID(@table) AND p.[index_id] = 1)
        OR k.[resource_type] = 'PAGE'
       AND r.[place] LIKE CONCAT('(', RTRIM(k.[resource_description]), ':%')
       AND EXISTS (SELECT 1 FROM sys.partitions AS p WHERE p.[hobt_id] = k.[resource_associated_entity_id]
                   AND p.[object_id] = OBJECT_ID(@table) AND p.[index_id] = 1))
    ORDER BY [rank], [waiting], [session]
) AS l
LEFT JOIN sys.dm_exec_sessions AS s
    ON s.[session_id] = l.[session]
LEFT JOIN sys.dm_exec_requests AS e
    ON e.[session_id] = l.[session]
OUTER APPLY (
    SELECT MIN(a.[transaction_begin_time]) AS [begun]
    FROM sys.dm_tran_session_transactions AS x
    JOIN sys.dm_tran_active_transactions AS a
        ON a.[transaction_id] = x.[transaction_id]
    WHERE x.[session_id] = l.[session]
) AS t
OUTER APPLY sys.dm_exec_sql_text(e.[sql_handle]) AS c
OUTER APPLY sys.dm_exec_input_buffer(l.[session], NULL) AS b
ORDER BY l.[rank], l.[waiting], l.[session]
OPTION (MAXDOP 1);
