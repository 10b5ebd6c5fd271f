package sqlserver

import (
	"strconv"
	"unicode/utf16"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqltext"
	"github.com/leasetop/leasetop/model"
)

// What a probe asks. Each question stands alone, so that a server that cannot
// answer one of them costs its own panel only.
const (
	askServer = headCommitted + `SELECT CONVERT(varchar(33), SYSUTCDATETIME(), 126) AS [now],
       CONVERT(nvarchar(128), SERVERPROPERTY('ProductVersion')) AS [version],
       CONVERT(nvarchar(128), SERVERPROPERTY('Edition')) AS [edition],
       CONVERT(nvarchar(128), SERVERPROPERTY('BabelfishVersion')) AS [babelfish],
       DB_NAME() AS [database],
       ORIGINAL_LOGIN() AS [login];`

	askDatabase = headCommitted + `SELECT CONVERT(varchar(33), n.[now], 126) AS [now],
       CONVERT(int, d.[is_read_committed_snapshot_on]) AS [rcsi],
       CONVERT(int, d.[snapshot_isolation_state]) AS [snapshot],
       CONVERT(int, d.[compatibility_level]) AS [level],
       CONVERT(nvarchar(20), DATABASEPROPERTYEX(DB_NAME(), 'Updateability')) AS [updateability]
FROM (SELECT SYSUTCDATETIME() AS [now]) AS n
LEFT JOIN sys.databases AS d
    ON d.[database_id] = DB_ID();`

	askTable = headCommitted + `SELECT CONVERT(varchar(33), n.[now], 126) AS [now],
       CONVERT(bigint, OBJECT_ID(@table)) AS [object_id],
       CONVERT(varchar(2), o.[type]) AS [type],
       CONVERT(bigint, r.[rows]) AS [rows],
       CONVERT(int, HAS_PERMS_BY_NAME(@table, 'OBJECT', 'SELECT')) AS [select],
       CONVERT(int, HAS_PERMS_BY_NAME(@table, 'OBJECT', 'INSERT')) AS [insert]
FROM (SELECT SYSUTCDATETIME() AS [now]) AS n
LEFT JOIN sys.objects AS o
    ON o.[object_id] = OBJECT_ID(@table)
OUTER APPLY (
    SELECT SUM(p.[rows]) AS [rows]
    FROM sys.partitions AS p
    WHERE p.[object_id] = OBJECT_ID(@table) AND p.[index_id] IN (0, 1)
) AS r;`

	// The base type of an alias type is the one whose two ids are the same.
	askColumns = headCommitted + `SELECT CONVERT(varchar(33), n.[now], 126) AS [now],
       CONVERT(nvarchar(128), c.[name]) AS [name],
       CONVERT(nvarchar(128), CASE
           WHEN t.[name] IN (N'char', N'varchar', N'binary', N'varbinary')
               THEN t.[name] + N'(' + CASE WHEN c.[max_length] = -1 THEN N'max' ELSE CONVERT(nvarchar(10), c.[max_length]) END + N')'
           WHEN t.[name] IN (N'nchar', N'nvarchar')
               THEN t.[name] + N'(' + CASE WHEN c.[max_length] = -1 THEN N'max' ELSE CONVERT(nvarchar(10), c.[max_length] / 2) END + N')'
           WHEN t.[name] IN (N'datetime2', N'datetimeoffset', N'time')
               THEN t.[name] + N'(' + CONVERT(nvarchar(10), c.[scale]) + N')'
           WHEN t.[name] IN (N'decimal', N'numeric')
               THEN t.[name] + N'(' + CONVERT(nvarchar(10), c.[precision]) + N', ' + CONVERT(nvarchar(10), c.[scale]) + N')'
           ELSE t.[name]
       END) AS [declared],
       CONVERT(int, c.[is_identity]) AS [identity],
       CONVERT(int, HAS_PERMS_BY_NAME(@table, 'OBJECT', 'SELECT', c.[name], 'COLUMN')) AS [select],
       CONVERT(int, HAS_PERMS_BY_NAME(@table, 'OBJECT', 'UPDATE', c.[name], 'COLUMN')) AS [update]
FROM (SELECT SYSUTCDATETIME() AS [now]) AS n
LEFT JOIN sys.columns AS c
    ON c.[object_id] = OBJECT_ID(@table)
LEFT JOIN sys.types AS t
    ON t.[user_type_id] = c.[system_type_id];`

	// Filtered, disabled and columnstore indexes cannot serve a parameter's seek.
	askIndexes = headCommitted + `SELECT CONVERT(varchar(33), n.[now], 126) AS [now],
       CONVERT(int, i.[index_id]) AS [index],
       CONVERT(int, i.[type]) AS [type],
       CONVERT(nvarchar(128), c.[name]) AS [name]
FROM (SELECT SYSUTCDATETIME() AS [now]) AS n
LEFT JOIN (
    sys.indexes AS i
    JOIN sys.index_columns AS k
        ON k.[object_id] = i.[object_id] AND k.[index_id] = i.[index_id] AND k.[key_ordinal] > 0
    JOIN sys.columns AS c
        ON c.[object_id] = k.[object_id] AND c.[column_id] = k.[column_id]
) ON i.[object_id] = OBJECT_ID(@table) AND i.[type] IN (1, 2) AND i.[is_disabled] = 0 AND i.[has_filter] = 0
ORDER BY i.[index_id], k.[key_ordinal];`

	askTriggers = headCommitted + `SELECT CONVERT(varchar(33), n.[now], 126) AS [now],
       (SELECT COUNT(*) FROM sys.triggers AS g
        WHERE g.[parent_id] = OBJECT_ID(@table) AND g.[is_disabled] = 0 AND g.[is_instead_of_trigger] = 0) AS [after],
       (SELECT COUNT(*) FROM sys.triggers AS g
        WHERE g.[parent_id] = OBJECT_ID(@table) AND g.[is_disabled] = 0 AND g.[is_instead_of_trigger] = 1) AS [instead]
FROM (SELECT SYSUTCDATETIME() AS [now]) AS n;`

	askMemory = headCommitted + `SELECT CONVERT(varchar(33), n.[now], 126) AS [now],
       CONVERT(int, t.[is_memory_optimized]) AS [memory]
FROM (SELECT SYSUTCDATETIME() AS [now]) AS n
LEFT JOIN sys.tables AS t
    ON t.[object_id] = OBJECT_ID(@table);`

	// What OUTPUT INTO refuses in its target.
	askObstacles = headCommitted + `SELECT CONVERT(varchar(33), n.[now], 126) AS [now],
       (SELECT COUNT(*) FROM sys.triggers AS g WHERE g.[parent_id] = OBJECT_ID(@table) AND g.[is_disabled] = 0) AS [triggers],
       (SELECT COUNT(*) FROM sys.foreign_keys AS f
        WHERE f.[parent_object_id] = OBJECT_ID(@table) OR f.[referenced_object_id] = OBJECT_ID(@table)) AS [keys],
       (SELECT COUNT(*) FROM sys.check_constraints AS k WHERE k.[parent_object_id] = OBJECT_ID(@table)) AS [checks]
FROM (SELECT SYSUTCDATETIME() AS [now]) AS n;`
)

// questions are all statements of a probe, for eyes and tests.
func questions() map[string]sqltext.Part {
	return map[string]sqltext.Part{
		"server": sqltext.Raw(askServer), "database": sqltext.Raw(askDatabase), "table": sqltext.Raw(askTable),
		"columns": sqltext.Raw(askColumns), "indexes": sqltext.Raw(askIndexes), "triggers": sqltext.Raw(askTriggers),
		"memory": sqltext.Raw(askMemory), "obstacles": sqltext.Raw(askObstacles),
	}
}

// question is one statement of a probe about a table.
func question(name string, about model.Table) (store.Stmt, error) {
	text, err := questions()[name].Text()
	if err != nil {
		return store.Stmt{}, err
	}
	s := store.Stmt{Op: store.Op("probe: " + name), Texts: []string{text}, Kind: store.Watch}
	if uses(text, "table") {
		s.Params = []store.Param{nameParam(about)}
	}
	return s, nil
}

// nameParam gives a table's quoted name to the functions that look it up.
func nameParam(n model.Table) store.Param {
	v := quoted(n)
	size := len(utf16.Encode([]rune(v)))
	return store.Param{Name: "table", Declared: "nvarchar(" + strconv.Itoa(size) + ")", Value: model.TextValue(v)}
}
