package sqlite

import (
	"errors"

	"github.com/leasetop/leasetop/internal/store/sqltext"
	"github.com/leasetop/leasetop/model"
)

// Mend writes the statement of a remedy, for a person to read, to change and to
// run: nothing here sends it.
func (d *Dialect) Mend(m *model.Mapping, r model.Remedy) (string, error) {
	t := table{m: m, c: &model.Caps{}}
	part, err := t.mend(r)
	if err != nil {
		return "", err
	}
	return part.Text()
}

func (t table) mend(r model.Remedy) (sqltext.Part, error) {
	switch r.Kind {
	case model.MendIndex, model.MendUnique:
		var columns []sqltext.Part
		for _, c := range r.Columns {
			columns = append(columns, ident(c))
		}
		return sqltext.Fill("CREATE {unique}INDEX {name} ON {table} ({columns});", sqltext.Holes{
			"unique": sqltext.If(r.Kind == model.MendUnique, sqltext.Raw("UNIQUE ")), "name": indexName(r.Table, r.Name),
			"table": ident(r.Table.Name), "columns": sqltext.List(", ", columns...),
		}), nil
	case model.MendEnded, model.MendDue, model.MendLease:
		return t.mendMany(r), nil
	case model.MendDisable:
		return sqltext.Fill("DROP TRIGGER {name};", sqltext.Holes{"name": ident(r.Name)}), nil
	case model.MendFree, model.MendBound:
		return t.mendOne(r)
	}
	return sqltext.Part{}, errors.New("no statement mends it here")
}

// mendMany sets a time of all rows of a state that lack it, or takes a lease away.
func (t table) mendMany(r model.Remedy) sqltext.Part {
	role, state := model.RoleEnded, model.Failed
	switch r.Kind {
	case model.MendDue:
		role, state = model.RoleAvailable, model.Scheduled
	case model.MendLease:
		return sqltext.Fill("UPDATE {table} SET {lease} = NULL WHERE {state} AND {lease} IS NOT NULL;", sqltext.Holes{
			"table": t.name(), "lease": t.col(model.RoleLease), "state": t.in(model.Done),
		})
	}
	return sqltext.Fill("UPDATE {table} SET {column} = {now} WHERE {state} AND {column} IS NULL;", sqltext.Holes{
		"table": t.name(), "column": t.col(role), "now": t.write(role, sqltext.Raw("CAST(unixepoch('subsec') * 1000 AS INTEGER)")), "state": t.in(state),
	})
}

// mendOne sets one row right, as long as it is in the state in which it was found.
func (t table) mendOne(r model.Remedy) (sqltext.Part, error) {
	if r.Key.IsZero() {
		return sqltext.Part{}, errors.New("no row is named")
	}
	var where []sqltext.Part
	for i, v := range r.Key.Values() {
		value := textOf(v.Text)
		if n, ok := v.Int(); ok && v.Text == model.IntValue(n).Text {
			value = sqltext.Number(n)
		}
		where = append(where, sqltext.Fill("{column} = {value}", sqltext.Holes{"column": ident(t.m.Keys[i].Name), "value": value}))
	}
	h := sqltext.Holes{"table": t.name(), "key": sqltext.List(" AND ", where...)}
	if r.Kind == model.MendBound {
		h["bound"], h["attempts"], h["ready"] = t.col(model.RoleMaxAttempts), t.col(model.RoleAttempts), t.in(model.Ready)
		return sqltext.Fill("UPDATE {table} SET {bound} = {attempts} + 1 WHERE {key} AND {ready};", h), nil
	}
	if t.m.Column(model.RoleToken).Type != model.GUID {
		return sqltext.Part{}, errors.New("the token is no GUID: dead-letter the row instead")
	}
	h["state"], h["ready"], h["working"] = t.col(model.RoleState), t.state(model.Ready), t.in(model.Working)
	h["token"], h["lease"], h["guid"] = t.col(model.RoleToken), t.col(model.RoleLease), sqltext.Raw(guid)
	return sqltext.Fill("UPDATE {table} SET {state} = {ready}, {token} = {guid}, {lease} = NULL WHERE {key} AND {working} AND ({token} IS NULL OR {lease} IS NULL);", h), nil
}
