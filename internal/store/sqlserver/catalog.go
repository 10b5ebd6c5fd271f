package sqlserver

import (
	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqltext"
)

// Editions that build an index while the table is in use: Enterprise with
// Developer and Evaluation, Azure SQL Database and Managed Instance. A right that
// no version knows is NULL. In a database of Azure or Fabric, which has no server of its
// own, the views of sessions and locks want a right on the database.
const catalogText = `{head}SELECT CONVERT(varchar(33), n.[now], 126) AS [now],
       CONVERT(nvarchar(128), SERVERPROPERTY('Edition')) AS [edition],
       CASE WHEN CONVERT(int, SERVERPROPERTY('EngineEdition')) IN (3, 5, 8) THEN 1 ELSE 0 END AS [online],
       CONVERT(int, d.[is_read_committed_snapshot_on]) AS [versions],
       CONVERT(int, d.[snapshot_isolation_state]) AS [snapshot],
       CONVERT(int, DATABASEPROPERTYEX(DB_NAME(), 'IsOptimizedLockingOn')) AS [optimized],
       DATEPART(tzoffset, SYSDATETIMEOFFSET()) AS [offset_min],
       CONVERT(nvarchar(128), i.[name]) AS [identity],
       CONVERT(nvarchar(128), TYPE_NAME(i.[system_type_id])) AS [identity_type],
       TRY_CONVERT(bigint, IDENT_CURRENT(@table)) AS [identity_last],
       {nullable} AS [nullable_keys],
       {rows} AS [rows],
       {events} AS [events],
       CONVERT(nvarchar(128), (SELECT TOP (1) g.[name] FROM sys.triggers AS g
                               WHERE g.[parent_id] = OBJECT_ID(@table) AND g.[is_disabled] = 0
                               ORDER BY g.[is_instead_of_trigger] DESC, g.[name])) AS [own_trigger],
       (SELECT COUNT(*) FROM sys.triggers AS g WHERE g.[parent_id] = OBJECT_ID({history}) AND g.[is_disabled] = 0) AS [triggers],
       CONVERT(nvarchar(128), (SELECT MIN(g.[name]) FROM sys.triggers AS g
                               WHERE g.[parent_id] = OBJECT_ID({history}) AND g.[is_disabled] = 0)) AS [trigger],
       (SELECT COUNT(*) FROM sys.foreign_keys AS f
        WHERE OBJECT_ID({history}) IN (f.[parent_object_id], f.[referenced_object_id])) AS [foreign_keys],
       CONVERT(nvarchar(128), f.[name]) AS [foreign_key],
       CONVERT(nvarchar(128), OBJECT_SCHEMA_NAME(f.[parent_object_id])) AS [foreign_schema],
       CONVERT(nvarchar(128), OBJECT_NAME(f.[parent_object_id])) AS [foreign_table],
       (SELECT COUNT(*) FROM sys.check_constraints AS k WHERE k.[parent_object_id] = OBJECT_ID({history})) AS [checks],
       CONVERT(nvarchar(128), (SELECT MIN(k.[name]) FROM sys.check_constraints AS k
                               WHERE k.[parent_object_id] = OBJECT_ID({history}))) AS [check],
       CONVERT(int, HAS_PERMS_BY_NAME(@table, 'OBJECT', 'INSERT')) AS [may_insert],
       CONVERT(int, HAS_PERMS_BY_NAME(@table, 'OBJECT', 'UPDATE')) AS [may_update],
       CONVERT(int, HAS_PERMS_BY_NAME({history}, 'OBJECT', 'SELECT')) AS [may_recall],
       CONVERT(int, HAS_PERMS_BY_NAME({history}, 'OBJECT', 'INSERT')) AS [may_record],
       CONVERT(int, CASE WHEN CONVERT(int, SERVERPROPERTY('EngineEdition')) IN (5, 12)
                         THEN HAS_PERMS_BY_NAME(DB_NAME(), 'DATABASE', 'VIEW DATABASE STATE')
                         ELSE COALESCE(HAS_PERMS_BY_NAME(NULL, NULL, 'VIEW SERVER PERFORMANCE STATE'),
                                       HAS_PERMS_BY_NAME(NULL, NULL, 'VIEW SERVER STATE')) END) AS [sees_sessions]
FROM (SELECT SYSUTCDATETIME() AS [now]) AS n
LEFT JOIN sys.databases AS d
    ON d.[database_id] = DB_ID()
LEFT JOIN sys.identity_columns AS i
    ON i.[object_id] = OBJECT_ID(@table)
OUTER APPLY (
    SELECT TOP (1) x.[name], x.[parent_object_id]
    FROM sys.foreign_keys AS x
    WHERE OBJECT_ID({history}) IN (x.[parent_object_id], x.[referenced_object_id])
    ORDER BY x.[name]
) AS f;`

// catalog is what the server's catalog says; no row of the table is read.
func catalog(t table) (sqltext.Part, error) {
	var nullable []sqltext.Part
	for _, c := range t.m.Keys {
		nullable = append(nullable, sqltext.Fill("COALESCE(COLUMNPROPERTY(OBJECT_ID(@table), {name}, 'AllowsNull'), 0)", sqltext.Holes{"name": literal(c.Name)}))
	}
	return sqltext.Fill(catalogText, sqltext.Holes{
		"head": sqltext.Raw(headCommitted), "history": t.historyText(), "nullable": sqltext.List(" + ", nullable...),
		"rows": t.partitions(sqltext.Arg("table")), "events": t.partitions(t.historyText()),
	}), nil
}

// partitions is a table's number of rows by metadata. Babelfish knows it only from
// its last statistics.
func (t table) partitions(table sqltext.Part) sqltext.Part {
	if t.c.Engine == Babelfish {
		return sqltext.Raw("CONVERT(bigint, NULL)")
	}
	return sqltext.Fill(`(SELECT SUM(p.[rows]) FROM sys.partitions AS p
        WHERE p.[object_id] = OBJECT_ID({table}) AND p.[index_id] IN (0, 1))`, sqltext.Holes{"table": table})
}

// historyText is the history's name for a function that looks it up, NULL without one.
func (t table) historyText() sqltext.Part {
	if t.m.History.IsZero() {
		return sqltext.Raw("CONVERT(nvarchar(4000), NULL)")
	}
	return sqltext.Arg("history")
}

const indexesText = `{head}SELECT CONVERT(varchar(33), n.[now], 126) AS [now],
       CASE WHEN i.[object_id] = OBJECT_ID({history}) THEN 1 WHEN i.[object_id] IS NOT NULL THEN 0 END AS [on_history],
       CONVERT(nvarchar(128), i.[name]) AS [index],
       CASE WHEN i.[type] = 1 THEN 1 ELSE 0 END AS [clustered],
       CONVERT(int, i.[is_unique]) AS [unique],
       CONVERT(int, i.[is_disabled]) AS [disabled],
       CONVERT(int, i.[allow_page_locks]) AS [page_locks],
       CONVERT(int, i.[allow_row_locks]) AS [row_locks],
       CONVERT(nvarchar(2000), i.[filter_definition]) AS [filter],
       CONVERT(nvarchar(128), c.[name]) AS [column],
       CONVERT(int, k.[is_descending_key]) AS [descending]
FROM (SELECT SYSUTCDATETIME() AS [now]) AS n
LEFT JOIN (
    sys.indexes AS i
    JOIN sys.index_columns AS k
        ON k.[object_id] = i.[object_id] AND k.[index_id] = i.[index_id] AND k.[key_ordinal] > 0
    JOIN sys.columns AS c
        ON c.[object_id] = k.[object_id] AND c.[column_id] = k.[column_id]
) ON i.[object_id] IN (OBJECT_ID(@table), OBJECT_ID({history})) AND i.[type] IN (1, 2)
ORDER BY i.[object_id], i.[index_id], k.[key_ordinal];`

// catalogIndexes are the indexes of the table and of its history, disabled and
// filtered ones too.
func catalogIndexes(t table) (sqltext.Part, error) {
	return sqltext.Fill(indexesText, sqltext.Holes{"head": sqltext.Raw(headCommitted), "history": t.historyText()}), nil
}

// asksCatalog reports whether an operation reads no row of the table.
func asksCatalog(op store.Op) bool { return op == store.OpCatalog || op == store.OpIndexes }
