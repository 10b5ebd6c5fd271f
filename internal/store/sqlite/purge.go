package sqlite

import (
	"errors"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqltext"
	"github.com/leasetop/leasetop/model"
)

const purgedText = `SELECT @now AS now,
       count(*) FILTER (WHERE doomed) AS deleted,
       max(place) AS last,
       {more} AS more
FROM ({batch})`

const purgeText = `DELETE FROM {table}
WHERE {key} IN (SELECT place FROM ({batch}) WHERE doomed)`

// purge removes one batch, which both its texts choose alike.
func (t table) purge(name, key, batch, more sqltext.Part) (store.Stmt, error) {
	return stmt(
		sqltext.Fill(purgedText, sqltext.Holes{"more": more, "batch": batch}),
		sqltext.Fill(purgeText, sqltext.Holes{"table": name, "key": key, "batch": batch}))
}

// full is more, while batches are full.
func full() sqltext.Part { return sqltext.Raw("count(*) >= @n") }

// purgeDone walks the table by its key, since no index has the done rows: a batch
// looks at so many rows, and the walk ends where rows begin that were enqueued only
// after the time.
func purgeDone(t table) (store.Stmt, error) {
	h := sqltext.Holes{
		"key": t.key(), "table": t.name(), "done": t.in(model.Done), "ended": t.ms(model.RoleEnded), "enqueued": t.ms(model.RoleEnqueued),
	}
	return t.purge(t.name(), t.key(), sqltext.Fill(`
  SELECT {key} AS place, {done} AND {ended} < @until AS doomed, {enqueued} AS enqueued
  FROM {table}
  WHERE {key} > coalesce(@after, -9223372036854775808)
  ORDER BY {key}
  LIMIT @n`, h), sqltext.Raw("count(*) >= @n AND max(enqueued) < @until"))
}

// purgeFailed takes the dead letters by their index, the oldest first.
func purgeFailed(t table) (store.Stmt, error) {
	return t.purge(t.name(), t.key(), sqltext.Fill(`
  SELECT {key} AS place, TRUE AS doomed
  FROM {table}
  WHERE {failed} AND {ended} < @until
  ORDER BY {ended}, {key}
  LIMIT @n`, sqltext.Holes{
		"key": t.key(), "table": t.name(), "failed": t.in(model.Failed), "ended": t.ms(model.RoleEnded),
	}), full())
}

// purgeHistory takes the history from its beginning, where the oldest events are.
func purgeHistory(t table) (store.Stmt, error) {
	return t.purge(t.historyName(), sqltext.Raw("Seq"), sqltext.Fill(`
  SELECT Seq AS place, At < @until AS doomed
  FROM {history}
  WHERE Seq > -9223372036854775808
  ORDER BY Seq
  LIMIT @n`, sqltext.Holes{"history": t.historyName()}), sqltext.Raw("count(*) FILTER (WHERE doomed) >= @n"))
}

// purgeKeys walks a table that knows no times, up to a key.
func purgeKeys(t table) (store.Stmt, error) {
	return t.purge(t.name(), t.key(), sqltext.Fill(`
  SELECT {key} AS place, {done} AS doomed
  FROM {table}
  WHERE {key} > coalesce(@after, -9223372036854775808) AND {key} <= @upto
  ORDER BY {key}
  LIMIT @n`, sqltext.Holes{"key": t.key(), "table": t.name(), "done": t.in(model.Done)}), full())
}

// purges refuses a purge that the table cannot have.
func (t table) purges(op store.Op) error {
	switch {
	case op == store.OpPurgeHistory && t.m.History.IsZero():
		return errors.New("not recorded: the table has no history table")
	case op == store.OpPurgeHistory:
		return nil
	case len(t.m.Keys) != 1 || t.m.Keys[0].Type != model.Int:
		return errors.New("the key is no single whole number, so batches have no order")
	case op == store.OpPurgeKeys && t.m.Has(model.RoleEnded):
		return errors.New("the table records when jobs ended: purge it by that time")
	case op != store.OpPurgeKeys && (!t.m.Has(model.RoleEnded) || !t.m.Has(model.RoleEnqueued)):
		return errors.New("the table does not record when a job ended: purge it by key")
	case op != store.OpPurgeFailed && !t.has(model.Done):
		return errors.New("the mapping names no value for the done state")
	case op == store.OpPurgeFailed && !t.has(model.Failed):
		return errors.New("the mapping names no value for the failed state")
	}
	return errors.Join(t.lacks(hasKey), t.live())
}
