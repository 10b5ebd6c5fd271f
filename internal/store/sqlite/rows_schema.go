package sqlite

import (
	"errors"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqltext"
	"github.com/leasetop/leasetop/model"
)

// rowSchema makes a destructive queue: the table, the index of its order, which
// is not unique, its dead letters, and the table that stands in for row locks.
func rowSchema(m *model.Mapping) (store.Stmt, error) {
	if m.Lane.Dead.IsZero() {
		return store.Stmt{}, errors.New("the mapping names no table of dead letters: write dead_letters")
	}
	t := rowset{table{m: m, c: &model.Caps{}}}
	columns := t.declarations()
	by := m.Column(model.RoleEnqueued)
	parts := []sqltext.Part{
		sqltext.Fill("CREATE TABLE IF NOT EXISTS {table} (\n  {columns}\n) STRICT", sqltext.Holes{"table": t.name(), "columns": columns}),
	}
	if !by.IsZero() {
		parts = append(parts, sqltext.Fill("CREATE INDEX IF NOT EXISTS {name}\n  ON {table} ({by})", sqltext.Holes{
			"name": indexName(m.Table, "Order"), "table": ident(m.Table.Name), "by": ident(by.Name),
		}))
	}
	parts = append(parts, sqltext.Fill(`CREATE TABLE IF NOT EXISTS {dead} (
  {columns},
  DeadAt INTEGER NOT NULL,
  Reason TEXT,
  Actor TEXT,
  Login TEXT,
  ActionId TEXT
) STRICT`, sqltext.Holes{"dead": t.deadName(), "columns": columns}),
		sqltext.Fill("CREATE INDEX IF NOT EXISTS {name}\n  ON {table} (DeadAt)", sqltext.Holes{
			"name": indexName(m.Lane.Dead, "DeadAt"), "table": ident(m.Lane.Dead.Name),
		}),
		sqltext.Fill("CREATE INDEX IF NOT EXISTS {name}\n  ON {table} (ActionId)", sqltext.Holes{
			"name": indexName(m.Lane.Dead, "Action"), "table": ident(m.Lane.Dead.Name),
		}),
		// A row in it is a row of the queue that a session has dequeued and not ended yet.
		sqltext.Fill(`CREATE TABLE IF NOT EXISTS {locks} (
  Row INTEGER PRIMARY KEY,
  Session TEXT NOT NULL,
  Beat INTEGER NOT NULL,
  ActionId TEXT,
  Actor TEXT,
  Reason TEXT
) STRICT`, sqltext.Holes{"locks": t.locks()}),
		sqltext.Fill("CREATE INDEX IF NOT EXISTS {name}\n  ON {table} (Session)", sqltext.Holes{
			"name": indexName(locksOf(m.Table), "Session"), "table": ident(locksOf(m.Table).Name),
		}))
	s, err := stmt(parts...)
	s.Op, s.Kind, s.Right = "schema", store.Work, "to write the file and its folder"
	s.Proved = "this engine, in leasetop's own tests"
	return s, err
}

// declarations are the row's columns as the engine declares them: a time is unix
// milliseconds.
func (t rowset) declarations() sqltext.Part {
	parts := make([]sqltext.Part, len(t.m.Keys))
	for i, c := range t.m.Keys {
		kind := sqltext.Raw("TEXT")
		switch c.Type {
		case model.Int, model.Time:
			kind = sqltext.Raw("INTEGER")
		case model.Fraction:
			kind = sqltext.Raw("REAL")
		case model.Binary:
			kind = sqltext.Raw("BLOB")
		case model.Null, model.Text, model.GUID, model.Opaque:
		}
		parts[i] = sqltext.Fill("{name} {kind} NOT NULL", sqltext.Holes{"name": ident(c.Name), "kind": kind})
	}
	return sqltext.List(",\n  ", parts...)
}
