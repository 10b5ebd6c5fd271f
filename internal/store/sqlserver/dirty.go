package sqlserver

import (
	"errors"

	"github.com/leasetop/leasetop/internal/store/sqltext"
	"github.com/leasetop/leasetop/model"
)

// readerDirty is the reader past all locks. It takes Sch-S on the table and nothing
// on a row or a page, so that no claim ever waits for it; what it sees may not be
// committed, it may see a row twice or miss one, and it may fail with 601 where the
// data moves under it (sys.messages; "Table hints", NOLOCK).
const readerDirty = "dirty"

// dirtyText is the ready jobs that would be claimed first. It waits for no lock at
// all: while the table is altered it fails with 1222 and is sent again later.
const dirtyText = `{head}SELECT CONVERT(varchar(33), n.[now], 126) AS [now],
       {columns}
FROM (SELECT SYSUTCDATETIME() AS [now]) AS n
OUTER APPLY (
    SELECT TOP (@limit)
           {raw}
    FROM {table} AS q WITH ({hints})
    WHERE {where}
    ORDER BY {order}
) AS j
ORDER BY {outer}
OPTION (MAXDOP 1);`

// dirty lists the first ready jobs whoever has locked them.
func dirty(t table) (sqltext.Part, error) {
	columns := []sqltext.Part{t.keyResult("j")}
	for _, r := range []model.Role{model.RolePriority, model.RoleAvailable} {
		p := null()
		if c := t.m.Column(r); !c.IsZero() {
			p = read(c, within("j", c))
		}
		columns = append(columns, as(p, ident(string(r))))
	}
	return sqltext.Fill(dirtyText, sqltext.Holes{
		"head": sqltext.Raw(headInstant), "columns": sqltext.List(comma, columns...), "table": t.name(),
		"raw":   sqltext.List(",\n           ", t.raw("q", model.RolePriority, model.RoleAvailable)...),
		"hints": sqltext.List(", ", sqltext.If(!t.f.scan, sqltext.Raw("FORCESEEK")), sqltext.Raw("NOLOCK")),
		"where": t.is("q", model.Ready), "order": t.order("q"), "outer": t.order("j"),
	}), nil
}

// mayDirty refuses the read past all locks where it would tell nothing.
func (t table) mayDirty() error {
	switch {
	case t.c.Engine == Babelfish:
		return errors.New("Babelfish ignores lock hints, and its readers wait for nobody")
	case !t.c.ProbedAt.IsZero() && !t.c.LowCounts:
		return errors.New("the database keeps row versions, so that no lock hides a row from the other readers")
	case t.f.unindexed:
		return t.lacks(model.CanCount)
	case t.f.unordered:
		return errors.New("no index has the order of claims, so that which ready jobs come first is not known")
	case !t.has(model.Ready):
		return errors.New("the mapping names no value for the ready state")
	}
	return nil
}
