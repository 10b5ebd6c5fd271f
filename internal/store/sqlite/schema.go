package sqlite

import (
	"fmt"
	"strings"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqltext"
	"github.com/leasetop/leasetop/model"
)

const queueTable = `CREATE TABLE IF NOT EXISTS {table} (
  {key} INTEGER PRIMARY KEY AUTOINCREMENT,
  {state} TEXT NOT NULL DEFAULT {ready},
  {priority} INTEGER NOT NULL DEFAULT 100,
  {token} TEXT,
  {lease} INTEGER,
  {available} INTEGER NOT NULL DEFAULT (CAST(unixepoch('subsec') * 1000 AS INTEGER)),
  {enqueued} INTEGER NOT NULL DEFAULT (CAST(unixepoch('subsec') * 1000 AS INTEGER)),
  {claimed} INTEGER,
  {heartbeat} INTEGER,
  {ended} INTEGER,
  {worker} TEXT,
  {attempts} INTEGER NOT NULL DEFAULT 0,
  {max_attempts} INTEGER NOT NULL DEFAULT 5,
  {total_claims} INTEGER NOT NULL DEFAULT 0,
  {error} TEXT,
  {operation} TEXT NOT NULL DEFAULT ({guid}),
  {payload} TEXT NOT NULL
) STRICT`

const historyTable = `CREATE TABLE IF NOT EXISTS {history} (
  Seq       INTEGER PRIMARY KEY,
  At        INTEGER NOT NULL,
  Kind      TEXT    NOT NULL,
  JobId     INTEGER NOT NULL,
  Attempt   INTEGER,
  OldState  TEXT,
  NewState  TEXT,
  OldToken  TEXT,
  NewToken  TEXT,
  OldLease  INTEGER,
  NewLease  INTEGER,
  Worker    TEXT,
  ClaimedAt INTEGER,
  ActionId  TEXT,
  Actor     TEXT,
  Login     TEXT,
  Reason    TEXT
) STRICT`

// historyColumns are the history's columns; a table that lacks one is not ours.
func historyColumns() []string {
	return []string{
		"Seq", "At", "Kind", "JobId", "Attempt", "OldState", "NewState", "OldToken", "NewToken",
		"OldLease", "NewLease", "Worker", "ClaimedAt", "ActionId", "Actor", "Login", "Reason",
	}
}

// Schema makes the shipped queue. Its indexes hold only the rows of one state, so
// that done rows cost a claim and a poll nothing.
func (d *Dialect) Schema(m *model.Mapping) (store.Stmt, error) {
	if m.IsDestructive() {
		return rowSchema(m)
	}
	if !m.InUTC() {
		return store.Stmt{}, errClock
	}
	for _, r := range model.Roles() {
		if !m.Has(r) {
			return store.Stmt{}, fmt.Errorf("only the shipped lease table can be made: the mapping has no %s column", r)
		}
	}
	t := table{m: m, c: &model.Caps{}}
	for _, s := range model.States() {
		if !t.has(s) {
			return store.Stmt{}, fmt.Errorf("only the shipped lease table can be made: the mapping has no %s state", s)
		}
	}
	if m.History.IsZero() || m.Brake.IsZero() || len(m.Keys) != 1 {
		return store.Stmt{}, fmt.Errorf("only the shipped lease table can be made: the mapping needs one key column, a history table and one for the brake")
	}
	s, err := stmt(append([]sqltext.Part{t.queueTable(), t.historyTable(), t.brakeTable(), t.brakeRow()}, t.indexes()...)...)
	s.Op, s.Kind, s.Right = "schema", store.Work, "to write the file and its folder"
	s.Proved = "this engine, in leasetop's own tests"
	return s, err
}

func (t table) queueTable() sqltext.Part {
	h := sqltext.Holes{"table": t.name(), "ready": t.state(model.Ready), "guid": sqltext.Raw(guid)}
	for _, r := range model.Roles() {
		h[string(r)] = t.col(r)
	}
	return sqltext.Fill(queueTable, h)
}

func (t table) historyTable() sqltext.Part {
	return sqltext.Fill(historyTable, sqltext.Holes{"history": t.historyName()})
}

// indexes of the shipped queue: claim order, leases, due times, dead letters; and
// of its history: by job, and completions by time.
func (t table) indexes() []sqltext.Part {
	queue := func(name string, s model.State, columns ...sqltext.Part) sqltext.Part {
		return sqltext.Fill("CREATE INDEX IF NOT EXISTS {name}\n  ON {table} ({columns}) WHERE {where}", sqltext.Holes{
			"name": indexName(t.m.Table, name), "table": ident(t.m.Table.Name),
			"columns": sqltext.List(", ", append(columns, t.keys())...), "where": t.in(s),
		})
	}
	on := sqltext.Holes{"table": ident(t.m.History.Name), "job": indexName(t.m.History, "Job"), "done": indexName(t.m.History, "Completed")}
	return []sqltext.Part{
		queue("Ready", model.Ready, t.col(model.RolePriority), t.col(model.RoleAvailable)),
		queue("Working", model.Working, t.col(model.RoleLease)),
		queue("Scheduled", model.Scheduled, t.col(model.RoleAvailable)),
		queue("Failed", model.Failed, t.col(model.RoleEnded)),
		sqltext.Fill("CREATE INDEX IF NOT EXISTS {name}\n  ON {table} ({operation})", sqltext.Holes{
			"name": indexName(t.m.Table, "Operation"), "table": ident(t.m.Table.Name), "operation": t.col(model.RoleOperation),
		}),
		sqltext.Fill("CREATE INDEX IF NOT EXISTS {name}\n  ON {table} (JobId, Seq)", sqltext.Holes{"name": on["job"], "table": on["table"]}),
		sqltext.Fill("CREATE INDEX IF NOT EXISTS {name}\n  ON {table} (At) WHERE Kind = 'completed'", sqltext.Holes{"name": on["done"], "table": on["table"]}),
	}
}

// indexName names an index after its table, in the table's own schema.
func indexName(t model.Table, what string) sqltext.Part {
	return ident(t.Schema, strings.Join([]string{"IX", t.Name, what}, "_"))
}
