package sqlserver

import (
	"context"
	"slices"
	"strings"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/model"
)

// What a probe asks about a destructive queue beside what it asks about every
// table. @history is its table of dead letters.
const (
	// OUTPUT INTO refuses a target with a trigger, a foreign key or a check.
	askRows = headCommitted + `SELECT CONVERT(varchar(33), n.[now], 126) AS [now],
       CONVERT(int, HAS_PERMS_BY_NAME(@table, 'OBJECT', 'DELETE')) AS [delete],
       CONVERT(int, HAS_PERMS_BY_NAME(@history, 'OBJECT', 'DELETE')) AS [dead_delete],
       CONVERT(int, HAS_PERMS_BY_NAME(DB_NAME(), 'DATABASE', 'VIEW DATABASE STATE')) AS [state],
       (SELECT COUNT(*) FROM sys.triggers AS g WHERE g.[parent_id] = OBJECT_ID(@table) AND g.[is_disabled] = 0)
       + (SELECT COUNT(*) FROM sys.foreign_keys AS f
          WHERE OBJECT_ID(@table) IN (f.[parent_object_id], f.[referenced_object_id]))
       + (SELECT COUNT(*) FROM sys.check_constraints AS k WHERE k.[parent_object_id] = OBJECT_ID(@table)) AS [obstacles]
FROM (SELECT SYSUTCDATETIME() AS [now]) AS n;`

	askRowColumns = headCommitted + `SELECT CONVERT(varchar(33), n.[now], 126) AS [now],
       CASE WHEN c.[object_id] = OBJECT_ID(@history) THEN 1 ELSE 0 END AS [dead],
       CONVERT(nvarchar(128), c.[name]) AS [name],
       CONVERT(nvarchar(128), CASE
           WHEN t.[name] IN (N'char', N'varchar', N'binary', N'varbinary')
               THEN t.[name] + N'(' + CASE WHEN c.[max_length] = -1 THEN N'max' ELSE CONVERT(nvarchar(10), c.[max_length]) END + N')'
           WHEN t.[name] IN (N'nchar', N'nvarchar')
               THEN t.[name] + N'(' + CASE WHEN c.[max_length] = -1 THEN N'max' ELSE CONVERT(nvarchar(10), c.[max_length] / 2) END + N')'
           WHEN t.[name] IN (N'datetime2', N'datetimeoffset', N'time')
               THEN t.[name] + N'(' + CONVERT(nvarchar(10), c.[scale]) + N')'
           WHEN t.[name] IN (N'decimal', N'numeric')
               THEN t.[name] + N'(' + CONVERT(nvarchar(10), c.[precision]) + N', ' + CONVERT(nvarchar(10), c.[scale]) + N')'
           ELSE COALESCE(t.[name], TYPE_NAME(c.[user_type_id]))
       END) AS [declared],
       CONVERT(int, c.[is_identity]) AS [identity],
       CONVERT(int, c.[is_computed]) AS [computed],
       CONVERT(int, c.[is_nullable]) AS [nullable],
       CONVERT(int, HAS_PERMS_BY_NAME(@table, 'OBJECT', 'SELECT', c.[name], 'COLUMN')) AS [select]
FROM (SELECT SYSUTCDATETIME() AS [now]) AS n
LEFT JOIN sys.columns AS c
    ON c.[object_id] IN (OBJECT_ID(@table), OBJECT_ID(@history))
LEFT JOIN sys.types AS t
    ON t.[user_type_id] = c.[system_type_id]
ORDER BY c.[object_id], c.[column_id];`
)

// rowFacts is what a probe found out about a destructive queue.
type rowFacts struct {
	mayDelete, mayDeleteDead bool
	mayState                 bool // VIEW DATABASE STATE
	obstacles                bool // OUTPUT INTO refuses the queue as its target
	dead                     map[string]model.Column
	order                    []string // the columns in the order in which the table has them
}

// withDead lets the questions about the history be about the dead letters.
func withDead(m *model.Mapping) *model.Mapping {
	if !m.IsDestructive() {
		return m
	}
	out := *m
	out.History = m.Lane.Dead
	return &out
}

// asked reports whether a question is asked about queues of the mapping's family, on
// a server of this kind.
func asked(name string, m *model.Mapping, c *model.Caps) bool {
	switch name {
	case "facts":
		return c.Engine != Babelfish
	case "rows", "row-columns":
		return m.IsDestructive()
	case "columns", "procedures", "brake":
		return !m.IsDestructive()
	}
	return true
}

// rowSteps are the steps of a probe of a destructive queue, after the server's.
func (p *prober) rowSteps() []func(context.Context) error {
	return []func(context.Context) error{p.server, p.tables, p.rowColumns, p.lookups, p.rowRights, p.facts}
}

// rowColumns binds the mapping to all columns of the table: a row is all its
// values, those too that the mapping does not name.
func (p *prober) rowColumns(ctx context.Context) error {
	rows, err := p.must(ctx, "row-columns")
	if err != nil {
		return err
	}
	p.columns, p.row.dead = map[string]column{}, map[string]model.Column{}
	for _, r := range rows {
		name, declared := r.Text("name"), r.Text("declared")
		if name == "" {
			continue
		}
		c := model.Column{
			Name: name, Type: valueType(declared), Declared: declared, Nullable: r.Int("nullable").N == 1,
			Made: r.Int("identity").N == 1 || r.Int("computed").N == 1 || slices.Contains([]string{"rowversion", "timestamp"}, baseOf(declared)),
		}
		if r.Int("dead").N == 1 {
			p.row.dead[strings.ToLower(name)] = c
			continue
		}
		p.row.order = append(p.row.order, name)
		p.columns[name] = column{Column: c, mayRead: told(r.Int("select")), mayWrite: true}
	}
	if len(p.columns) == 0 {
		return &model.Fault{
			Class: model.FaultDenied, Text: p.caps.Login + " sees no column of " + displayName(p.m.Table),
			Cure: "ask for SELECT on " + displayName(p.m.Table),
		}
	}
	return p.bindRow()
}

// bindRow makes the table's columns the row, those that the mapping names first.
func (p *prober) bindRow() error {
	var keys []model.Column
	for _, c := range p.m.Keys {
		got, err := p.bind(model.RoleKey, c)
		if err != nil {
			return err
		}
		got.Name = c.Name // Babelfish folds names, which people write as the mapping does
		keys = append(keys, got)
	}
	var denied []string
	for _, name := range p.row.order {
		c := p.columns[name]
		if !slices.ContainsFunc(keys, func(k model.Column) bool { return strings.EqualFold(k.Name, name) }) {
			keys = append(keys, c.Column)
		}
		if !c.mayRead {
			denied = append(denied, name)
		}
	}
	p.m.Keys = keys
	for r, c := range p.m.Columns {
		got, err := p.bind(r, c)
		if err != nil {
			return err
		}
		got.Name = c.Name
		p.m.Columns[r] = got
	}
	if len(denied) == 0 {
		return nil
	}
	name := displayName(p.m.Table)
	return &model.Fault{
		Class: model.FaultDenied, Text: p.caps.Login + " may not read " + strings.Join(denied, ", ") + " of " + name + ", and a row is all its values",
		Cure: "ask for SELECT on " + name,
	}
}

// valueType is how a value of a declared type travels.
func valueType(declared string) model.Type {
	switch baseOf(declared) {
	case "decimal", "numeric", "money", "smallmoney", "float", "real":
		return model.Fraction
	case "xml", "text", "ntext", "image", "geography", "geometry", "hierarchyid", "sql_variant":
		return model.Opaque
	case "time":
		return model.Text
	}
	if t := typeOf(declared); t != model.Null {
		return t
	}
	return model.Opaque
}

// rowRights is what this login may do, and what stands in the way of OUTPUT INTO.
func (p *prober) rowRights(ctx context.Context) error {
	rows, err := p.may(ctx, "rows")
	if err != nil {
		return err
	}
	var r store.Row
	if len(rows) > 0 {
		r = rows[0]
	}
	p.row.mayDelete, p.row.mayDeleteDead = told(r.Int("delete")), told(r.Int("dead_delete"))
	p.row.mayState, p.row.obstacles = r.Int("state").N == 1, r.Int("obstacles").N > 0
	return nil
}
