package sqlite

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqltext"
	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
)

// counted is the feature of counting one state.
func counted(s model.State) model.Feature {
	return map[model.State]model.Feature{
		model.Scheduled: "count-scheduled", model.Ready: "count-ready", model.Working: "count-working", model.Failed: "count-failed",
	}[s]
}

// counting decides which states are counted: those that an index finds, or all in
// a small table.
func (p *probe) counting(ctx context.Context) error {
	p.caps.Can[model.CanCount] = model.Yes()
	t := table{m: p.m, c: &p.caps}
	var without []string
	for _, s := range model.States() {
		if s == model.Done || !t.has(s) {
			continue
		}
		found, err := p.seeks(ctx, t.in(s))
		if err != nil {
			return err
		}
		if !found {
			without = append(without, s.String())
			p.caps.Can[counted(s)] = model.No("no index finds its rows", "")
		}
	}
	if len(without) == 0 {
		return nil
	}
	rows, err := p.query(ctx, sqltext.Fill("SELECT count(*) AS n FROM (SELECT 1 FROM {table} LIMIT 10001)", sqltext.Holes{"table": t.name()}), "")
	if err != nil {
		return err
	}
	if rows[0].Int("n").N <= smallTable {
		for _, s := range model.States() {
			delete(p.caps.Can, counted(s))
		}
		return nil
	}
	if p.m.AllowScan {
		return p.insisted(ctx, t)
	}
	return p.uncounted(t, without)
}

// insisted counts all the same, by reading the whole table.
func (p *probe) insisted(ctx context.Context, t table) error {
	rows, err := p.query(ctx, sqltext.Fill("SELECT {rows} AS n", sqltext.Holes{"rows": t.rows()}), "")
	if err != nil {
		return err
	}
	cure, err := p.missingIndex(t)
	if err != nil {
		return err
	}
	p.caps.Scan = model.Scan{On: true, Rows: rows[0].Int("n"), Index: cure}
	for _, s := range model.States() {
		delete(p.caps.Can, counted(s))
	}
	p.caps.Form[string(store.OpPulse)] = formScan
	return nil
}

// formScan is the pulse that reads the whole table: once more for the job that
// waits longest, and not again for every priority.
const formScan = "scan"

// missingIndex is the statement that makes the index that counting needs.
func (p *probe) missingIndex(t table) (string, error) {
	cure, err := sqltext.Fill("CREATE INDEX {name} ON {table} ({state}, {order})", sqltext.Holes{
		"name": indexName(p.m.Table, "State"), "table": ident(p.m.Table.Name), "state": t.col(model.RoleState), "order": t.claimOrder(),
	}).Text()
	return text.Clean(cure), err
}

// uncounted says which index is missing. Only what is ready and in work is needed
// for anything at all.
func (p *probe) uncounted(t table, without []string) error {
	cure, err := p.missingIndex(t)
	if err != nil {
		return err
	}
	why := fmt.Sprintf("the table has more than %d rows and no index that leads on %s (%s)", smallTable, p.m.Column(model.RoleState).Name, strings.Join(without, ", "))
	verdict := model.No(text.Clean(why), cure)
	if t.lacks(counted(model.Ready)) != nil || t.lacks(counted(model.Working)) != nil {
		p.caps.Can[model.CanCount] = verdict
		return nil
	}
	p.note(verdict.Why)
	return nil
}

// seeks asks the engine itself whether a condition is answered by an index: by a
// search, or by reading an index that holds no other rows.
func (p *probe) seeks(ctx context.Context, where sqltext.Part) (bool, error) {
	rows, err := p.query(ctx, sqltext.Fill("EXPLAIN QUERY PLAN SELECT 1 FROM {table} WHERE {where} LIMIT 1",
		sqltext.Holes{"table": ident(p.m.Table.Schema, p.m.Table.Name), "where": where}), "")
	if err != nil || len(rows) == 0 {
		return false, err
	}
	plan := rows[0].Text("detail")
	if strings.HasPrefix(plan, "SEARCH ") {
		return true, nil
	}
	for _, ix := range p.info.indexes {
		if ix.partial && strings.HasSuffix(plan, " INDEX "+ix.name) {
			return true, nil
		}
	}
	return false, nil
}

// triggerHead is the beginning of a trigger's text, after which comes what it
// waits for. Without a word for when, it runs before.
var triggerHead = regexp.MustCompile(`(?is)^\s*CREATE\s+(?:TEMP(?:ORARY)?\s+)?TRIGGER\s+(?:IF\s+NOT\s+EXISTS\s+)?` +
	"(?:\"(?:[^\"]|\"\")*\"|`(?:[^`]|``)*`|\\[[^\\]]*\\]|[^\\s.]+)" + `(?:\s*\.\s*\S+)?\s+(BEFORE|AFTER)?\s*(INSERT|DELETE|UPDATE)\b`)

// triggers looks for triggers that make an update other than it says. One that
// may skip rows forbids control; any other on updates asks for a second look.
func (p *probe) triggers(ctx context.Context) error {
	rows, err := p.query(ctx, sqltext.Raw(`SELECT sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = @name COLLATE NOCASE`), p.m.Table.Name)
	event := "UPDATE"
	if p.m.IsDestructive() {
		event = "DELETE"
	}
	for _, r := range rows {
		body := strings.ToUpper(r.Text("sql"))
		head := triggerHead.FindStringSubmatch(body)
		switch {
		case head != nil && head[2] != event:
		case (head == nil || head[1] != "AFTER") && strings.Contains(body, "IGNORE"):
			p.caps.Triggers.Instead = true
		default:
			p.caps.Triggers.After = true
		}
	}
	return err
}

// timeForm reads one lease, where leases are text, to write the others alike.
func (p *probe) timeForm(ctx context.Context) error {
	t := table{m: p.m, c: &p.caps}
	if !p.m.Has(model.RoleLease) || t.millis(model.RoleLease) || t.lacks(model.CanCount) != nil || t.live() != nil {
		return nil
	}
	rows, err := p.query(ctx, sqltext.Fill("SELECT {lease} AS lease FROM {table} WHERE {working} AND {column} IS NOT NULL LIMIT 1", sqltext.Holes{
		"lease": t.read(model.RoleLease), "table": t.name(), "working": t.in(model.Working), "column": t.col(model.RoleLease),
	}), "")
	if err != nil {
		return err
	}
	sample := ""
	if len(rows) > 0 {
		sample = rows[0].Text("lease")
	}
	p.caps.Form[formTime] = formOf(sample)
	p.note("times are text, written as " + p.caps.Form[formTime] + " in UTC")
	return nil
}
