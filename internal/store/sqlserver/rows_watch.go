package sqlserver

import (
	"github.com/leasetop/leasetop/internal/store/sqltext"
	"github.com/leasetop/leasetop/model"
)

// depthText is all figures in one statement. Each end is one seek in the index of
// the order; without such an index it would be a scan, and is not asked.
const depthText = `{head}SELECT CONVERT(varchar(33), n.[now], 126) AS [now],
       {clock} AS [clock],
       {present} AS [present],
       {end} AS [end],
       {keys},
       d.[rows] AS [depth],
       {rows} AS [rows],
       {locked} AS [locked],
       {dead} AS [dead],
       {arrived} AS [arrived],
       {inserted} AS [inserted],
       {deleted} AS [deleted],
       CONCAT(OBJECT_ID(@table), '/', CONVERT(varchar(33), s.[started], 126)) AS [epoch]
FROM (SELECT SYSUTCDATETIME() AS [now]) AS n
CROSS APPLY (
    SELECT SUM(p.[rows]) AS [rows]
    FROM sys.partitions AS p
    WHERE p.[object_id] = OBJECT_ID(@table) AND p.[index_id] IN (0, 1)
) AS r
CROSS APPLY (
    SELECT MAX(b.[create_date]) AS [started]
    FROM sys.databases AS b
    WHERE b.[name] = N'tempdb'
) AS s
CROSS APPLY (
    SELECT COUNT_BIG(*) AS [rows]
    FROM (SELECT TOP (@cap + 1) 1 AS [one] FROM {table} AS q{hints}) AS x
) AS d{sources}
OPTION (MAXDOP 1, FORCE ORDER);`

// depth reads the figures.
func depth(t rowset) sqltext.Part {
	h := sqltext.Holes{
		"head": t.f.watch(), "clock": t.clock(), "table": t.name(), "hints": t.past(), "rows": t.f.rows(),
		"inserted": null(), "deleted": null(), "locked": null(), "arrived": null(), "dead": null(),
	}
	var sources []sqltext.Part
	add := func(name string, column, source sqltext.Part) {
		h[name] = column
		sources = append(sources, source)
	}
	if !t.m.Lane.Dead.IsZero() && t.lacks(model.CanBury) == nil {
		add("dead", sqltext.Raw("f.[rows]"), sqltext.Fill(`
CROSS APPLY (
    SELECT COUNT_BIG(*) AS [rows]
    FROM (SELECT TOP (@cap + 1) 1 AS [one] FROM {dead} AS q{hints}) AS x
) AS f`, sqltext.Holes{"dead": t.deadName(), "hints": t.past()}))
	}
	if t.by().Type == model.Time && t.ordered() {
		add("arrived", sqltext.Raw("a.[rows]"), t.arrived())
	}
	if t.f.stats {
		sources = append(sources, sqltext.Raw(`
CROSS APPLY (
    SELECT SUM(o.[leaf_insert_count]) AS [inserted],
           SUM(o.[leaf_delete_count] + o.[leaf_ghost_count]) AS [deleted]
    FROM sys.dm_db_index_operational_stats(DB_ID(), OBJECT_ID(@table), NULL, NULL) AS o
    WHERE o.[object_id] = OBJECT_ID(@table) AND o.[index_id] IN (0, 1)
) AS o`))
		h["inserted"], h["deleted"] = sqltext.Raw("o.[inserted]"), sqltext.Raw("o.[deleted]")
	}
	if t.f.reader == readerRCSI && t.ordered() {
		add("locked", sqltext.Raw("CASE WHEN v.[rows] > u.[rows] THEN v.[rows] - u.[rows] ELSE 0 END"), t.lockedRows())
	}
	t.ends(h, &sources)
	h["sources"] = sqltext.List("", sources...)
	return sqltext.Fill(depthText, h)
}

// ordered reports whether both ends are found by an index.
func (t rowset) ordered() bool { return t.m.Lane.Order != model.OrderNone && !t.f.heap }

// past is how a list is read where the database has no row versions.
func (t rowset) past() sqltext.Part {
	if t.f.reader == readerReadPast {
		return sqltext.Raw(" WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK)")
	}
	return sqltext.Part{}
}

// ends adds the row that is dequeued next and the one that is dequeued last.
func (t rowset) ends(h sqltext.Holes, sources *[]sqltext.Part) {
	if !t.ordered() {
		keys := make([]sqltext.Part, len(t.m.Keys))
		for i := range t.m.Keys {
			keys[i] = as(null(), keyAlias(i))
		}
		h["present"], h["end"], h["keys"] = sqltext.Raw("0"), null(), sqltext.List(comma, keys...)
		return
	}
	h["present"], h["end"] = sqltext.Raw("CASE WHEN e.[end] IS NULL THEN 0 ELSE 1 END"), sqltext.Raw("e.[end]")
	h["keys"] = t.outs("e")
	one := func(name, alias sqltext.Part, opposite bool) sqltext.Part {
		return sqltext.Fill(`SELECT {name} AS [end], {alias}.*
    FROM (SELECT TOP (1) {columns} FROM {table} AS q{hints} ORDER BY {order}) AS {alias}`, sqltext.Holes{
			"name": name, "alias": alias, "columns": sqltext.List(", ", t.all("q")...), "table": t.name(), "hints": t.past(),
			"order": t.orderBy("q", opposite),
		})
	}
	*sources = append(*sources, sqltext.Fill(`
OUTER APPLY (
    {head}
    UNION ALL
    {tail}
) AS e`, sqltext.Holes{"head": one(sqltext.Raw("'head'"), sqltext.Raw("h"), false), "tail": one(sqltext.Raw("'tail'"), sqltext.Raw("t"), true)}))
}

// arrived counts the rows whose time lies after the last pulse, in the clock of
// the column. Rows of the future are none that have arrived.
func (t rowset) arrived() sqltext.Part {
	since := sqltext.Raw("COALESCE(CONVERT(datetime2(3), @since, 126), DATEADD(minute, -1, SYSUTCDATETIME()))")
	switch t.m.Lane.Clock {
	case model.ClockLocal:
		since = sqltext.Fill("DATEADD(minute, DATEPART(tzoffset, SYSDATETIMEOFFSET()), {since})", sqltext.Holes{"since": since})
	case model.ClockOffset:
		since = sqltext.Fill("TODATETIMEOFFSET({since}, '+00:00')", sqltext.Holes{"since": since})
	case model.ClockUTC, model.ClockUnknown, model.ClockFixed:
	}
	return sqltext.Fill(`
CROSS APPLY (
    SELECT COUNT_BIG(*) AS [rows]
    FROM (
        SELECT TOP (@cap + 1) 1 AS [one]
        FROM {table} AS q{hints}
        WHERE {by} > CAST({since} AS {type})
          AND {by} <= CAST({now} AS {type})
    ) AS x
) AS a`, sqltext.Holes{
		"table": t.name(), "hints": t.past(), "by": within("q", t.by()), "type": sqltext.Declared(t.by().Declared),
		"since": since, "now": t.present(),
	})
}

// lockedRows are two readings of the rows near the head: one of row versions, in
// which rows that are being dequeued are still there, and one that skips what is
// locked. The difference is being dequeued now.
func (t rowset) lockedRows() sqltext.Part {
	edge, within1 := sqltext.Raw("MAX"), sqltext.Raw("<=")
	if t.m.Lane.Order == model.LIFO {
		edge, within1 = sqltext.Raw("MIN"), sqltext.Raw(">=")
	}
	return sqltext.Fill(`
CROSS APPLY (
    SELECT {edge}(w.{by}) AS [edge]
    FROM (SELECT TOP (200) q.{by} FROM {table} AS q ORDER BY {order}) AS w
) AS g
CROSS APPLY (
    SELECT COUNT_BIG(*) AS [rows]
    FROM (SELECT TOP (1000) 1 AS [one] FROM {table} AS q WHERE q.{by} {within} g.[edge]) AS x
) AS v
CROSS APPLY (
    SELECT COUNT_BIG(*) AS [rows]
    FROM (SELECT TOP (1000) 1 AS [one] FROM {table} AS q WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK) WHERE q.{by} {within} g.[edge]) AS x
) AS u`, sqltext.Holes{
		"edge": edge, "within": within1, "by": ident(t.by().Name), "table": t.name(), "order": t.orderBy("q", false),
	})
}

// rowList is a list of rows, with the time when it is empty too.
const rowList = `{head}SELECT CONVERT(varchar(33), n.[now], 126) AS [now],
       {clock} AS [clock],
       COALESCE(j.[present], 0) AS [present],
       {keys},
       {more}
FROM (SELECT SYSUTCDATETIME() AS [now]) AS n
OUTER APPLY (
    SELECT TOP (@limit)
           1 AS [present],
           {raw}
    FROM {source}{where}{order}
) AS j{outer}
{option}`

// head lists the rows in the order in which they are dequeued.
func head(t rowset) sqltext.Part { return t.listed(false) }

// tail lists the rows the other way round.
func tail(t rowset) sqltext.Part { return t.listed(true) }

func (t rowset) listed(opposite bool) sqltext.Part {
	h := sqltext.Holes{
		"head": t.f.watch(), "clock": t.clock(), "keys": t.outs("j"), "more": as(null(), ident("locked")),
		"raw": sqltext.List(",\n           ", t.all("q")...), "where": sqltext.Part{}, "option": t.f.option(),
		"order": sqltext.Part{}, "outer": sqltext.Part{},
		"source": sqltext.Fill("{table} AS q{hints}", sqltext.Holes{"table": t.name(), "hints": t.past()}),
	}
	if t.f.heap { // sorting has an end, whatever the table holds
		h["source"] = sqltext.Fill("(SELECT TOP (10000) {raw} FROM {table} AS w{hints}) AS q", sqltext.Holes{
			"raw": sqltext.List(", ", t.all("w")...), "table": t.name(), "hints": t.past(),
		})
	}
	if o := t.orderBy("q", opposite); !o.IsZero() {
		h["order"] = sqltext.Fill("\n    ORDER BY {order}", sqltext.Holes{"order": o})
		h["outer"] = sqltext.Fill("\nORDER BY {order}", sqltext.Holes{"order": t.orderBy("j", opposite)})
	}
	return sqltext.Fill(rowList, h)
}

// burial are the columns that a dead letter has beside the row itself, under the
// contract's names.
const burial = `CONVERT(varchar(33), {alias}.[DeadAt], 126) AS [at],
       {alias}.[Reason] AS [reason],
       {alias}.[Actor] AS [actor],
       {alias}.[Login] AS [login],
       CONVERT(varchar(36), {alias}.[ActionId]) AS [action]`

func buried(alias string) sqltext.Part {
	return sqltext.Fill(burial, sqltext.Holes{"alias": bare(alias)})
}

// burialColumns are the names of those columns.
func burialColumns() []string { return []string{"DeadAt", "Reason", "Actor", "Login", "ActionId"} }

func burialNames(alias string) []sqltext.Part {
	var out []sqltext.Part
	for _, name := range burialColumns() {
		out = append(out, within(alias, model.Column{Name: name}))
	}
	return out
}

// dead lists the dead letters, the newest first.
func dead(t rowset) sqltext.Part { return t.deadList(sqltext.Part{}) }

// rowsOf lists what one act has made dead letters of.
func rowsOf(t rowset) sqltext.Part {
	return t.deadList(sqltext.Raw("\n    WHERE q.[ActionId] = CONVERT(uniqueidentifier, @action)"))
}

func (t rowset) deadList(where sqltext.Part) sqltext.Part {
	return sqltext.Fill(rowList, sqltext.Holes{
		"head": t.f.watch(), "clock": t.clock(), "keys": t.outs("j"), "more": buried("j"),
		"raw": sqltext.List(",\n           ", append(t.all("q"), burialNames("q")...)...), "where": where, "option": t.f.option(),
		"order": sqltext.Raw("\n    ORDER BY q.[DeadAt] DESC"), "outer": sqltext.Raw("\nORDER BY j.[DeadAt] DESC"),
		"source": sqltext.Fill("{table} AS q{hints}", sqltext.Holes{"table": t.deadName(), "hints": t.past()}),
	})
}

const oneRowText = `{head}SELECT CONVERT(varchar(33), n.[now], 126) AS [now],
       {clock} AS [clock],
       COALESCE(j.[present], 0) AS [present],
       {keys},
       {more}
FROM (SELECT SYSUTCDATETIME() AS [now]) AS n
CROSS APPLY (
    SELECT COUNT_BIG(*) AS [rows]
    FROM (SELECT TOP (10001) 1 AS [one] FROM {table} AS q WHERE {where}) AS x
) AS c
OUTER APPLY (
    SELECT TOP (1)
           1 AS [present],
           {raw}
    FROM {table} AS q
    WHERE {where}
) AS j
{option}`

// oneRow looks for rows of the same values. It never skips a locked row: what is
// not found is gone, or was deleted by a dequeue that has not ended.
func oneRow(t rowset) sqltext.Part {
	return sqltext.Fill(oneRowText, sqltext.Holes{
		"head": t.f.watch(), "clock": t.clock(), "keys": t.outs("j"),
		"more":  sqltext.List(comma, as(sqltext.Raw("c.[rows]"), ident("copies")), as(null(), ident("locked"))),
		"table": t.name(), "where": t.same("q"), "raw": sqltext.List(",\n           ", t.all("q")...), "option": t.f.option(),
	})
}

// deadRow looks for dead letters of the same values that one act made.
func deadRow(t rowset) sqltext.Part {
	return sqltext.Fill(oneRowText, sqltext.Holes{
		"head": t.f.watch(), "clock": t.clock(), "keys": t.outs("j"),
		"more":  sqltext.List(comma, as(sqltext.Raw("c.[rows]"), ident("copies")), buried("j")),
		"table": t.deadName(), "where": sqltext.List(and, t.same("q"), ofAct("q")),
		"raw":    sqltext.List(",\n           ", append(t.all("q"), burialNames("q")...)...),
		"option": t.f.option(),
	})
}

// ofAct is the condition that a dead letter was made by the act that was seen; one
// that no act of ours made has none.
func ofAct(alias string) sqltext.Part {
	return sqltext.Fill("EXISTS (SELECT {alias}.[ActionId] INTERSECT SELECT CONVERT(uniqueidentifier, @token))",
		sqltext.Holes{"alias": ident(alias)})
}
