package sqlite

import (
	"maps"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqltext"
	"github.com/leasetop/leasetop/model"
)

// put adds the rows of a JSON array, each value converted as its column is typed.
// A time that is not given is the server's now.
func put(t rowset) (store.Stmt, error) {
	var names, values []sqltext.Part
	for i, c := range t.m.Keys {
		v := sqltext.Fill("value ->> {path}", sqltext.Holes{"path": jsonPath(i)})
		if c.Type == model.Binary {
			v = sqltext.Fill("unhex(substr({value}, 3))", sqltext.Holes{"value": v})
		}
		if c.Name == t.m.Column(model.RoleEnqueued).Name && c.Type == model.Time {
			v = sqltext.Fill("coalesce({value}, {now})", sqltext.Holes{"value": v, "now": t.written(now())})
		}
		names, values = append(names, ident(c.Name)), append(values, v)
	}
	return stmt(sqltext.Fill(`INSERT INTO {table}
  ({names})
  SELECT {values}
  FROM json_each(@jobs)
  ORDER BY json_each.key
  RETURNING @now AS now, 1 AS present, {clock} AS clock, {keys}`, sqltext.Holes{
		"table": t.name(), "names": sqltext.List(", ", names...), "values": sqltext.List(comma, values...),
		"clock": t.clock(), "keys": t.returned(),
	}))
}

// returned are all columns as they travel out of a statement that changes rows,
// where they have no alias.
func (t rowset) returned() sqltext.Part { return t.outAs("") }

// jsonPath is the member of a row's JSON object that holds a column's value.
func jsonPath(i int) sqltext.Part {
	return sqltext.Quoter(func(s string) string { return "'$." + s + "'" }).Ident(store.KeyNames(i + 1)[i])
}

const takenRows = `SELECT @now AS now,
       {clock} AS clock,
       r.*
FROM (SELECT 1) AS always
LEFT JOIN (
  SELECT 1 AS present,
         {keys}
  FROM {table} AS q{where}{order}{limit}
) AS r ON TRUE`

// chosen is which rows are taken: the first so many that nobody holds.
func (t rowset) chosen(order sqltext.Part) sqltext.Holes {
	where := t.free("q")
	if !where.IsZero() {
		where = sqltext.Fill("\n  WHERE {free}", sqltext.Holes{"free": where})
	}
	return sqltext.Holes{"table": t.name(), "where": where, "order": order, "limit": limited("n")}
}

func with(h sqltext.Holes, more sqltext.Holes) sqltext.Holes {
	out := sqltext.Holes{}
	maps.Copy(out, h)
	maps.Copy(out, more)
	return out
}

// captured is the answer of a statement that takes rows; it comes before the row
// goes, within the same write lock.
func (t rowset) captured(chosen sqltext.Holes) sqltext.Part {
	return sqltext.Fill(takenRows, with(chosen, sqltext.Holes{"clock": t.clock(), "keys": t.outAs("q")}))
}

// gone deletes the rows that are chosen.
func (t rowset) gone(chosen sqltext.Holes) sqltext.Part {
	return sqltext.Fill(`DELETE FROM {table}
WHERE rowid IN (
  SELECT q.rowid
  FROM {table} AS q{where}{order}{limit})`, chosen)
}

// dequeue takes rows and deletes them: from then on they are the caller's alone.
func dequeue(t rowset) (store.Stmt, error) {
	chosen := t.chosen(t.order(false))
	return t.taking(t.captured(chosen), t.gone(chosen))
}

// hold takes rows and keeps them locked by an entry in the lock table.
func hold(t rowset) (store.Stmt, error) {
	chosen := t.chosen(t.order(false))
	lock := sqltext.Fill(`INSERT INTO {locks} (Row, Session, Beat)
  SELECT q.rowid, @session, @now
  FROM {table} AS q{where}{order}{limit}`, with(chosen, sqltext.Holes{"locks": t.locks()}))
	return t.taking(t.captured(chosen), lock)
}

// holdBeat says that a session lives.
func holdBeat(t rowset) (store.Stmt, error) {
	return stmt(sqltext.Fill("SELECT @now AS now, count(*) AS held FROM {locks} WHERE Session = @session", sqltext.Holes{"locks": t.locks()}),
		sqltext.Fill("UPDATE {locks}\nSET Beat = @now\nWHERE Session = @session", sqltext.Holes{"locks": t.locks()}))
}

// holdCommit deletes the rows that the session still holds; those that it has
// given up become dead letters in the same moment.
func holdCommit(t rowset) (store.Stmt, error) {
	h := sqltext.Holes{"locks": t.locks(), "table": t.name()}
	mine := sqltext.Fill("SELECT @now AS now, count(*) AS held FROM {locks} WHERE Session = @session", sqltext.Holes{"locks": t.locks()})
	buried := sqltext.Part{}
	if t.rowNeeds(store.OpDead) == nil {
		buried = sqltext.Fill(`INSERT INTO {dead} ({columns}, DeadAt, Reason, Actor, ActionId)
  SELECT {values}, @now, l.Reason, l.Actor, l.ActionId
  FROM {table} AS q
  JOIN {locks} AS l ON l.Row = q.rowid
  WHERE l.Session = @session AND l.ActionId IS NOT NULL`, with(h, sqltext.Holes{
			"dead": t.deadName(), "columns": t.columns(), "values": t.bare("q"),
		}))
	}
	return stmt(mine, buried,
		sqltext.Fill("DELETE FROM {table}\nWHERE rowid IN (SELECT Row FROM {locks} WHERE Session = @session)", h),
		sqltext.Fill("DELETE FROM {locks}\nWHERE Session = @session", sqltext.Holes{"locks": t.locks()}))
}

// holdUndo frees the rows of a session.
func holdUndo(t rowset) (store.Stmt, error) {
	return stmt(sqltext.Fill("SELECT @now AS now, count(*) AS held FROM {locks} WHERE Session = @session", sqltext.Holes{"locks": t.locks()}),
		sqltext.Fill("DELETE FROM {locks}\nWHERE Session = @session", sqltext.Holes{"locks": t.locks()}))
}

// bare are the columns themselves, of a row source.
func (t rowset) bare(alias string) sqltext.Part {
	parts := make([]sqltext.Part, len(t.m.Keys))
	for i, c := range t.m.Keys {
		parts[i] = ident(alias, c.Name)
	}
	return sqltext.List(", ", parts...)
}

// buryHeld notes that a row which the session holds is to become a dead letter.
func buryHeld(t rowset) (store.Stmt, error) {
	one := sqltext.Holes{"locks": t.locks(), "table": t.name(), "same": t.same(), "keys": t.outAs("q"), "clock": t.clock()}
	answer := sqltext.Fill(`SELECT @now AS now,
       {clock} AS clock,
       r.*
FROM (SELECT 1) AS always
LEFT JOIN (
  SELECT 1 AS present,
         {keys}
  FROM {table} AS q
  WHERE q.rowid IN (SELECT Row FROM {locks} WHERE Session = @session AND ActionId IS NULL)
    AND {same}
  LIMIT 1
) AS r ON TRUE`, one)
	delete(one, "keys")
	delete(one, "clock")
	return stmt(answer, sqltext.Fill(`UPDATE {locks}
SET ActionId = @action, Actor = @actor, Reason = @reason
WHERE Row = (
  SELECT q.rowid
  FROM {table} AS q
  WHERE q.rowid IN (SELECT Row FROM {locks} WHERE Session = @session AND ActionId IS NULL)
    AND {same}
  LIMIT 1)`, one))
}
