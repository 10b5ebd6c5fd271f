package sqlite

import (
	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqltext"
	"github.com/leasetop/leasetop/model"
)

// depth reads the figures: how many rows, both ends, and what is locked. Each end
// is one step in the index.
func depth(t rowset) (store.Stmt, error) {
	return stmt(sqltext.Fill(`SELECT @now AS now, figure.*, side.*
FROM (
  SELECT {clock} AS clock,
         (SELECT count(*) FROM (SELECT 1 FROM {table} LIMIT @cap + 1)) AS depth,
         {rows} AS rows,
         {locked} AS locked,
         {dead} AS dead,
         {arrived} AS arrived,
         NULL AS inserted,
         NULL AS deleted,
         (SELECT schema_version FROM pragma_schema_version) AS epoch
) AS figure
LEFT JOIN (
{ends}
) AS side ON TRUE`, sqltext.Holes{
		"clock": t.clock(), "table": t.name(), "rows": t.rows(), "locked": t.lockedRows(), "dead": t.deadRows(),
		"arrived": t.arrivedRows(), "ends": t.ends(),
	}))
}

// ends are the row that is dequeued next and the one that is dequeued last.
func (t rowset) ends() sqltext.Part {
	end := func(name sqltext.Part, opposite bool) sqltext.Part {
		return sqltext.Fill(`  SELECT * FROM (
  SELECT 1 AS present,
         {name} AS "end",
         {keys}
  FROM {table} AS q{order}
  LIMIT 1)`, sqltext.Holes{"name": name, "keys": t.outAs("q"), "table": t.name(), "order": t.order(opposite)})
	}
	if t.m.Lane.Order == model.OrderNone || t.lacks(model.CanOrder) != nil {
		return sqltext.Fill(`  SELECT 0 AS present,
         NULL AS "end",
         {keys}`, sqltext.Holes{"keys": t.nothing()})
	}
	return sqltext.List("\n  UNION ALL\n", end(sqltext.Raw("'head'"), false), end(sqltext.Raw("'tail'"), true))
}

// nothing are the contract's key columns without a row.
func (t rowset) nothing() sqltext.Part {
	parts := make([]sqltext.Part, len(t.m.Keys))
	for i := range t.m.Keys {
		parts[i] = named(null(), i)
	}
	return sqltext.List(comma, parts...)
}

func (t rowset) lockedRows() sqltext.Part {
	if t.locks().IsZero() {
		return null()
	}
	return sqltext.Fill("(SELECT count(*) FROM {locks} WHERE {alive})", sqltext.Holes{"locks": t.locks(), "alive": alive()})
}

func (t rowset) deadRows() sqltext.Part {
	if t.rowNeeds(store.OpDead) != nil {
		return null()
	}
	return sqltext.Fill("(SELECT count(*) FROM (SELECT 1 FROM {dead} LIMIT @cap + 1))", sqltext.Holes{"dead": t.deadName()})
}

// arrivedRows counts the rows that have come since the last pulse and are there;
// times that are text are in no order that an index could count by.
func (t rowset) arrivedRows() sqltext.Part {
	by := t.m.Column(model.RoleEnqueued)
	if by.Type != model.Time || !t.whole(by) || t.lacks(model.CanOrder) != nil {
		return null()
	}
	return sqltext.Fill(`(
           SELECT count(*)
           FROM (SELECT 1 FROM {table} WHERE {by} > coalesce(@since, @now - 60000) AND {by} <= @now LIMIT @cap + 1))`,
		sqltext.Holes{"table": t.name(), "by": ident(by.Name)})
}

const listedRows = `SELECT @now AS now,
       {clock} AS clock,
       r.*
FROM (SELECT 1) AS always
LEFT JOIN (
  SELECT 1 AS present,
         {locked} AS locked,
         {keys}
  FROM {table} AS q{order}{limit}
) AS r ON TRUE`

// head lists the rows in the order in which they are dequeued.
func head(t rowset) (store.Stmt, error) { return t.listed(false) }

// tail lists the rows the other way round.
func tail(t rowset) (store.Stmt, error) { return t.listed(true) }

func (t rowset) listed(opposite bool) (store.Stmt, error) {
	return stmt(sqltext.Fill(listedRows, sqltext.Holes{
		"clock": t.clock(), "locked": t.isLocked("q"), "keys": t.outAs("q"), "table": t.name(),
		"order": t.order(opposite), "limit": limited("limit"),
	}))
}

// row looks for rows of the same values.
func row(t rowset) (store.Stmt, error) {
	return stmt(sqltext.Fill(`SELECT @now AS now,
       {clock} AS clock,
       r.*
FROM (SELECT 1) AS always
LEFT JOIN (
  SELECT 1 AS present,
         {keys},
         count(*) AS copies,
         sum({locked}) AS locked
  FROM {table} AS q
  WHERE {same}
  HAVING count(*) > 0
) AS r ON TRUE`, sqltext.Holes{
		"clock": t.clock(), "keys": t.outAs("q"), "locked": t.isLocked("q"), "table": t.name(), "same": t.same(),
	}))
}

const deadColumns = `DeadAt AS at,
         Reason AS reason,
         Actor AS actor,
         Login AS login,
         ActionId AS action`

const deadList = `SELECT @now AS now,
       {clock} AS clock,
       r.*
FROM (SELECT 1) AS always
LEFT JOIN (
  SELECT 1 AS present,
         {keys},
         {burial}
  FROM {dead} AS q{where}
  ORDER BY DeadAt DESC, rowid DESC{limit}
) AS r ON TRUE`

// dead lists the dead letters, the newest first.
func dead(t rowset) (store.Stmt, error) { return t.deadList(sqltext.Part{}) }

// rowsOf lists what one act has made dead letters of.
func rowsOf(t rowset) (store.Stmt, error) {
	return t.deadList(sqltext.Raw("\n  WHERE ActionId = @action"))
}

func (t rowset) deadList(where sqltext.Part) (store.Stmt, error) {
	return stmt(sqltext.Fill(deadList, sqltext.Holes{
		"clock": t.clock(), "keys": t.outAs("q"), "burial": sqltext.Raw(deadColumns), "dead": t.deadName(),
		"where": where, "limit": limited("limit"),
	}))
}

// deadRow looks for dead letters of the same values that one act made.
func deadRow(t rowset) (store.Stmt, error) {
	return stmt(sqltext.Fill(`SELECT @now AS now,
       {clock} AS clock,
       r.*
FROM (SELECT 1) AS always
LEFT JOIN (
  SELECT 1 AS present,
         {keys},
         {burial},
         count(*) AS copies
  FROM {dead} AS q
  WHERE {same}
    AND q.ActionId IS @token
  HAVING count(*) > 0
) AS r ON TRUE`, sqltext.Holes{
		"clock": t.clock(), "keys": t.outAs("q"), "burial": sqltext.Raw(deadColumns), "dead": t.deadName(), "same": t.same(),
	}))
}
