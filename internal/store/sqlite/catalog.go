package sqlite

import (
	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqltext"
)

// catalog is what the file says of the table and its history. Rights, isolation and
// what makes a server's OUTPUT INTO refuse do not exist here.
func catalog(t table) (store.Stmt, error) {
	nullable := make([]sqltext.Part, len(t.m.Keys))
	for i, c := range t.m.Keys {
		nullable[i] = sqltext.Fill(`(SELECT count(*) FROM pragma_table_info({table}) WHERE name = {name} COLLATE NOCASE AND "notnull" = 0 AND pk = 0)`,
			sqltext.Holes{"table": textOf(t.m.Table.Name), "name": textOf(c.Name)})
	}
	return stmt(sqltext.Fill(`SELECT @now AS now,
       'SQLite' AS edition, 0 AS online, NULL AS versions, NULL AS snapshot, NULL AS optimized, NULL AS offset_min,
       NULL AS identity, NULL AS identity_type, NULL AS identity_last,
       {nullable} AS nullable_keys,
       {rows} AS rows,
       {events} AS events,
       (SELECT CASE WHEN count(*) = 1 THEN min(name) END FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = {table} COLLATE NOCASE) AS own_trigger,
       NULL AS triggers, NULL AS "trigger", NULL AS foreign_keys, NULL AS foreign_key, NULL AS foreign_schema, NULL AS foreign_table,
       NULL AS checks, NULL AS "check",
       NULL AS may_insert, NULL AS may_update, NULL AS may_recall, NULL AS may_record, NULL AS sees_sessions`, sqltext.Holes{
		"table": textOf(t.m.Table.Name), "nullable": sqltext.List(" + ", nullable...), "rows": t.rows(),
		"events": sqltext.If(!t.m.History.IsZero(), sqltext.Fill(
			"coalesce((SELECT max(Seq) FROM {history}) - (SELECT min(Seq) FROM {history}) + 1, 0)", sqltext.Holes{"history": t.historyName()})).Or(null()),
	}))
}

// nobody are the key columns of a row that is about no job.
func (t table) nobody() sqltext.Part {
	parts := make([]sqltext.Part, len(t.m.Keys))
	for i := range t.m.Keys {
		parts[i] = alias(null(), i)
	}
	return sqltext.List(", ", parts...)
}

// textOf is a name as a literal, for a function that reads it.
func textOf(name string) sqltext.Part {
	return sqltext.Quoter(func(s string) string { return "'" + doubled(s) + "'" }).Ident(name)
}

// catalogIndexes are the indexes of the table and of its history. A key that
// numbers the rows has none of its own: the table is its index.
func catalogIndexes(t table) (store.Stmt, error) {
	of := func(name string, history sqltext.Part) sqltext.Part {
		if name == "" {
			return sqltext.Part{}
		}
		return sqltext.Fill(`SELECT {history} AS on_history, 'PRIMARY KEY' AS "index", 1 AS clustered, 1 AS "unique", 0 AS disabled, 0 AS page_locks, 1 AS row_locks,
         NULL AS filter, name AS "column", 0 AS descending, -1 AS seq, 0 AS seqno
  FROM pragma_table_info({table})
  WHERE pk = 1 AND upper(type) = 'INTEGER'
  UNION ALL
  SELECT {history}, list.name, 0, list."unique", 0, 0, 1,
         CASE WHEN list.partial THEN (SELECT substr(sql, instr(upper(sql), ' WHERE ') + 7) FROM sqlite_schema WHERE name = list.name) END,
         coalesce(info.name, ''), info."desc", list.seq, info.seqno
  FROM pragma_index_list({table}) AS list
  JOIN pragma_index_xinfo(list.name) AS info ON info.key = 1`, sqltext.Holes{"history": history, "table": textOf(name)})
	}
	return stmt(sqltext.Fill(`SELECT @now AS now,
       on_history, "index", clustered, "unique", disabled, page_locks, row_locks, filter, "column", descending
FROM (SELECT 1)
LEFT JOIN (
  {indexes}
) ON TRUE
ORDER BY on_history, seq, seqno`, sqltext.Holes{
		"indexes": sqltext.List("\n  UNION ALL\n  ", of(t.m.Table.Name, sqltext.Raw("0")), of(t.m.History.Name, sqltext.Raw("1"))),
	}))
}
