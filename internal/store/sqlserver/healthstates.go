package sqlserver

import (
	"github.com/leasetop/leasetop/internal/store/sqltext"
	"github.com/leasetop/leasetop/model"
)

// statesFound are the values that rows have in the state column. With an index that
// leads on it each is one seek, beginning behind the value before, and one for NULL,
// behind which nothing is; otherwise all rows are read.
func (t table) statesFound() (parts []sqltext.Part, chain sqltext.Part) {
	c := t.m.Column(model.RoleState)
	h := sqltext.Holes{
		"none": t.nobody(), "rule": sqltext.Code(model.SymptomState), "column": within("q", c), "table": t.name(), "hints": t.f.hints(),
		"value": sqltext.Fill("COALESCE(CONVERT(nvarchar(128), {state}), N'NULL')", sqltext.Holes{"state": within("a", c)}),
	}
	if t.f.scan {
		return []sqltext.Part{sqltext.Fill(`SELECT {none}, {rule} AS [rule], CONVERT(bigint, NULL) AS [rows],
           {value} AS [value], CONVERT(bigint, NULL) AS [ms]
    FROM (SELECT TOP (20) {column} FROM {table} AS q{hints} GROUP BY {column} ORDER BY {column}) AS a`, h)}, sqltext.Part{}
	}
	var links []sqltext.Part
	before := sqltext.Raw(">= ''")
	if c.Type == model.Int { // of the column's own type, so that it is sought
		before = map[string]sqltext.Part{
			"bit": sqltext.Raw(">= CONVERT(bit, 0)"), "tinyint": sqltext.Raw(">= CONVERT(tinyint, 0)"),
			"smallint": sqltext.Raw(">= CONVERT(smallint, -32768)"), "int": sqltext.Raw(">= CONVERT(int, -2147483648)"),
		}[baseOf(c.Declared)].Or(sqltext.Raw(">= CONVERT(bigint, -9223372036854775808)"))
	}
	if c.Nullable { // of a column that cannot be NULL this would be no seek
		links = append(links, sqltext.Fill(`
OUTER APPLY (
    SELECT TOP (1) 1 AS [there] FROM {table} AS q{hints} WHERE {column} IS NULL
) AS s0`, sqltext.Holes{"column": h["column"], "table": h["table"], "hints": h["hints"]}))
		parts = append(parts, sqltext.Fill(`SELECT {none}, {rule} AS [rule], CONVERT(bigint, NULL) AS [rows],
           N'NULL' AS [value], CONVERT(bigint, NULL) AS [ms]
    WHERE s0.[there] = 1`, sqltext.Holes{"none": h["none"], "rule": h["rule"]}))
		before = sqltext.Raw("IS NOT NULL")
	}
	for _, alias := range []string{"s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8"} {
		links = append(links, sqltext.Fill(`
OUTER APPLY (
    SELECT TOP (1) {column} FROM {table} AS q{hints} WHERE {column} {before} ORDER BY {column}
) AS {alias}`, sqltext.Holes{"column": h["column"], "table": h["table"], "hints": h["hints"], "before": before, "alias": bare(alias)}))
		state := within(alias, c)
		before = sqltext.Fill("> {state}", sqltext.Holes{"state": state})
		parts = append(parts, sqltext.Fill(`SELECT {none}, {rule} AS [rule], CONVERT(bigint, NULL) AS [rows],
           CONVERT(nvarchar(128), {state}) AS [value], CONVERT(bigint, NULL) AS [ms]
    WHERE {state} IS NOT NULL`, sqltext.Holes{"none": h["none"], "rule": h["rule"], "state": state}))
	}
	return parts, sqltext.List("", links...)
}

const pastText = `{head}SELECT CONVERT(varchar(33), n.[now], 126) AS [now],
       x.[rule] AS [rule],
       x.[rows] AS [rows],
       x.[value] AS [value],
       x.[ms] AS [ms]
FROM (SELECT SYSUTCDATETIME() AS [now]) AS n
OUTER APPLY (
    SELECT 'step-back' AS [rule], a.[rows], CONVERT(nvarchar(128), a.[Seq]) AS [value], a.[ms]
    FROM (
        SELECT TOP (1) r.[Seq], DATEDIFF_BIG(millisecond, r.[At], r.[before]) AS [ms], COUNT_BIG(*) OVER () AS [rows]
        FROM (
            SELECT h.[Seq], h.[At], MAX(h.[At]) OVER (ORDER BY h.[Seq] ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS [before]
            FROM (SELECT TOP (@limit) e.[Seq], e.[At] FROM {history} AS e ORDER BY e.[Seq] DESC) AS h
        ) AS r
        WHERE r.[before] > DATEADD(second, 10, r.[At])
        ORDER BY [ms] DESC
    ) AS a
    UNION ALL
    SELECT 'oldest', CONVERT(bigint, NULL), CONVERT(nvarchar(128), NULL), DATEDIFF_BIG(millisecond, o.[At], n.[now])
    FROM (SELECT TOP (1) e.[At] FROM {history} AS e ORDER BY e.[Seq]) AS o
) AS x
OPTION (MAXDOP 1);`

// historyHealth looks at the history's own times: where they go back by more than
// a lock may delay a statement, and when they begin.
func historyHealth(t table) (sqltext.Part, error) {
	return sqltext.Fill(pastText, sqltext.Holes{"head": t.f.watch(), "history": t.historyName()}), nil
}
