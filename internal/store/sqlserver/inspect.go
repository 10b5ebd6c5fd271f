package sqlserver

import "github.com/leasetop/leasetop/internal/store/sqltext"

const inspected = `{head}SELECT CONVERT(varchar(33), n.[now], 126) AS [now],
       {columns}
FROM (SELECT SYSUTCDATETIME() AS [now]) AS n
LEFT JOIN {table} AS q
    ON {where};`

// inspect reads one job by its key. It never skips a locked row: a row that is
// not found is gone.
func inspect(t table) (sqltext.Part, error) {
	return sqltext.Fill(inspected, sqltext.Holes{
		"head": t.f.watch(), "columns": t.result("q"), "table": t.name(),
		"where": sqltext.List("\n   AND ", t.thisKey("q")...),
	}), nil
}
