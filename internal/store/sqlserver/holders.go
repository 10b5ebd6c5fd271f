package sqlserver

import (
	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqltext"
)

// The forms of the list of holders: whether a row can be told by its lock.
const (
	formByRow   = "row"   // the clustered index has the key: its lock resource is the row's
	formByTable = "table" // a heap, or a key beside the clustered index: only the table's locks are told
	formMemory  = "memory"
)

// holdersText lists sessions by their locks. %%lockres%% and %%physloc%% are known
// to nobody's documentation, so that no match proves nothing: under optimized
// locking a writer has a lock on its transaction alone. All times of these views
// are the server's local time and are subtracted from its local time; over a change
// to or from summer time they are an hour off.
const holdersText = `{head}SELECT CONVERT(varchar(33), n.[now], 126) AS [now],
       {key},
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
    SELECT {raw}{resource}
    FROM {table} AS q WITH ({hints})
    WHERE {where}
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
      AND ({which})
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
OPTION (MAXDOP 1);`

// onTable are the locks on the table but those of readers.
const onTable = `k.[resource_type] = 'OBJECT'
       AND k.[resource_associated_entity_id] = OBJECT_ID(@table)
       AND k.[request_mode] NOT IN ('IS', 'Sch-S')`

// onRow are also those on the row, told by the hash of its key in the clustered
// index, and those on the page that it lies on.
const onRow = onTable + `
        OR k.[resource_type] = 'KEY'
       AND k.[resource_description] = r.[resource]
       AND EXISTS (SELECT 1 FROM sys.partitions AS p WHERE p.[hobt_id] = k.[resource_associated_entity_id]
                   AND p.[object_id] = OBJECT_ID(@table) AND p.[index_id] = 1)
        OR k.[resource_type] = 'PAGE'
       AND r.[place] LIKE CONCAT('(', RTRIM(k.[resource_description]), ':%')
       AND EXISTS (SELECT 1 FROM sys.partitions AS p WHERE p.[hobt_id] = k.[resource_associated_entity_id]
                   AND p.[object_id] = OBJECT_ID(@table) AND p.[index_id] = 1)`

const resources = `,
           %%lockres%% AS [resource],
           sys.fn_PhysLocFormatter(%%physloc%%) AS [place]`

// holders lists the sessions that have locks on a row, its page and its table.
func holders(t table) (sqltext.Part, error) {
	if t.f.memory {
		return sqltext.Part{}, errNoLocks
	}
	h := sqltext.Holes{
		"head": sqltext.Raw(headInstant), "key": t.keyResult("r"), "table": t.name(),
		"raw": sqltext.List(",\n           ", t.raw("q")...), "where": sqltext.List("\n      AND ", t.thisKey("q")...),
		"resource": sqltext.If(t.f.byRow, sqltext.Raw(resources)),
		"hints":    sqltext.If(t.f.byRow, sqltext.Raw("NOLOCK, INDEX(1)")).Or(sqltext.Raw("NOLOCK")),
		"which":    sqltext.If(t.f.byRow, sqltext.Raw(onRow)).Or(sqltext.Raw(onTable)),
	}
	return sqltext.Fill(holdersText, h), nil
}

// asksLocks reports whether an operation looks for locks: no reader of others.
func asksLocks(op store.Op) bool { return op == store.OpLocked || op == store.OpHolders }

// holding chooses the forms of the statements that look for locks.
func (p *prober) holding() {
	form := formByTable
	if len(p.clustered) > 0 && leads([][]string{p.clustered}, names(p.m.Keys)...) {
		form = formByRow
	}
	if p.memory {
		form = formMemory
		p.caps.Form[string(store.OpLocked)] = form
	}
	p.caps.Form[string(store.OpHolders)] = form
}
