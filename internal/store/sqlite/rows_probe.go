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

// burialColumns are what a dead letter has beside the columns of the queue.
func burialColumns() []string { return []string{"DeadAt", "Reason", "Actor", "Login", "ActionId"} }

// rows is what a destructive queue needs of a probe: a row is all its columns, so
// those that the mapping does not name are part of it too.
func (p *probe) rows(ctx context.Context) error {
	t := rowset{table{m: p.m, c: &p.caps}}
	p.allColumns()
	p.ordered()
	if err := p.deadTable(ctx); err != nil {
		return err
	}
	locks := locksOf(p.m.Table)
	columns, err := p.columns(ctx, locks.Name)
	if err != nil {
		return err
	}
	p.caps.Can[hasLocks] = model.Yes()
	if len(absent([]string{"Row", "Session", "Beat", "ActionId", "Actor", "Reason"}, columns)) > 0 {
		p.caps.Can[hasLocks] = model.No(fmt.Sprintf("there is no lock table %s, and the engine has no row locks", text.Clean(locks.String())),
			"leasetop schema --kind destructive --apply makes it")
	}
	p.caps.Emulated = p.caps.Can[hasLocks].OK
	p.caps.Ours = p.caps.Emulated && p.caps.Can[model.CanBury].OK
	return p.timeSample(ctx, t)
}

// allColumns binds the mapping to every column of the table.
func (p *probe) allColumns() {
	by := p.m.Column(model.RoleEnqueued)
	for _, c := range p.info.columns {
		i := slices.IndexFunc(p.m.Keys, func(k model.Column) bool { return strings.EqualFold(k.Name, c.name) })
		if i < 0 {
			p.m.Keys = append(p.m.Keys, model.Column{Name: c.name})
			i = len(p.m.Keys) - 1
		}
		col := model.Column{Name: c.name, Declared: text.Clean(c.declared), Nullable: true}
		col.Type = valueType(col.Declared)
		if strings.EqualFold(c.name, by.Name) && by.Type == model.Time {
			col.Type = model.Time
			by = col
		}
		p.m.Keys[i] = col
	}
	if !by.IsZero() {
		p.m.Columns[model.RoleEnqueued] = by
	}
	p.caps.Can[hasRowID] = model.Yes()
	if !p.info.rowid {
		p.caps.Can[hasRowID] = model.No("the table has no row numbers, by which one of several equal rows is told", "")
	}
}

// valueType is how a value of a declared type travels.
func valueType(declared string) model.Type {
	switch affinity(declared) {
	case "INTEGER":
		return model.Int
	case "BLOB":
		return model.Binary
	case "TEXT":
		return model.Text
	case "REAL":
		return model.Fraction
	}
	if d := strings.ToUpper(declared); strings.Contains(d, "DATE") || strings.Contains(d, "TIME") {
		return model.Time
	}
	return model.Fraction
}

// ordered decides whether an index gives the order of dequeue. Without one both
// ends would be found by reading everything.
func (p *probe) ordered() {
	by := p.m.Column(model.RoleEnqueued)
	p.caps.Can[model.CanOrder], p.caps.Can[model.CanCount] = model.Yes(), model.Yes()
	if p.m.Lane.Order == model.OrderNone || p.numbersRows(by.Name) {
		return
	}
	for _, ix := range p.info.indexes {
		if !ix.partial && len(ix.columns) > 0 && strings.EqualFold(ix.columns[0], by.Name) {
			return
		}
	}
	p.caps.Can[model.CanOrder] = model.No(
		fmt.Sprintf("no index leads on %s: every dequeue reads and sorts the whole table", text.Clean(by.Name)),
		text.Clean(fmt.Sprintf("CREATE INDEX %s ON %s (%s)", quote("IX_"+p.m.Table.Name+"_Order"), quote(p.m.Table.Name), quote(by.Name))))
}

// deadTable decides whether the table of dead letters is there and has the
// columns of the queue.
func (p *probe) deadTable(ctx context.Context) error {
	name := p.m.Lane.Dead
	if name.IsZero() {
		p.caps.Can[model.CanBury] = model.No("the mapping names no table of dead letters", "write dead_letters")
		return nil
	}
	columns, err := p.columns(ctx, name.Name)
	if err != nil {
		return err
	}
	var wanted []string
	for _, c := range p.m.Keys {
		wanted = append(wanted, c.Name)
	}
	missing := absent(append(wanted, burialColumns()...), columns)
	switch {
	case len(columns) == 0:
		p.caps.Can[model.CanBury] = model.No(fmt.Sprintf("there is no table of dead letters %s", text.Clean(name.String())),
			"leasetop schema --kind destructive --apply makes it")
	case len(missing) > 0:
		p.caps.Can[model.CanBury] = model.No(fmt.Sprintf("%s has another shape: it lacks %s", text.Clean(name.String()), text.Clean(strings.Join(missing, ", "))),
			"give it the queue's columns and "+strings.Join(burialColumns(), ", "))
	default:
		p.caps.Can[model.CanBury] = model.Yes()
	}
	return nil
}

// timeSample reads one time, where times are text, to write others alike.
func (p *probe) timeSample(ctx context.Context, t rowset) error {
	by := p.m.Column(model.RoleEnqueued)
	if by.Type != model.Time || t.whole(by) {
		return nil
	}
	rows, err := p.query(ctx, sqltext.Fill("SELECT CAST({by} AS TEXT) AS sample FROM {table} WHERE {by} IS NOT NULL LIMIT 1",
		sqltext.Holes{"by": ident(by.Name), "table": t.name()}), "")
	if err != nil {
		return err
	}
	sample := ""
	if len(rows) > 0 {
		sample = rows[0].Text("sample")
	}
	p.caps.Form[formTime] = formOf(sample)
	return nil
}

// rowRights decides what may be done with a destructive queue here.
func (p *probe) rowRights() {
	can := p.caps.Can
	can[model.CanRead] = model.Yes()
	can[model.CanPayload] = model.Yes()
	can[model.CanHistory] = model.No("a destructive queue keeps no history", "")
	can[canMake] = p.takesWrites()
	change := can[hasRowID]
	switch {
	case !can[canMake].OK:
		change = can[canMake]
	case p.caps.Triggers.Instead:
		change = model.No("a trigger on the table can skip a delete without saying so", "")
	}
	can[model.CanWork], can[model.CanControl] = change, change
	if v := p.m.Comparable(); change.OK && !v.OK {
		p.note(v.Why)
	}
	if change.OK && !can[model.CanBury].OK {
		can[model.CanControl] = can[model.CanBury]
	}
}
