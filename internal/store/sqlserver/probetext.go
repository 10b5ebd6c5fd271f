package sqlserver

import (
	"maps"
	"slices"
	"strconv"
	"time"
	"unicode/utf16"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqltext"
	"github.com/leasetop/leasetop/model"
)

// What a probe asks, in four round trips. A question that a server cannot answer
// costs what it is about; the first two have a shorter form for that.
const (
	askServer = headCommitted + `SELECT CONVERT(varchar(33), n.[now], 126) AS [now],
       CONVERT(nvarchar(128), SERVERPROPERTY('ProductVersion')) AS [version],
       CONVERT(nvarchar(128), SERVERPROPERTY('BabelfishVersion')) AS [babelfish],
       DB_NAME() AS [database],
       ORIGINAL_LOGIN() AS [login],
       CONVERT(int, d.[is_read_committed_snapshot_on]) AS [rcsi],
       CONVERT(int, d.[snapshot_isolation_state]) AS [snapshot],
       CONVERT(int, d.[compatibility_level]) AS [level],
       CONVERT(nvarchar(20), DATABASEPROPERTYEX(DB_NAME(), 'Updateability')) AS [updateability]
FROM (SELECT SYSUTCDATETIME() AS [now]) AS n
LEFT JOIN sys.databases AS d
    ON d.[database_id] = DB_ID();`

	askWho = headCommitted + `SELECT CONVERT(varchar(33), SYSUTCDATETIME(), 126) AS [now],
       CONVERT(nvarchar(128), SERVERPROPERTY('ProductVersion')) AS [version],
       DB_NAME() AS [database],
       ORIGINAL_LOGIN() AS [login];`

	// OUTPUT INTO refuses a target with a trigger, a foreign key or a check.
	askTables = headCommitted + `SELECT CONVERT(varchar(33), n.[now], 126) AS [now],
       CONVERT(bigint, OBJECT_ID(@table)) AS [object_id],
       CONVERT(varchar(2), o.[type]) AS [type],
       CONVERT(int, t.[is_memory_optimized]) AS [memory],
       CONVERT(bigint, r.[rows]) AS [rows],
       CONVERT(int, HAS_PERMS_BY_NAME(@table, 'OBJECT', 'INSERT')) AS [insert],
       CONVERT(int, HAS_PERMS_BY_NAME(@table, 'OBJECT', 'DELETE')) AS [delete],
       (SELECT COUNT(*) FROM sys.triggers AS g
        WHERE g.[parent_id] = OBJECT_ID(@table) AND g.[is_disabled] = 0 AND g.[is_instead_of_trigger] = 0) AS [after],
       (SELECT COUNT(*) FROM sys.triggers AS g
        WHERE g.[parent_id] = OBJECT_ID(@table) AND g.[is_disabled] = 0 AND g.[is_instead_of_trigger] = 1) AS [instead],
       CONVERT(bigint, OBJECT_ID(@history)) AS [history_id],
       CONVERT(int, HAS_PERMS_BY_NAME(@history, 'OBJECT', 'SELECT')) AS [history_select],
       CONVERT(int, HAS_PERMS_BY_NAME(@history, 'OBJECT', 'INSERT')) AS [history_insert],
       CONVERT(int, HAS_PERMS_BY_NAME(@history, 'OBJECT', 'DELETE')) AS [history_delete],
       (SELECT COUNT(*) FROM sys.triggers AS g WHERE g.[parent_id] = OBJECT_ID(@history) AND g.[is_disabled] = 0)
       + (SELECT COUNT(*) FROM sys.foreign_keys AS f
          WHERE OBJECT_ID(@history) IN (f.[parent_object_id], f.[referenced_object_id]))
       + (SELECT COUNT(*) FROM sys.check_constraints AS k WHERE k.[parent_object_id] = OBJECT_ID(@history)) AS [history_obstacles],
       (SELECT CONVERT(nvarchar(128), TYPE_NAME(k.[system_type_id])) FROM sys.columns AS k
        WHERE k.[object_id] = OBJECT_ID(@history) AND k.[name] = N'NewToken') AS [history_token]
FROM (SELECT SYSUTCDATETIME() AS [now]) AS n
LEFT JOIN sys.objects AS o
    ON o.[object_id] = OBJECT_ID(@table)
LEFT JOIN sys.tables AS t
    ON t.[object_id] = OBJECT_ID(@table)
OUTER APPLY (
    SELECT SUM(p.[rows]) AS [rows]
    FROM sys.partitions AS p
    WHERE p.[object_id] = OBJECT_ID(@table) AND p.[index_id] IN (0, 1)
) AS r;`

	askThere = headCommitted + `SELECT CONVERT(varchar(33), SYSUTCDATETIME(), 126) AS [now],
       CONVERT(bigint, OBJECT_ID(@table)) AS [object_id],
       CONVERT(bigint, OBJECT_ID(@history)) AS [history_id];`

	// The base type of an alias type is the one whose two ids are the same; geography and
	// its like have one id of the system's together.
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
           ELSE COALESCE(t.[name], TYPE_NAME(c.[user_type_id]))
       END) AS [declared],
       CONVERT(nvarchar(128), c.[collation_name]) AS [collation],
       CONVERT(int, c.[is_identity]) AS [identity],
       CONVERT(int, c.[is_nullable]) AS [nullable],
       CONVERT(int, HAS_PERMS_BY_NAME(@table, 'OBJECT', 'SELECT', c.[name], 'COLUMN')) AS [select],
       CONVERT(int, HAS_PERMS_BY_NAME(@table, 'OBJECT', 'UPDATE', c.[name], 'COLUMN')) AS [update]
FROM (SELECT SYSUTCDATETIME() AS [now]) AS n
LEFT JOIN sys.columns AS c
    ON c.[object_id] = OBJECT_ID(@table)
LEFT JOIN sys.types AS t
    ON t.[user_type_id] = c.[system_type_id];`

	// Filtered, disabled and columnstore indexes cannot serve a parameter's seek.
	askIndexes = headCommitted + `SELECT CONVERT(varchar(33), n.[now], 126) AS [now],
       CASE WHEN i.[object_id] = OBJECT_ID(@history) THEN 1 ELSE 0 END AS [history],
       CONVERT(int, i.[index_id]) AS [index],
       CONVERT(int, i.[type]) AS [type],
       CONVERT(nvarchar(128), c.[name]) AS [name],
       CONVERT(int, k.[is_descending_key]) AS [descending]
FROM (SELECT SYSUTCDATETIME() AS [now]) AS n
LEFT JOIN (
    sys.indexes AS i
    JOIN sys.index_columns AS k
        ON k.[object_id] = i.[object_id] AND k.[index_id] = i.[index_id] AND k.[key_ordinal] > 0
    JOIN sys.columns AS c
        ON c.[object_id] = k.[object_id] AND c.[column_id] = k.[column_id]
) ON i.[object_id] IN (OBJECT_ID(@table), OBJECT_ID(@history)) AND i.[type] IN (1, 2) AND i.[is_disabled] = 0 AND i.[has_filter] = 0
ORDER BY i.[object_id], i.[index_id], k.[key_ordinal];`
)

// questions are all statements of a probe, for eyes and tests.
func questions() map[string]sqltext.Part {
	return map[string]sqltext.Part{
		"server": sqltext.Raw(askServer), "who": sqltext.Raw(askWho), "tables": sqltext.Raw(askTables),
		"there": sqltext.Raw(askThere), "columns": sqltext.Raw(askColumns), "indexes": sqltext.Raw(askIndexes), "procedures": sqltext.Raw(askProcedures),
		"rows": sqltext.Raw(askRows), "row-columns": sqltext.Raw(askRowColumns),
		"facts": sqltext.Raw(askFacts), "edition": sqltext.Raw(askEdition),
	}
}

// shorter are the questions that ask for less, by the fuller one that was refused.
func shorter() map[string]string {
	return map[string]string{"server": "who", "tables": "there", "facts": "edition"}
}

// sentWhen is what must have happened before a question is asked, empty where it is
// asked at every probe.
func sentWhen(name string, m *model.Mapping, c *model.Caps) string {
	if name == "procedures" {
		return "only where the login lacks a right to write that a procedure may have for it"
	}
	for full, short := range shorter() {
		if short == name && asked(full, m, c) {
			return "only where the server has refused the probe's " + full + ", which asks for more"
		}
	}
	return ""
}

// Questions are the statements of a probe of the wanted table, on the server that a
// probe found.
func (Dialect) Questions(m *model.Mapping, c *model.Caps) []store.Stmt {
	var out []store.Stmt
	if s, err := askBrake(m); err == nil && !m.Brake.IsZero() && asked("brake", m, c) {
		out = append(out, s)
	}
	for _, name := range slices.Sorted(maps.Keys(questions())) {
		if !asked(name, m, c) {
			continue
		}
		if s, err := question(name, m); err == nil {
			s.When = sentWhen(name, m, c)
			out = append(out, s)
		}
	}
	return out
}

// probeDeadline is how long a question may take: a server that wakes up is slow
// once, and nobody waits for the answer to draw a frame.
const probeDeadline = 10 * time.Second

// question is one statement of a probe about a mapped table.
func question(name string, m *model.Mapping) (store.Stmt, error) {
	m = withDead(m)
	text, err := questions()[name].Text()
	if err != nil {
		return store.Stmt{}, err
	}
	s := store.Stmt{Op: store.Op("probe: " + name), Texts: []string{text}, Kind: store.Watch, Within: probeDeadline,
		Right: "to see the table's metadata, which any right on it gives; what is not seen is taken as not there",
		Locks: "READ COMMITTED; Sch-S on the catalog", Proved: provedQuestion(name),
	}
	if uses(text, "table") {
		s.Params = append(s.Params, nameParam("table", m.Table))
	}
	if uses(text, "history") {
		s.Params = append(s.Params, nameParam("history", m.History))
	}
	return s, nil
}

// nameParam gives a table's quoted name to the functions that look it up; an
// unnamed one is NULL.
func nameParam(param string, n model.Table) store.Param {
	if n.IsZero() {
		return store.Param{Name: param, Declared: "nvarchar(4000)"}
	}
	v := quoted(n)
	size := len(utf16.Encode([]rune(v)))
	return store.Param{Name: param, Declared: "nvarchar(" + strconv.Itoa(size) + ")", Value: model.TextValue(v)}
}
