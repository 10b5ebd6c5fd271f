package sqlserver

import (
	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqltext"
	"github.com/leasetop/leasetop/model"
)

// pulseText is all figures in one statement, so that all are of one instant where
// the reader has row versions. The sources of one row come first and in this
// order, so nothing is counted again for every priority.
const pulseText = `{head}SELECT CONVERT(varchar(33), n.[now], 126) AS [now],
       {columns},
       {rows} AS [rows],
       {enqueued} AS [enqueued],
       {completed} AS [completed],
       CONCAT(OBJECT_ID(@table), '/', CONVERT(varchar(33), s.[started], 126){counter}) AS [epoch],
       {brake_columns}
FROM (SELECT SYSUTCDATETIME() AS [now]) AS n
CROSS APPLY (
    SELECT SUM(p.[rows]) AS [rows]
    FROM sys.partitions AS p
    WHERE p.[object_id] = OBJECT_ID(@table) AND p.[index_id] IN (0, 1)
) AS r
CROSS APPLY (
    SELECT MAX(d.[create_date]) AS [started]
    FROM sys.databases AS d
    WHERE d.[name] = N'tempdb'
) AS s{brake}{sources}
OPTION (MAXDOP 1, FORCE ORDER);`

// pulse reads the figures. Without an index that leads on the state nothing is
// counted by state.
func pulse(t table) (sqltext.Part, error) {
	var (
		columns, sources []sqltext.Part
	)
	count := func(s model.State) {
		p := null()
		if t.has(s) && !t.f.unindexed {
			p = sqltext.Fill("{alias}.[rows]", sqltext.Holes{"alias": ident(s.String())})
			sources = append(sources, t.counted(s))
		}
		columns = append(columns, as(p, ident(s.String())))
	}
	count(model.Scheduled)
	count(model.Ready)
	count(model.Failed)
	late, lateSource := t.late()
	columns, sources = append(columns, late...), append(sources, lateSource)
	completed, completedSource := t.completed()
	enqueued, counter, inserted := t.arrivals()
	oldest, oldestSources := t.oldest()
	columns, sources = append(columns, oldest...), append(append(sources, completedSource, inserted), oldestSources...)
	return sqltext.Fill(pulseText, sqltext.Holes{
		"head": t.f.watch(), "columns": sqltext.List(comma, columns...), "completed": completed,
		"enqueued": enqueued, "counter": counter, "rows": t.f.rows(),
		"brake_columns": brakeColumns(!t.besideBrake().IsZero()), "brake": t.besideBrake(),
		"sources": sqltext.List("", sources...),
	}), nil
}

// arrivals counts rows that ever came: by the number that the identity column gave
// last, which jumps when the server restarts, or where the login may see it by the
// rows put into the clustered index, rolled back ones too. Either begins anew at
// times, and each has an epoch of its own, so that one is never held against the
// other.
func (t table) arrivals() (column, epoch, source sqltext.Part) {
	if !t.f.stats {
		return sqltext.Raw("CONVERT(bigint, IDENT_CURRENT(@table))"), sqltext.Part{}, sqltext.Part{}
	}
	return sqltext.Raw("COALESCE(i.[inserted], 0)"), sqltext.Raw(", '/inserted'"), sqltext.Raw(`
CROSS APPLY (
    SELECT SUM(z.[leaf_insert_count]) AS [inserted]
    FROM sys.dm_db_index_operational_stats(DB_ID(), OBJECT_ID(@table), 1, NULL) AS z
    WHERE z.[object_id] = OBJECT_ID(@table)
) AS i`)
}

// counted is the number of rows in a state, where counting stops at the cap.
func (t table) counted(s model.State) sqltext.Part { return t.countedTo(s, sqltext.Raw("@cap + 1")) }

func (t table) countedTo(s model.State, most sqltext.Part) sqltext.Part {
	return sqltext.Fill(`
CROSS APPLY (
    SELECT COUNT_BIG(*) AS [rows]
    FROM (SELECT TOP ({most}) 1 AS [one] FROM {table} AS q{hints} WHERE {where}) AS x
) AS {alias}`, sqltext.Holes{
		"table": t.name(), "hints": t.f.hints(), "where": t.is("q", s), "alias": ident(s.String()), "most": most,
	})
}

// late is what the working rows say: how many, how many expired or corrupt, and
// the one whose lease ended first. What is summed is made in the derived table: an
// aggregate may not mix the row's columns with the statement's time.
func (t table) late() (columns []sqltext.Part, source sqltext.Part) {
	known := !t.f.unindexed && t.has(model.Working) && t.m.Has(model.RoleLease)
	value := func(p sqltext.Part) sqltext.Part { return sqltext.If(known, p).Or(null()) }
	columns = []sqltext.Part{
		as(value(sqltext.Raw("COALESCE(w.[rows], 0)")), ident("working")),
		as(value(sqltext.Raw("COALESCE(w.[expired], 0)")), ident("expired")),
		as(value(sqltext.Raw("COALESCE(w.[corrupt], 0)")), ident("corrupt")),
	}
	for i, c := range t.m.Keys {
		worst := sqltext.Fill("CASE WHEN w.[expired] > 0 THEN {key} END", sqltext.Holes{"key": read(c, within("w", c))})
		columns = append(columns, as(value(worst), worstAlias(i)))
	}
	if !known {
		return append(columns, as(null(), ident("worst_lease"))), sqltext.Part{}
	}
	lease := t.m.Column(model.RoleLease)
	worst := sqltext.Fill("CASE WHEN w.[expired] > 0 THEN {lease} END", sqltext.Holes{"lease": read(lease, within("w", lease))})
	return append(columns, as(worst, ident("worst_lease"))), sqltext.Fill(`
OUTER APPLY (
    SELECT TOP (1)
           {key},
           {lease},
           COUNT_BIG(*) OVER () AS [rows],
           SUM(x.[late]) OVER () AS [expired],
           SUM(x.[broken]) OVER () AS [corrupt]
    FROM (
        SELECT TOP (@cap + 1)
               {raw},
               CASE WHEN {held} < n.[now] THEN 1 ELSE 0 END AS [late],
               CASE {token}WHEN {held} IS NULL THEN 1 ELSE 0 END AS [broken]
        FROM {table} AS q{hints}
        WHERE {where}
    ) AS x
    ORDER BY CASE WHEN {lease} IS NULL THEN 1 ELSE 0 END, {lease}
) AS w`, sqltext.Holes{
		"key": sqltext.List(",\n           ", t.keys("x")...), "lease": within("x", lease), "held": within("q", lease),
		"token": sqltext.If(t.m.Has(model.RoleToken), sqltext.Fill("WHEN {token} IS NULL THEN 1 ", sqltext.Holes{"token": t.of("q", model.RoleToken)})),
		"raw":   sqltext.List(inner, t.raw("q", model.RoleLease)...),
		"table": t.name(), "hints": t.f.hints(), "where": t.is("q", model.Working),
	})
}

func worstAlias(i int) sqltext.Part {
	return ident("worst_" + store.KeyNames(i + 1)[i])
}

// completed is how many attempts ended well since the last pulse, NULL where
// there is no history. The time is of the column's own type, so that it is sought.
func (t table) completed() (column, source sqltext.Part) {
	if !t.recorded() || t.f.noRate {
		return null(), sqltext.Part{}
	}
	return sqltext.Raw("done.[rows]"), sqltext.Fill(`
CROSS APPLY (
    SELECT COUNT_BIG(*) AS [rows]
    FROM (
        SELECT TOP (@cap + 1) 1 AS [one]
        FROM {history} AS h{seek}
        WHERE h.[At] > COALESCE(CONVERT(datetime2(3), @since, 126), CONVERT(datetime2(3), DATEADD(minute, -1, n.[now])))
          AND h.[Kind] = 'completed'
    ) AS x
) AS done`, sqltext.Holes{"history": t.historyName(), "seek": t.f.pastSeek()})
}
