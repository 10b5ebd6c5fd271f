package sqlite

import (
	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqltext"
	"github.com/leasetop/leasetop/model"
)

// pulse reads the figures of a queue at a cost of what is active in it: one
// sub-select a state, each a seek in an index and bounded by the cap. IN and
// GROUP BY would fall back to a scan, and done rows are never counted.
func pulse(t table) (store.Stmt, error) {
	return stmt(sqltext.Fill(`WITH RECURSIVE {oldest}
SELECT @now AS now, figure.*, worst.*, oldest.*, {brake_columns}
FROM (
  SELECT {scheduled} AS scheduled,
         {ready} AS ready,
         {working} AS working,
         {expired} AS expired,
         {corrupt} AS corrupt,
         {failed} AS failed,
         {rows} AS rows,
         {enqueued} AS enqueued,
         {completed} AS completed,
         (SELECT schema_version FROM pragma_schema_version) AS epoch
) AS figure
LEFT JOIN (
  {worst}
) AS worst ON TRUE
LEFT JOIN oldest ON TRUE{brake}`, sqltext.Holes{
		"brake_columns": brakeColumns(!t.m.Brake.IsZero()), "brake": t.besideBrake(),
		"scheduled": t.count(model.Scheduled, sqltext.Part{}), "ready": t.count(model.Ready, sqltext.Part{}),
		"working": t.count(model.Working, sqltext.Part{}), "failed": t.count(model.Failed, sqltext.Part{}),
		"expired": t.expired(), "corrupt": t.corrupt(), "rows": t.rows(), "enqueued": t.arrivals(), "completed": t.completions(),
		"worst": t.worst(), "oldest": t.oldest(),
	}))
}

// count counts the rows of a state, one more than the cap at the most. A state
// that the table does not have counts nothing.
func (t table) count(s model.State, also sqltext.Part) sqltext.Part {
	if !t.has(s) || t.lacks(counted(s)) != nil {
		return null()
	}
	return sqltext.Fill("(SELECT count(*) FROM (SELECT 1 FROM {table} WHERE {where} LIMIT @cap + 1))", sqltext.Holes{
		"table": t.name(), "where": sqltext.List(" AND ", t.in(s), also),
	})
}

func (t table) expired() sqltext.Part {
	if !t.m.Has(model.RoleLease) {
		return null()
	}
	return t.count(model.Working, t.leaseBefore(now()))
}

// corrupt counts the rows in work that nothing can ever end. It looks at no more
// of them than the cap.
func (t table) corrupt() sqltext.Part {
	if t.leased() != nil || !t.has(model.Working) {
		return null()
	}
	return sqltext.Fill(`(
           SELECT count(*)
           FROM (SELECT {columns} FROM {table} WHERE {working} LIMIT @cap + 1)
           WHERE {broken})`, sqltext.Holes{
		"columns": sqltext.List(", ", sqltext.If(t.m.Has(model.RoleToken), as(t.col(model.RoleToken), "token")), as(t.col(model.RoleLease), "lease")),
		"broken":  sqltext.List(" OR ", sqltext.If(t.m.Has(model.RoleToken), sqltext.Raw("token IS NULL")), sqltext.Raw("lease IS NULL")),
		"table":   t.name(), "working": t.in(model.Working),
	})
}

// rows estimates the table's rows by its first and last row numbers, less the share
// of 32 numbers between them that no row has: a purge leaves holes behind old dead
// letters. Each is found by a seek. A hundred rows are counted.
func (t table) rows() sqltext.Part {
	if t.lacks(hasRowID) != nil {
		return null()
	}
	return sqltext.Fill(`(
           SELECT CASE WHEN few <= 100 THEN few ELSE high - low + 1 - (high - low + 1) / 32 * (
             WITH RECURSIVE place(n) AS (VALUES (0) UNION ALL SELECT n + 1 FROM place WHERE n < 31)
             SELECT count(*) FROM place WHERE NOT EXISTS (SELECT 1 FROM {table} WHERE rowid = low + (high - low) / 64 * (2 * n + 1))) END
           FROM (
             SELECT low, high, (SELECT count(*) FROM (SELECT 1 FROM {table} WHERE rowid >= low LIMIT 101)) AS few
             FROM (SELECT (SELECT min(rowid) FROM {table}) AS low, (SELECT max(rowid) FROM {table}) AS high)))`,
		sqltext.Holes{"table": t.name()})
}

// arrivals is the highest number that a row ever got.
func (t table) arrivals() sqltext.Part {
	switch {
	case t.lacks(hasRowID) != nil:
		return null()
	case t.c.Can[hasSequence].OK:
		return sqltext.Fill("coalesce((SELECT seq FROM sqlite_sequence WHERE name = {name} COLLATE NOCASE), 0)",
			sqltext.Holes{"name": sqltext.Code(t.m.Table.Name)})
	}
	return sqltext.Fill("coalesce((SELECT max(rowid) FROM {table}), 0)", sqltext.Holes{"table": t.name()})
}

// completions counts what was completed since the last pulse, from the history.
func (t table) completions() sqltext.Part {
	if t.m.History.IsZero() {
		return null()
	}
	return sqltext.Fill(`(
           SELECT count(*)
           FROM (
             SELECT 1 FROM {history}
             WHERE Kind = 'completed' AND At > coalesce(@since, @now - 60000) AND At <= @now
             LIMIT @cap + 1))`, sqltext.Holes{"history": t.historyName()})
}

// worst is the job whose lease ended first.
func (t table) worst() sqltext.Part {
	if !t.m.Has(model.RoleLease) {
		return sqltext.Raw("SELECT NULL AS worst_key, NULL AS worst_lease")
	}
	return sqltext.Fill(`SELECT {key} AS worst_key,
         {lease} AS worst_lease
  FROM {table}
  WHERE {working} AND {expired}
  ORDER BY {ms}
  LIMIT 1`, sqltext.Holes{
		"key": t.keyOut(0), "lease": t.read(model.RoleLease), "table": t.name(), "working": t.in(model.Working),
		"expired": t.leaseBefore(now()), "ms": t.ms(model.RoleLease),
	})
}
