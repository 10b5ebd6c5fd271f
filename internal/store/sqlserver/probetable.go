package sqlserver

import (
	"context"
	"slices"
	"strings"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/model"
)

// column is a column as the server declares it, and what this login may do with
// it.
type column struct {
	model.Column
	identity          bool
	mayRead, mayWrite bool
}

// describe binds the mapping to the columns as the server declares them.
func (p *prober) describe(ctx context.Context) error {
	rows, err := p.must(ctx, "columns")
	if err != nil {
		return err
	}
	p.columns = columns(rows)
	if len(p.columns) == 0 {
		return &model.Fault{
			Class: model.FaultDenied, Text: p.caps.Login + " sees no column of " + displayName(p.m.Table),
			Cure: "ask for SELECT on " + displayName(p.m.Table),
		}
	}
	for i, c := range p.m.Keys {
		if p.m.Keys[i], err = p.bind(model.RoleKey, c); err != nil {
			return err
		}
	}
	for _, r := range model.Roles() {
		c, mapped := p.m.Columns[r]
		if !mapped || c.IsZero() {
			continue
		}
		if p.m.Columns[r], err = p.bind(r, c); err != nil {
			return err
		}
	}
	p.tokens()
	if err := p.clocked(); err != nil {
		return err
	}
	if a, b, ok := p.m.Ambiguous(); ok {
		c := p.m.Column(model.RoleState)
		return &model.Fault{
			Class: model.FaultReshaped, Text: "the states " + a.String() + " and " + b.String() + " have the same value to the collation of " + c.Name,
			Cure: "give each state of the mapping a value of its own",
		}
	}
	return p.mayRead()
}

func columns(rows []store.Row) map[string]column {
	out := map[string]column{}
	for _, r := range rows {
		name := r.Text("name")
		if name == "" {
			continue
		}
		out[name] = column{
			Column: model.Column{
				Name: name, Type: typeOf(r.Text("declared")), Declared: r.Text("declared"),
				Folds:    strings.Contains(strings.ToUpper(r.Text("collation")), "_CI_"),
				Nullable: r.Int("nullable").N == 1,
			},
			identity: r.Int("identity").N == 1,
			mayRead:  told(r.Int("select")), mayWrite: told(r.Int("update")),
		}
	}
	return out
}

// typeOf is how a value of a declared type travels; Null for a type that cannot.
func typeOf(declared string) model.Type {
	switch base := baseOf(declared); base {
	case "decimal", "numeric":
		if scale(declared) > 0 {
			return model.Fraction
		}
		return model.Int
	case "bigint", "int", "smallint", "tinyint", "bit":
		return model.Int
	case "char", "varchar", "nchar", "nvarchar", "text", "ntext", "sysname", "xml":
		return model.Text
	case "uniqueidentifier":
		return model.GUID
	case "datetime", "datetime2", "smalldatetime", "datetimeoffset", "date":
		return model.Time
	case "binary", "varbinary", "timestamp", "rowversion":
		return model.Binary
	}
	return model.Null
}

// bind finds a mapped column on the server, by its exact name or else by one that
// differs only in case.
func (p *prober) bind(r model.Role, want model.Column) (model.Column, error) {
	got, ok := p.columns[want.Name]
	if !ok {
		for name, c := range p.columns {
			if strings.EqualFold(name, want.Name) {
				got, ok = c, true
			}
		}
	}
	name := displayName(p.m.Table)
	if !ok {
		return want, &model.Fault{
			Class: model.FaultReshaped, Text: name + " has no column " + want.Name + " for the role " + string(r),
			Cure: "it has " + strings.Join(p.columnNames(), ", ") + ": map the role to one of them, or choose another profile",
		}
	}
	if got.Type == model.Null || got.Type == model.Fraction && r == model.RoleState {
		return want, &model.Fault{
			Class: model.FaultReshaped, Text: "column " + got.Name + " of " + name + " is " + got.Declared + ", which cannot play the role " + string(r),
			Cure: "map the role to another column",
		}
	}
	if got.Type == model.Binary && r != model.RolePayload && p.caps.Engine == Babelfish {
		return want, &model.Fault{
			Class: model.FaultReshaped, Text: "column " + got.Name + " of " + name + " is " + got.Declared + ", and Babelfish can write no bytes as text, so they could be neither shown nor matched",
			Cure: "map the role to another column, or watch the table on SQL Server",
		}
	}
	return got.Column, nil
}

func (p *prober) columnNames() []string {
	var out []string
	for name := range p.columns {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

// mayRead refuses a table whose mapped columns, but for the payload, this login
// may not read: no statement about jobs would pass.
func (p *prober) mayRead() error {
	var denied []string
	for _, r := range model.Roles() {
		if c := p.m.Column(r); r != model.RolePayload && !c.IsZero() && !p.columns[c.Name].mayRead {
			denied = append(denied, c.Name)
		}
	}
	if len(denied) == 0 {
		return nil
	}
	name := displayName(p.m.Table)
	return &model.Fault{
		Class: model.FaultDenied, Text: p.caps.Login + " may not read " + strings.Join(denied, ", ") + " of " + name,
		Cure: "ask for SELECT on " + name + " (" + strings.Join(denied, ", ") + ")",
	}
}

// lookups are the indexes that can serve a seek, of the table and of its history.
func (p *prober) lookups(ctx context.Context) error {
	rows, err := p.may(ctx, "indexes")
	p.indexes, p.events = indexes(rows, 0), indexes(rows, 1)
	for _, r := range rows {
		if r.Int("history").N == 0 && r.Int("type").N == 1 {
			p.clustered = append(p.clustered, r.Text("name"))
		}
	}
	return err
}

// indexes are the key columns of each index of one of the two tables; a nonclustered
// one ends with those of the clustered one. Behind the first, by which an index is
// sought, they go as far as they run one way: read from either end an index gives no
// other order.
func indexes(rows []store.Row, history int64) [][]string {
	type index struct {
		names []string
		down  []bool
		plain bool // nonclustered
	}
	var (
		all       []index
		clustered index
		last      int64 = -1
	)
	for _, r := range rows {
		id := r.Int("index")
		if !id.Known || r.Int("history").N != history {
			continue
		}
		if id.N != last {
			all, last = append(all, index{plain: r.Int("type").N != 1}), id.N
		}
		x := &all[len(all)-1]
		x.names, x.down = append(x.names, r.Text("name")), append(x.down, r.Int("descending").N == 1)
		if !x.plain {
			clustered = *x
		}
	}
	var out [][]string
	for _, x := range all {
		if x.plain {
			x.names, x.down = slices.Concat(x.names, clustered.names), slices.Concat(x.down, clustered.down)
		}
		n := len(x.names)
		for i := 2; i < n; i++ {
			if x.down[i] != x.down[1] {
				n = i
			}
		}
		out = append(out, x.names[:n])
	}
	return out
}

// leads reports whether an index begins with the columns. Babelfish folds names.
func leads(all [][]string, names ...string) bool {
	for _, ix := range all {
		if len(ix) >= len(names) && slices.EqualFunc(ix[:len(names)], names, strings.EqualFold) {
			return true
		}
	}
	return false
}
