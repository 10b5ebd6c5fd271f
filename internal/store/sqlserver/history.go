package sqlserver

import (
	"github.com/leasetop/leasetop/internal/store/sqltext"
	"github.com/leasetop/leasetop/model"
)

// The columns of the history table: ours, so their names are fixed. Times have the
// types of the schema that leasetop ships, tokens that of the table's own.
func (t table) historyColumns() []model.Column {
	token := model.Column{Type: model.GUID}
	if c := t.m.Column(model.RoleToken); !c.IsZero() {
		token = model.Column{Type: c.Type, Declared: kept(c)}
	}
	old, next := token, token
	old.Name, next.Name = "OldToken", "NewToken"
	return []model.Column{
		{Name: "At", Type: model.Time}, {Name: "Kind", Type: model.Text}, {Name: "ActionId", Type: model.GUID},
		{Name: "Actor", Type: model.Text}, {Name: "Login", Type: model.Text}, {Name: "Reason", Type: model.Text},
		{Name: "OldState", Type: model.Text}, {Name: "NewState", Type: model.Text},
		old, next,
		{Name: "OldLease", Type: model.Time}, {Name: "NewLease", Type: model.Time},
		{Name: "Attempt", Type: model.Int, Declared: "int"}, {Name: "Worker", Type: model.Text},
	}
}

// historyNames are the contract's names of those columns.
func historyNames() []sqltext.Part {
	return []sqltext.Part{
		ident("at"), ident("kind"), ident("action"), ident("actor"), ident("login"), ident("reason"),
		ident("old_state"), ident("new_state"), ident("old_token"), ident("new_token"),
		ident("old_lease"), ident("new_lease"), ident("attempts"), ident("worker"),
	}
}

const events = `{head}SELECT CONVERT(varchar(33), n.[now], 126) AS [now],
       {columns}
FROM (SELECT SYSUTCDATETIME() AS [now]) AS n
OUTER APPLY (
    SELECT TOP ({limit})
           {raw}
    FROM {history} AS h{seek}
    WHERE {where}
    ORDER BY h.[Seq] DESC
) AS e
ORDER BY e.[Seq] DESC
{option}`

// history reads a job's newest events.
func history(t table) (sqltext.Part, error) {
	return t.events(sqltext.Arg("limit"), sqltext.Part{}), nil
}

// audit finds the event of one operator's act.
func audit(t table) (sqltext.Part, error) {
	return t.events(sqltext.Raw("1"), sqltext.Raw("h.[ActionId] = CONVERT(uniqueidentifier, @action)")), nil
}

// historyKey is the history's column for the key of a job.
func (t table) historyKey() model.Column {
	c := t.m.Keys[0]
	c.Name = "JobId"
	return c
}

// eventParts are the columns of an event as the contract names them, and as the
// history has them.
func (t table) eventParts() (columns, raw []sqltext.Part) {
	key := t.historyKey()
	columns = []sqltext.Part{as(read(key, within("e", key)), keyAlias(0))}
	raw = []sqltext.Part{sqltext.Raw("h.[Seq]"), within("h", key)}
	for i, c := range t.historyColumns() {
		columns = append(columns, as(read(c, within("e", c)), historyNames()[i]))
		raw = append(raw, within("h", c))
	}
	return columns, raw
}

func (t table) events(limit, more sqltext.Part) sqltext.Part {
	key := t.historyKey()
	columns, raw := t.eventParts()
	where := sqltext.Fill("h.[JobId] = {key}", sqltext.Holes{"key": given(key, "key")})
	return sqltext.Fill(events, sqltext.Holes{
		"head": t.f.watch(), "columns": sqltext.List(comma, columns...), "limit": limit,
		"raw": sqltext.List(",\n           ", raw...), "history": t.historyName(), "seek": t.f.seek(),
		"where": sqltext.List("\n      AND ", where, more), "option": t.f.option(),
	})
}
