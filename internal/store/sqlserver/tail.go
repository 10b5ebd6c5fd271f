package sqlserver

import (
	"github.com/leasetop/leasetop/internal/store/sqltext"
)

// tailText is the newest rows of the history, found from the end of its clustered
// index: their number bounds what is read, whatever the table holds. A number of that
// size is a numeric until it is converted, and would have the column converted.
const tailText = `SELECT TOP (@window)
               {raw}
        FROM {history} AS h{hints}
        WHERE h.[Seq] < CONVERT(bigint, 9223372036854775807)
        ORDER BY h.[Seq] DESC`

// tail is the newest rows of the history with some of their columns.
func (t table) tail(columns ...sqltext.Part) sqltext.Part {
	return sqltext.Fill(tailText, sqltext.Holes{
		"raw": sqltext.List(inner, columns...), "history": t.historyName(), "hints": t.f.pastHints(),
	})
}

// sinceText is from when the tail tells: the beginning of the span that was asked
// for or, where the tail or the whole history is younger, its oldest row.
const sinceText = `
CROSS APPLY (
    SELECT DATEADD(millisecond, -@over_ms, n.[now]) AS [at]
) AS f
CROSS APPLY (
    SELECT MIN(t.[At]) AS [oldest]
    FROM (
        {tail}
    ) AS t
) AS k
CROSS APPLY (
    SELECT CASE WHEN k.[oldest] > f.[at] THEN k.[oldest] ELSE f.[at] END AS [since]
) AS s`

func (t table) since() sqltext.Part {
	return sqltext.Fill(sinceText, sqltext.Holes{"tail": t.tail(sqltext.Raw("h.[At]"))})
}

const eventsText = `{head}SELECT CONVERT(varchar(33), n.[now], 126) AS [now],
       {columns}
FROM (SELECT SYSUTCDATETIME() AS [now]) AS n
OUTER APPLY (
    SELECT TOP (@limit)
           {raw}
    FROM {source}
    ORDER BY h.[Seq] DESC
) AS e
ORDER BY e.[Seq] DESC
{option}`

// newest reads the newest events of the whole table, before one of them if that is
// named.
func newest(t table) (sqltext.Part, error) {
	return t.eventsOf(sqltext.Fill(`{history} AS h{hints}
    WHERE h.[Seq] < COALESCE(@before, CONVERT(bigint, 9223372036854775807))`, sqltext.Holes{
		"history": t.historyName(), "hints": t.f.pastHints(),
	})), nil
}

// workerEvents reads the newest events of one worker.
func workerEvents(t table) (sqltext.Part, error) {
	_, raw := t.eventParts()
	return t.eventsOf(sqltext.Fill(`(
        {tail}
    ) AS h
    WHERE h.[Worker] = CONVERT(nvarchar(128), @worker)`, sqltext.Holes{"tail": t.tail(raw...)})), nil
}

func (t table) eventsOf(source sqltext.Part) sqltext.Part {
	columns, raw := t.eventParts()
	columns = append(columns, sqltext.Raw("e.[Seq] AS [seq]"))
	return sqltext.Fill(eventsText, sqltext.Holes{
		"head": t.f.watch(), "columns": sqltext.List(comma, columns...), "raw": sqltext.List(",\n           ", raw...),
		"source": source, "option": t.f.option(),
	})
}

const latencyText = `{head}SELECT CONVERT(varchar(33), n.[now], 126) AS [now],
       l.[n] AS [n],
       l.[p50] AS [p50_ms],
       l.[p95] AS [p95_ms],
       l.[p99] AS [p99_ms],
       CONVERT(varchar(33), s.[since], 126) AS [since]
FROM (SELECT SYSUTCDATETIME() AS [now]) AS n{since}
OUTER APPLY (
    SELECT COUNT_BIG(*) AS [n],
           MIN(CASE WHEN x.[place] * 100 >= x.[of] * 50 THEN x.[took] END) AS [p50],
           MIN(CASE WHEN x.[place] * 100 >= x.[of] * 95 THEN x.[took] END) AS [p95],
           MIN(CASE WHEN x.[place] * 100 >= x.[of] * 99 THEN x.[took] END) AS [p99]
    FROM (
        SELECT DATEDIFF_BIG(millisecond, e.[ClaimedAt], e.[At]) AS [took],
               ROW_NUMBER() OVER (ORDER BY DATEDIFF_BIG(millisecond, e.[ClaimedAt], e.[At])) AS [place],
               COUNT_BIG(*) OVER () AS [of]
        FROM (
        {tail}
        ) AS e
        WHERE e.[At] > f.[at] AND e.[Kind] = 'completed' AND e.[ClaimedAt] IS NOT NULL
    ) AS x
) AS l
{option}`

// latency reads how long the newest completed jobs had been in work. A percentile
// is the least value that so many of them do not exceed.
func latency(t table) (sqltext.Part, error) {
	return sqltext.Fill(latencyText, sqltext.Holes{
		"head": t.f.watch(), "since": t.since(), "option": t.f.option(),
		"tail": t.tail(sqltext.Raw("h.[At]"), sqltext.Raw("h.[Kind]"), sqltext.Raw("h.[ClaimedAt]")),
	}), nil
}
