package sqlserver

import (
	"errors"
	"strings"

	"github.com/leasetop/leasetop/internal/store/sqltext"
	"github.com/leasetop/leasetop/model"
)

// Mend writes the statement of a remedy, for a person to read, to change and to
// run: nothing here sends it.
func (d Dialect) Mend(m *model.Mapping, r model.Remedy) (string, error) {
	t := table{m: m, c: &model.Caps{}}
	part, err := t.mend(r)
	if err != nil {
		return "", err
	}
	return inClock(m, part).Text()
}

func (t table) mend(r model.Remedy) (sqltext.Part, error) {
	switch r.Kind {
	case model.MendIndex, model.MendUnique, model.MendClustered, model.MendWhole, model.MendEnable, model.MendPageLocks, model.MendRowLocks:
		return mendIndex(r), nil
	case model.MendWiden, model.MendNotNull, model.MendPrecision:
		return t.mendColumn(r), nil
	case model.MendFree, model.MendBound, model.MendEnded, model.MendDue, model.MendLease:
		return t.mendRows(r)
	}
	h := sqltext.Holes{"table": tableName(r.Table)}
	switch r.Kind {
	case model.MendVersions:
		return sqltext.Raw("ALTER DATABASE CURRENT SET READ_COMMITTED_SNAPSHOT ON;"), nil
	case model.MendTrigger:
		h["table"], h["name"] = ident(schemaOf(r.Table)), ident(r.Name)
		return sqltext.Fill("DROP TRIGGER {table}.{name};", h), nil
	case model.MendDisable:
		h["name"] = ident(schemaOf(r.Table), r.Name)
		return sqltext.Fill("DISABLE TRIGGER {name} ON {table};", h), nil
	case model.MendConstraint:
		h["name"] = ident(r.Name)
		return sqltext.Fill("ALTER TABLE {table} DROP CONSTRAINT {name};", h), nil
	case model.MendGrant:
		return grantTo(r)
	}
	return sqltext.Part{}, errors.New("no statement mends it")
}

// mendIndex makes an index or changes one.
func mendIndex(r model.Remedy) sqltext.Part {
	var columns []sqltext.Part
	for _, c := range r.Columns {
		columns = append(columns, ident(c))
	}
	h := sqltext.Holes{"name": sqltext.Raw("ALL"), "table": tableName(r.Table)}
	if r.Name != "" {
		h["name"] = ident(r.Name)
	}
	online := sqltext.If(r.Online, sqltext.Raw("ONLINE = ON"))
	with := func(options ...sqltext.Part) sqltext.Part {
		list := sqltext.List(", ", options...)
		return sqltext.If(!list.IsZero(), sqltext.Fill(" WITH ({options})", sqltext.Holes{"options": list}))
	}
	switch r.Kind {
	case model.MendEnable:
		h["with"] = with(online)
		return sqltext.Fill("ALTER INDEX {name} ON {table} REBUILD{with};", h)
	case model.MendPageLocks:
		return sqltext.Fill("ALTER INDEX {name} ON {table} SET (ALLOW_PAGE_LOCKS = OFF);", h)
	case model.MendRowLocks:
		return sqltext.Fill("ALTER INDEX {name} ON {table} SET (ALLOW_ROW_LOCKS = ON);", h)
	}
	h["columns"], h["with"] = sqltext.List(", ", columns...), with(online)
	h["kind"] = sqltext.If(r.Kind == model.MendUnique, sqltext.Raw("UNIQUE ")).Or(sqltext.If(r.Kind == model.MendClustered, sqltext.Raw("CLUSTERED ")))
	if r.Kind == model.MendWhole {
		h["with"] = with(sqltext.Raw("DROP_EXISTING = ON"), online)
	}
	return sqltext.Fill("CREATE {kind}INDEX {name} ON {table} ({columns}){with};", h)
}

// rightNames are the rights that a remedy can grant, as the server spells them.
func rightNames() map[string]sqltext.Part {
	return map[string]sqltext.Part{
		"SELECT": sqltext.Raw("SELECT"), "INSERT": sqltext.Raw("INSERT"), "UPDATE": sqltext.Raw("UPDATE"),
		"SELECT, INSERT": sqltext.Raw("SELECT, INSERT"), "VIEW SERVER STATE": sqltext.Raw("VIEW SERVER STATE"),
		"VIEW DATABASE STATE": sqltext.Raw("VIEW DATABASE STATE"),
	}
}

func grantTo(r model.Remedy) (sqltext.Part, error) {
	name, ok := rightNames()[r.Name]
	if !ok || r.To == "" {
		return sqltext.Part{}, errors.New("no such right")
	}
	h := sqltext.Holes{"right": name, "to": ident(r.To)}
	switch {
	case r.Name == "VIEW DATABASE STATE":
		return sqltext.Fill("GRANT {right} TO {to};", h), nil
	case r.Table.IsZero():
		return sqltext.Fill("GRANT {right} TO {to}; -- in master", h), nil
	}
	h["table"] = tableName(r.Table)
	return sqltext.Fill("GRANT {right} ON {table} TO {to};", h), nil
}

// mendColumn changes what a column can hold.
func (t table) mendColumn(r model.Remedy) sqltext.Part {
	if len(r.Columns) == 0 {
		return sqltext.Part{}
	}
	h := sqltext.Holes{"table": t.name(), "column": ident(r.Columns[0])}
	switch r.Kind {
	case model.MendWiden:
		return sqltext.Fill("ALTER TABLE {table} ALTER COLUMN {column} bigint NOT NULL; -- once the primary key and the indexes on it are dropped", h)
	case model.MendPrecision:
		return sqltext.Fill("ALTER TABLE {table} ALTER COLUMN {column} datetime2(3) NULL;", h)
	}
	h["type"] = sqltext.Raw("bigint")
	for _, c := range t.m.Keys {
		if strings.EqualFold(c.Name, r.Columns[0]) && c.Declared != "" {
			h["type"] = sqltext.Declared(c.Declared)
		}
	}
	return sqltext.Fill("ALTER TABLE {table} ALTER COLUMN {column} {type} NOT NULL;", h)
}

// mendRows sets right what single rows have wrong. A statement about one row says
// which and in which state it must still be; one about many does a batch.
func (t table) mendRows(r model.Remedy) (sqltext.Part, error) {
	code := func(s model.State) sqltext.Part { return constant(t.m.Column(model.RoleState), t.m.States[s]) }
	h := sqltext.Holes{"table": t.name(), "state": t.of("", model.RoleState)}
	switch r.Kind {
	case model.MendEnded:
		h["column"], h["code"] = t.of("", model.RoleEnded), code(model.Failed)
		return sqltext.Fill("UPDATE TOP (500) {table} SET {column} = SYSUTCDATETIME() WHERE {state} = {code} AND {column} IS NULL;", h), nil
	case model.MendDue:
		h["column"], h["code"] = t.of("", model.RoleAvailable), code(model.Scheduled)
		return sqltext.Fill("UPDATE TOP (500) {table} SET {column} = SYSUTCDATETIME() WHERE {state} = {code} AND {column} IS NULL;", h), nil
	case model.MendLease:
		h["column"], h["code"] = t.of("", model.RoleLease), code(model.Done)
		return sqltext.Fill("UPDATE TOP (500) {table} SET {column} = NULL WHERE {state} = {code} AND {column} IS NOT NULL; -- repeat until nothing is left", h), nil
	}
	if r.Key.IsZero() {
		return sqltext.Part{}, errors.New("no row is named")
	}
	var where []sqltext.Part
	for i, v := range r.Key.Values() {
		where = append(where, sqltext.Fill("{column} = {value}", sqltext.Holes{"column": within("", t.m.Keys[i]), "value": constant(t.m.Keys[i], v)}))
	}
	h["key"] = sqltext.List(" AND ", where...)
	if r.Kind == model.MendBound {
		h["bound"], h["attempts"], h["ready"] = t.of("", model.RoleMaxAttempts), t.of("", model.RoleAttempts), code(model.Ready)
		return sqltext.Fill("UPDATE {table} SET {bound} = {attempts} + 1 WHERE {key} AND {state} = {ready};", h), nil
	}
	h["working"], h["ready"] = code(model.Working), code(model.Ready)
	if t.m.Column(model.RoleToken).Type != model.GUID {
		return sqltext.Part{}, errors.New("the token is no uniqueidentifier: dead-letter the row instead")
	}
	h["token"], h["lease"] = t.of("", model.RoleToken), t.of("", model.RoleLease)
	return sqltext.Fill("UPDATE {table} SET {state} = {ready}, {token} = NEWID(), {lease} = NULL WHERE {key} AND {state} = {working} AND ({token} IS NULL OR {lease} IS NULL);", h), nil
}

// constant is a value in the text itself, as its column's type writes it.
func constant(c model.Column, v model.Value) sqltext.Part {
	if c.Type == model.Int {
		if n, ok := v.Int(); ok && v.Text == model.IntValue(n).Text {
			return sqltext.Number(n)
		}
	}
	if strings.HasPrefix(c.Declared, "n") || !ascii(v.Text) {
		return literal(v.Text)
	}
	if c.Type == model.Binary {
		return sqltext.Fill("CONVERT({type}, {value}, 1)", sqltext.Holes{"type": sqltext.Declared(kept(c)), "value": plain(v.Text)})
	}
	return plain(v.Text)
}
