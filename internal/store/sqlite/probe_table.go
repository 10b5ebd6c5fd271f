package sqlite

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/leasetop/leasetop/internal/store/sqltext"
	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
)

// tableInfo is what the catalog says about the mapped table.
type tableInfo struct {
	rowid   bool
	columns []columnInfo
	indexes []indexInfo
}

type columnInfo struct {
	name, declared string
	primary        bool
	fallback       bool // it has a default
}

type indexInfo struct {
	name            string
	unique, partial bool
	columns         []string // an expression is ""
}

// table finds the table and its columns and binds the mapping to them.
func (p *probe) table(ctx context.Context) error {
	want := p.m.Table
	if want.Schema != "" && !strings.EqualFold(want.Schema, "main") {
		return reshaped(fmt.Sprintf("there is no schema %s: a file's tables have none", want.Schema), "name the table alone")
	}
	rows, err := p.query(ctx, sqltext.Raw(`SELECT name, type, wr FROM pragma_table_list
WHERE schema = 'main' AND type IN ('table', 'view') AND name NOT LIKE 'sqlite\_%' ESCAPE '\'
ORDER BY name = @name COLLATE NOCASE DESC, name`), want.Name)
	if err != nil {
		return err
	}
	var names []string
	for _, r := range rows {
		names = append(names, r.Text("name"))
	}
	if len(rows) == 0 || !strings.EqualFold(names[0], want.Name) {
		return reshaped(fmt.Sprintf("there is no table %s", want), near(want.Name, names, "the file's tables:"))
	}
	if rows[0].Text("type") == "view" {
		return reshaped(fmt.Sprintf("%s is a view", want), "name the table below it")
	}
	p.info.rowid = rows[0].Int("wr").N == 0
	if p.info.columns, err = p.columns(ctx, want.Name); err != nil {
		return err
	}
	if p.info.indexes, err = p.indexes(ctx); err != nil {
		return err
	}
	if err := p.bind(); err != nil || p.m.IsDestructive() {
		return err
	}
	p.identity()
	return p.sequence(ctx)
}

func (p *probe) columns(ctx context.Context, table string) ([]columnInfo, error) {
	rows, err := p.query(ctx, sqltext.Raw(`SELECT name, type, pk, dflt_value IS NOT NULL AS fallback FROM pragma_table_xinfo(@name)`), table)
	var out []columnInfo
	for _, r := range rows {
		out = append(out, columnInfo{r.Text("name"), r.Text("type"), r.Int("pk").N > 0, r.Int("fallback").N == 1})
	}
	return out, err
}

func (p *probe) indexes(ctx context.Context) ([]indexInfo, error) {
	rows, err := p.query(ctx, sqltext.Raw(`SELECT list.name AS name, list."unique" AS uniq, list.partial AS partial, info.name AS col
FROM pragma_index_list(@name) AS list
JOIN pragma_index_xinfo(list.name) AS info ON info.key = 1
ORDER BY list.seq, info.seqno`), p.m.Table.Name)
	var out []indexInfo
	for _, r := range rows {
		if len(out) == 0 || out[len(out)-1].name != r.Text("name") {
			out = append(out, indexInfo{name: r.Text("name"), unique: r.Int("uniq").N == 1, partial: r.Int("partial").N == 1})
		}
		last := &out[len(out)-1]
		last.columns = append(last.columns, r.Text("col"))
	}
	return out, err
}

// absent lists the wanted names that no column has.
func absent(wanted []string, columns []columnInfo) []string {
	var out []string
	for _, w := range wanted {
		if !slices.ContainsFunc(columns, func(c columnInfo) bool { return strings.EqualFold(c.name, w) }) {
			out = append(out, w)
		}
	}
	return out
}

// bind gives every mapped column its declared type and what follows from it.
func (p *probe) bind() error {
	var wanted []string
	for _, k := range p.m.Keys {
		wanted = append(wanted, k.Name)
	}
	for _, r := range model.Roles() {
		if c := p.m.Column(r); r != model.RoleKey && !c.IsZero() {
			wanted = append(wanted, c.Name)
		}
	}
	if missing := absent(wanted, p.info.columns); len(missing) > 0 {
		return p.missing(missing)
	}
	if p.m.IsDestructive() {
		return nil
	}
	for i, k := range p.m.Keys {
		p.m.Keys[i] = p.key(k)
	}
	for r, c := range p.m.Columns {
		p.m.Columns[r] = p.column(r, c)
	}
	return nil
}

func (p *probe) missing(columns []string) error {
	var names []string
	for _, c := range p.info.columns {
		names = append(names, c.name)
	}
	what := fmt.Sprintf("the table %s has no column %s", p.m.Table, strings.Join(columns, ", "))
	cure := near(columns[0], names, "it has")
	if p.m.Profile == "lease" && len(columns) > 2 {
		cure += "; for a table of five columns name the profile bare"
	}
	return reshaped(what, cure)
}

func (p *probe) declared(name string) string {
	for _, c := range p.info.columns {
		if strings.EqualFold(c.name, name) {
			return c.declared
		}
	}
	return ""
}

// key types a key column. Text keeps its case, whatever the profile assumed: it
// is matched as it is stored.
func (p *probe) key(c model.Column) model.Column {
	c.Declared = text.Clean(p.declared(c.Name))
	switch affinity(c.Declared) {
	case "INTEGER":
		c.Type = model.Int
	case "BLOB":
		c.Type = model.Binary
	default:
		c.Type = model.Text
	}
	return c
}

func (p *probe) column(r model.Role, c model.Column) model.Column {
	c.Declared = text.Clean(p.declared(c.Name))
	switch r {
	case model.RoleLease, model.RoleAvailable, model.RoleEnqueued, model.RoleClaimed, model.RoleHeartbeat, model.RoleEnded:
		c.Type = model.Time
	case model.RoleToken:
		c.Type = p.tokenType(c)
	case model.RolePriority, model.RoleAttempts, model.RoleMaxAttempts, model.RoleTotalClaims:
		c.Type = model.Int
	default:
		c.Type = model.Text
	}
	return c
}

// identity decides whether the key names one row by a seek, and whether a new row
// gets its key by itself.
func (p *probe) identity() {
	var keys, primary []string
	for _, k := range p.m.Keys {
		keys = append(keys, strings.ToLower(k.Name))
	}
	for _, c := range p.info.columns {
		if c.primary {
			primary = append(primary, c.name)
		}
	}
	unique := len(primary) > 0 && within(primary, keys)
	for _, ix := range p.info.indexes {
		unique = unique || ix.unique && !ix.partial && within(ix.columns, keys)
	}
	p.caps.Can[hasKey] = model.Yes()
	if !unique {
		p.caps.Can[hasKey] = model.No("the key is not unique: an act on one job could change others", "make a unique index on the key")
	}
	p.caps.Can[canMake] = model.Yes()
	alias := len(primary) == 1 && within(primary, keys) && p.numbersRows(primary[0])
	for _, c := range p.info.columns {
		if slices.Contains(keys, strings.ToLower(c.name)) && !c.fallback && !alias {
			p.caps.Can[canMake] = model.No(fmt.Sprintf("a new row gets no key: the column %s has no default", text.Clean(c.name)), "")
		}
	}
	p.caps.Can[hasRowID] = model.Yes()
	if !p.info.rowid {
		p.caps.Can[hasRowID] = model.No("the table has no row numbers", "")
	}
}

// numbersRows reports whether a column is another name of the row's number, by which
// the table itself is sorted.
func (p *probe) numbersRows(column string) bool {
	of := func(c columnInfo) bool { return c.primary && !strings.EqualFold(c.name, column) }
	i := slices.IndexFunc(p.info.columns, func(c columnInfo) bool { return strings.EqualFold(c.name, column) })
	return p.info.rowid && i >= 0 && p.info.columns[i].primary && strings.EqualFold(p.info.columns[i].declared, "INTEGER") &&
		!slices.ContainsFunc(p.info.columns, of)
}

// within reports whether every column is one of the keys, which are lower case.
func within(columns, keys []string) bool {
	for _, c := range columns {
		if !slices.Contains(keys, strings.ToLower(c)) {
			return false
		}
	}
	return true
}

// sequence finds out whether the engine keeps the highest row number ever given.
func (p *probe) sequence(ctx context.Context) error {
	rows, err := p.query(ctx, sqltext.Raw(`SELECT upper(sql) LIKE '%AUTOINCREMENT%' AS numbered FROM sqlite_schema
WHERE type = 'table' AND name = @name COLLATE NOCASE`), p.m.Table.Name)
	if err != nil || len(rows) == 0 {
		return err
	}
	_, unfit := sqltext.Code(p.m.Table.Name).Text()
	if rows[0].Int("numbered").N == 1 && unfit == nil {
		p.caps.Can[hasSequence] = model.Yes()
	}
	return nil
}
