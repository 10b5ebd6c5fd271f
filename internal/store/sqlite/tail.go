package sqlite

import (
	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqltext"
)

// tail is the newest rows of the history, from its end: their number bounds what
// is read, whatever the table holds.
func (t table) tail() sqltext.Part {
	return sqltext.Fill("SELECT * FROM {history} WHERE Seq < 9223372036854775807 ORDER BY Seq DESC LIMIT @window",
		sqltext.Holes{"history": t.historyName()})
}

// since is from when the tail tells: the beginning of the span that was asked for
// or, where the tail or the whole history is younger, its oldest row.
const since = `(SELECT max(coalesce(min(At), 0), @now - @over_ms) FROM tail)`

const tailEvents = `SELECT @now AS now, event.*
FROM (SELECT 1) AS always
LEFT JOIN (
  SELECT JobId AS key,
         At AS at,
         Kind AS kind,
         ActionId AS action,
         Actor AS actor,
         Login AS login,
         Reason AS reason,
         OldState AS old_state,
         NewState AS new_state,
         OldToken AS old_token,
         NewToken AS new_token,
         OldLease AS old_lease,
         NewLease AS new_lease,
         Attempt AS attempts,
         Worker AS worker,
         Seq AS seq
  FROM {source}
  WHERE {where}
  ORDER BY Seq DESC
  LIMIT @limit
) AS event ON TRUE`

// newest reads the newest events of the whole table, before one of them if that is
// named.
func newest(t table) (store.Stmt, error) {
	return stmt(sqltext.Fill(tailEvents, sqltext.Holes{
		"source": t.historyName(), "where": sqltext.Raw("Seq < coalesce(@before, 9223372036854775807)"),
	}))
}

// workerEvents reads the newest events of one worker.
func workerEvents(t table) (store.Stmt, error) {
	return stmt(sqltext.Fill(tailEvents, sqltext.Holes{
		"source": sqltext.Fill("({tail})", sqltext.Holes{"tail": t.tail()}), "where": sqltext.Raw("Worker = @worker"),
	}))
}

// latency reads how long the newest completed jobs had been in work. A percentile
// is the least value that so many of them do not exceed.
func latency(t table) (store.Stmt, error) {
	return stmt(sqltext.Fill(`WITH tail AS MATERIALIZED (
  {tail}
), done AS (
  SELECT At - ClaimedAt AS took,
         row_number() OVER (ORDER BY At - ClaimedAt) AS place,
         count(*) OVER () AS whole
  FROM tail
  WHERE At > @now - @over_ms AND Kind = 'completed' AND ClaimedAt IS NOT NULL
)
SELECT @now AS now,
       count(*) AS n,
       min(iif(place * 100 >= whole * 50, took, NULL)) AS p50_ms,
       min(iif(place * 100 >= whole * 95, took, NULL)) AS p95_ms,
       min(iif(place * 100 >= whole * 99, took, NULL)) AS p99_ms,
       {since} AS since
FROM done`, sqltext.Holes{"tail": t.tail(), "since": sqltext.Raw(since)}))
}
