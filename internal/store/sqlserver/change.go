package sqlserver

import (
	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqltext"
	"github.com/leasetop/leasetop/model"
)

// change is a step that changes jobs: one UPDATE by autocommit, whose OUTPUT goes
// into the history table or, where the step ends no attempt or there is no
// history, into a table variable; then the SELECT of what it captured. What the
// client reads is never OUTPUT itself: its rows can arrive although the statement
// then fails.
type change struct {
	op    store.Op
	set   []edit
	where sqltext.Part // which rows, for one row by its key and token
	batch *batch       // which rows, for several of them
	event event        // what the history says; zero: no attempt ends here

	// attempts is the job's count as the history's row tells it, where the step
	// changes it; absent: as it stands there.
	attempts sqltext.Part
}

// edit gives a column a new value. It is left out where no column plays the role.
type edit struct {
	role model.Role
	to   sqltext.Part
}

// event is what the history records beside the row itself.
type event struct {
	kind, action, actor, reason sqltext.Part
	mine                        sqltext.Part // how this statement's own rows are found again
}

// batch is the ordered choice of several rows, others' locked ones skipped.
type batch struct {
	limit sqltext.Part
	where sqltext.Part
	order sqltext.Part
	extra sqltext.Part // a computed column, absent where none is needed
}

const stepText = `{head}{guard}DECLARE @at datetime2(3) = SYSUTCDATETIME();{declare}

{update}
SET {set}
OUTPUT {captured}
INTO {target} ({columns}){where};

SELECT CONVERT(varchar(33), n.[now], 126) AS [now],
       {answer}
FROM (SELECT SYSUTCDATETIME() AS [now]) AS n
LEFT JOIN {found};`

// step renders a change.
func (t table) step(c change) sqltext.Part {
	h := sqltext.Holes{
		"head":  sqltext.If(store.SpecOf(c.op).Kind == store.Control, sqltext.Raw(headControl)).Or(sqltext.Raw(headWork)),
		"guard": sqltext.Raw(guard), "set": t.sets(c.set),
	}
	t.target(c, h)
	if c.batch != nil {
		h["update"], h["where"] = t.candidates(c), sqltext.Part{}
		return sqltext.Fill(stepText, h)
	}
	h["update"] = sqltext.Fill("UPDATE {table} WITH (ROWLOCK)", sqltext.Holes{"table": t.name()})
	h["where"] = sqltext.Fill("\nWHERE {where}", sqltext.Holes{"where": c.where})
	return sqltext.Fill(stepText, h)
}

// candidates is an UPDATE through an ordered CTE, since TOP in an UPDATE has no
// order of its own.
func (t table) candidates(c change) sqltext.Part {
	roles := []model.Role{
		model.RoleState, model.RoleToken, model.RoleLease, model.RoleWorker, model.RoleClaimed,
		model.RoleAttempts, model.RoleMaxAttempts, model.RoleAvailable,
	}
	for _, e := range c.set {
		roles = append(roles, e.role)
	}
	return sqltext.Fill(`WITH candidate AS (
    SELECT TOP ({limit})
           {raw}
    FROM {table} AS q WITH ({hints})
    WHERE {where}
    ORDER BY {order}
)
UPDATE candidate`, sqltext.Holes{
		"limit": c.batch.limit, "table": t.name(), "hints": t.f.lockHints(), "where": c.batch.where, "order": c.batch.order,
		"raw": sqltext.List(",\n           ", append(t.raw("q", roles...), c.batch.extra)...),
	})
}

func (t table) sets(edits []edit) sqltext.Part {
	var (
		parts []sqltext.Part
		set   = map[string]bool{} // a column that plays two roles is written once
	)
	for _, e := range edits {
		c := t.m.Column(e.role)
		if e.to.IsZero() || c.IsZero() || set[c.Name] {
			continue
		}
		set[c.Name] = true
		parts = append(parts, sqltext.Fill("{column} = {value}", sqltext.Holes{"column": t.of("", e.role), "value": e.to}))
	}
	return sqltext.List(",\n    ", parts...)
}

// target says where what was captured goes and how it is read back.
func (t table) target(c change, h sqltext.Holes) {
	if c.event.kind.IsZero() || !t.recorded() {
		t.intoVariable(h)
		return
	}
	t.intoHistory(c, h)
}

// captures are what every change captures, each from the row before or after it.
type capture struct {
	name  sqltext.Part // the contract's column
	fixed string       // the history's column
	side  string
	role  model.Role
}

func captures() []capture {
	return []capture{
		{ident("old_state"), "OldState", "deleted", model.RoleState},
		{ident("new_state"), "NewState", "inserted", model.RoleState},
		{ident("old_token"), "OldToken", "deleted", model.RoleToken},
		{ident("new_token"), "NewToken", "inserted", model.RoleToken},
		{ident("old_lease"), "OldLease", "deleted", model.RoleLease},
		{ident("new_lease"), "NewLease", "inserted", model.RoleLease},
		{ident("attempts"), "Attempt", "inserted", model.RoleAttempts},
		{ident("worker"), "Worker", "deleted", model.RoleWorker},
	}
}

// intoVariable captures into a table variable, which no trigger, key or lock of
// the table can spoil.
func (t table) intoVariable(h sqltext.Holes) {
	var declare, captured, columns, answer []sqltext.Part
	add := func(c model.Column, name sqltext.Part, side string) {
		declare = append(declare, sqltext.Fill("{name} {type} NULL", sqltext.Holes{"name": name, "type": sqltext.Declared(kept(c))}))
		captured = append(captured, within(side, c))
		columns = append(columns, name)
		answer = append(answer, as(read(c, sqltext.Fill("c.{name}", sqltext.Holes{"name": name})), name))
	}
	for i, c := range t.m.Keys {
		add(c, keyAlias(i), "inserted")
	}
	for _, k := range captures() {
		if c := t.m.Column(k.role); !c.IsZero() {
			add(c, k.name, k.side)
			continue
		}
		answer = append(answer, as(null(), k.name))
	}
	h["declare"] = sqltext.Fill("\nDECLARE @changed TABLE (\n    {columns}\n);", sqltext.Holes{"columns": sqltext.List(",\n    ", declare...)})
	h["captured"], h["columns"] = sqltext.List(comma, captured...), sqltext.List(", ", columns...)
	h["target"], h["answer"] = sqltext.Raw("@changed"), sqltext.List(comma, answer...)
	h["found"] = sqltext.Raw("@changed AS c\n    ON 1 = 1")
}

// intoHistory captures into the history table: the row of the history cannot be
// missing and cannot be there alone.
func (t table) intoHistory(c change, h sqltext.Holes) {
	key := t.historyKey()
	captured := []sqltext.Part{sqltext.Raw("@at"), c.event.kind, within("inserted", t.m.Keys[0])}
	columns := []sqltext.Part{ident("At"), ident("Kind"), ident("JobId")}
	answer := []sqltext.Part{as(read(key, within("h", key)), keyAlias(0))}
	fields := t.historyColumns()
	for _, k := range captures() {
		col := t.m.Column(k.role)
		if col.IsZero() {
			answer = append(answer, as(null(), k.name))
			continue
		}
		side := k.side
		if k.role == model.RoleAttempts {
			side = "deleted" // the attempt that ends is the one that was counted before
		}
		captured, columns = append(captured, within(side, col)), append(columns, ident(k.fixed))
		value := read(fieldOf(fields, k.fixed), within("h", fieldOf(fields, k.fixed)))
		if k.role == model.RoleAttempts {
			value = c.attempts.Or(value)
		}
		answer = append(answer, as(value, k.name))
	}
	add := func(name string, p sqltext.Part) {
		if !p.IsZero() {
			captured, columns = append(captured, p), append(columns, ident(name))
		}
	}
	add("ClaimedAt", t.of("deleted", model.RoleClaimed))
	add("ActionId", c.event.action)
	add("Actor", c.event.actor)
	add("Login", sqltext.Raw("ORIGINAL_LOGIN()"))
	add("Reason", c.event.reason)
	h["declare"] = sqltext.Part{}
	h["captured"], h["columns"] = sqltext.List(comma, captured...), sqltext.List(", ", columns...)
	h["target"], h["answer"] = t.historyName(), sqltext.List(comma, answer...)
	h["found"] = sqltext.Fill("{history} AS h\n    ON {mine}", sqltext.Holes{"history": t.historyName(), "mine": c.event.mine})
}

func fieldOf(fields []model.Column, name string) model.Column {
	for _, f := range fields {
		if f.Name == name {
			return f
		}
	}
	return model.Column{}
}
