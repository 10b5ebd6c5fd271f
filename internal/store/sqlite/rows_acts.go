package sqlite

import (
	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqltext"
	"github.com/leasetop/leasetop/model"
)

const acted = `SELECT @now AS now,
       {clock} AS clock,
       r.*
FROM (SELECT 1) AS always
LEFT JOIN (
  SELECT 1 AS present,
         {keys},
         (SELECT count(*) - 1 FROM {table} AS q WHERE {where}) AS alike
  FROM {table} AS q
  WHERE {where}
  LIMIT 1
) AS r ON TRUE`

const buried = `INSERT INTO {dead} ({columns}, DeadAt, Reason, Actor, ActionId)
  SELECT {values}, @now, @reason, @actor, @action
  FROM {table} AS q
  WHERE {where}{order}{limit}`

// bury makes a dead letter of one of the rows that are equal to the one that was
// seen. Which one cannot matter.
func bury(t rowset) (store.Stmt, error) {
	one := sqltext.Raw("\n  LIMIT 1")
	where := sqltext.List(and, t.same(), t.free("q"))
	answer := sqltext.Fill(acted, sqltext.Holes{
		"clock": t.clock(), "keys": t.outAs("q"), "table": t.name(), "where": where,
	})
	return t.taking(answer,
		sqltext.Fill(buried, sqltext.Holes{
			"dead": t.deadName(), "columns": t.columns(), "values": t.bare("q"), "table": t.name(), "where": where,
			"order": sqltext.Part{}, "limit": one,
		}),
		sqltext.Fill(`DELETE FROM {table}
WHERE rowid = (
  SELECT q.rowid
  FROM {table} AS q
  WHERE {where}
  LIMIT 1)`, sqltext.Holes{"table": t.name(), "where": where}))
}

// buryOldest makes dead letters of the oldest rows that nobody holds, whatever the
// order of dequeue is.
func buryOldest(t rowset) (store.Stmt, error) {
	chosen := t.chosen(t.oldestFirst("q"))
	where := t.free("q").Or(sqltext.Raw("TRUE"))
	return t.taking(t.captured(chosen),
		sqltext.Fill(buried, sqltext.Holes{
			"dead": t.deadName(), "columns": t.columns(), "values": t.bare("q"), "table": t.name(), "where": where,
			"order": t.oldestFirst("q"), "limit": limited("n"),
		}),
		t.gone(chosen))
}

// buryTaken makes a dead letter of a row that is no longer in the queue.
func buryTaken(t rowset) (store.Stmt, error) {
	values := make([]sqltext.Part, len(t.m.Keys))
	for i, c := range t.m.Keys {
		values[i] = sqltext.Arg(store.KeyNames(i + 1)[i])
		if c.Type == model.Binary {
			values[i] = sqltext.Fill("unhex(substr({value}, 3))", sqltext.Holes{"value": values[i]})
		}
	}
	return stmt(sqltext.Fill(`INSERT INTO {dead} ({columns}, DeadAt, Reason, Actor, ActionId)
  VALUES ({values}, @now, @reason, @actor, @action)
  RETURNING @now AS now, 1 AS present, {clock} AS clock, {keys}`, sqltext.Holes{
		"dead": t.deadName(), "columns": t.columns(), "values": sqltext.List(", ", values...), "clock": t.clock(), "keys": t.returned(),
	}))
}

// requeueRow puts a dead letter back, at the tail: its time is now.
func requeueRow(t rowset) (store.Stmt, error) { return t.requeueDead(false) }

// requeueKept puts a dead letter back where its old time belongs, which may be the
// head.
func requeueKept(t rowset) (store.Stmt, error) { return t.requeueDead(true) }

func (t rowset) requeueDead(keep bool) (store.Stmt, error) {
	where := sqltext.List(and, t.same(), sqltext.Raw("q.ActionId IS @token"))
	by := t.m.Column(model.RoleEnqueued)
	var values, keys []sqltext.Part
	for i, c := range t.m.Keys {
		v, out := ident("q", c.Name), t.out("q", c)
		if c.Name == by.Name && by.Type == model.Time && !keep {
			v = t.written(now())
			out = v
		}
		values, keys = append(values, v), append(keys, named(out, i))
	}
	answer := sqltext.Fill(acted, sqltext.Holes{
		"clock": t.clock(), "keys": sqltext.List(comma, keys...), "table": t.deadName(), "where": where,
	})
	return stmt(answer,
		sqltext.Fill(`INSERT INTO {table} ({columns})
  SELECT {values}
  FROM {dead} AS q
  WHERE {where}
  LIMIT 1`, sqltext.Holes{
			"table": t.name(), "columns": t.columns(), "values": sqltext.List(", ", values...), "dead": t.deadName(), "where": where,
		}),
		sqltext.Fill(`DELETE FROM {dead}
WHERE rowid = (
  SELECT q.rowid
  FROM {dead} AS q
  WHERE {where}
  LIMIT 1)`, sqltext.Holes{"dead": t.deadName(), "where": where}))
}
