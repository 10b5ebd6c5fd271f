package sqlite

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqltext"
	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
)

// smallTable is how many rows a table may have whose states are counted without
// an index.
const smallTable = 10_000

// probe is one look at a file and a table in it.
type probe struct {
	d    *Dialect
	ask  store.Ask
	m    *model.Mapping // a copy of what was wanted, refined on the way
	caps model.Caps
	info tableInfo
}

// Probe asks the file what it is and what the mapped table is like.
func (d *Dialect) Probe(ctx context.Context, ask store.Ask, m *model.Mapping) (*model.Mapping, model.Caps, error) {
	bound := *m
	bound.Keys, bound.Columns = slices.Clone(m.Keys), maps.Clone(m.Columns)
	p := &probe{d: d, ask: ask, m: &bound, caps: model.Caps{
		Engine: Engine, Database: text.Clean(d.file.path), Encrypted: "local", Login: "local file",
		Can: map[model.Feature]model.Verdict{}, Form: map[string]string{},
	}}
	steps := []func(context.Context) error{p.server, p.table, p.history, p.brake, p.triggers, p.counting, p.operations, p.timeForm}
	if m.IsDestructive() {
		steps = []func(context.Context) error{p.server, p.table, p.triggers, p.rows}
	}
	for _, step := range steps {
		if err := step(ctx); err != nil {
			return nil, model.Caps{}, err
		}
	}
	if m.IsDestructive() {
		p.rowRights()
	} else {
		p.rights()
	}
	return p.m, p.caps, nil
}

// query asks one text with the table's name as its parameter.
func (p *probe) query(ctx context.Context, t sqltext.Part, name string) ([]store.Row, error) {
	s, err := stmt(t)
	if err != nil {
		return nil, err
	}
	s.Op, s.Params = "probe", []store.Param{{Name: "name", Declared: "TEXT"}}
	return p.ask(ctx, s, store.Args{"name": model.TextValue(name)})
}

// errClock is why a file has no clock to choose.
var errClock = &model.Fault{
	Class: model.FaultTarget, Text: "clock: the times of a SQLite file are read and written as UTC, since SQLite knows no other zone than this machine's",
	Cure: "leave clock out of the mapping, and let workers write UTC",
}

func (p *probe) server(ctx context.Context) error {
	if !p.m.InUTC() {
		return errClock
	}
	rows, err := p.query(ctx, sqltext.Raw(`SELECT @now AS now, sqlite_version() AS version,
       (SELECT schema_version FROM pragma_schema_version) AS epoch,
       (SELECT journal_mode FROM pragma_journal_mode) AS journal`), "")
	if err != nil {
		return err
	}
	p.caps.Version, p.caps.Epoch = rows[0].Text("version"), rows[0].Text("epoch")
	if p.caps.ProbedAt, err = p.d.Instant(rows[0].Value("now")); err != nil {
		return err
	}
	if j := rows[0].Text("journal"); j != "wal" {
		p.note(fmt.Sprintf("the file's journal is %s: readers and writers wait for each other; PRAGMA journal_mode = WAL ends that", text.Clean(j)))
	}
	return nil
}

func (p *probe) note(s string) { p.caps.Notes = append(p.caps.Notes, s) }

// reshaped is a table that is not as the mapping wants it.
func reshaped(what, cure string) error {
	return &model.Fault{Class: model.FaultReshaped, Text: what, Cure: cure}
}

// history binds the history table, or leaves it out where it is missing or is
// another's.
func (p *probe) history(ctx context.Context) error {
	if p.m.History.IsZero() {
		p.caps.Can[model.CanHistory] = model.No("the mapping names no history table", "")
		return nil
	}
	columns, err := p.columns(ctx, p.m.History.Name)
	if err != nil {
		return err
	}
	missing := absent(historyColumns(), columns)
	if len(missing) == 0 && len(p.m.Keys) == 1 && p.m.Keys[0].Type == model.Int {
		p.caps.Can[model.CanHistory] = model.Yes()
		p.caps.Ours = p.whole()
		return nil
	}
	why := fmt.Sprintf("there is no history table %s", p.m.History)
	if len(columns) > 0 {
		why = fmt.Sprintf("the table %s is not the shipped history", p.m.History)
	}
	p.caps.Can[model.CanHistory] = model.No(text.Clean(why), "leasetop schema --apply makes it")
	p.m.History = model.Table{}
	return nil
}

// whole reports whether every column and state of the shipped queue is there.
func (p *probe) whole() bool {
	t := table{m: p.m, c: &p.caps}
	for _, r := range model.Roles() {
		if !p.m.Has(r) || p.m.Column(r).Type == model.Time && !t.millis(r) {
			return false
		}
	}
	return len(p.m.States) == len(model.States())
}

// rights decides what may be done here.
func (p *probe) rights() {
	can := p.caps.Can
	can[model.CanRead] = model.Yes()
	can[model.CanPayload] = model.Yes()
	if !p.m.Has(model.RolePayload) {
		can[model.CanPayload] = model.No("the mapping names no payload column", "")
	}
	takes := p.takesWrites()
	if !takes.OK {
		can[canMake] = takes
	}
	change := p.change(takes)
	can[model.CanControl], can[model.CanWork] = change, change
	if err := (table{m: p.m, c: &p.caps}).ourToken(); change.OK && err != nil {
		can[model.CanWork] = model.No(err.Error(), "")
	}
	if change.OK && !can[canMake].OK {
		p.note(can[canMake].Why)
	}
}

// takesWrites is whether the file takes a write.
func (p *probe) takesWrites() model.Verdict {
	abs, err := filepath.Abs(p.d.file.path)
	if err == nil {
		err = writable(abs)
	}
	if err == nil {
		err = writable(filepath.Dir(abs))
	}
	if err != nil {
		return model.No(fmt.Sprintf("the file or its folder takes no writes (%s)", err), "check their permissions")
	}
	return model.Yes()
}

// change decides whether jobs may be changed: what forbids one step forbids all.
func (p *probe) change(takes model.Verdict) model.Verdict {
	t := table{m: p.m, c: &p.caps}
	switch {
	case !takes.OK:
		return takes
	case p.caps.Triggers.Instead:
		return model.No("a trigger on the table can skip an update without saying so", "")
	case t.fenced() != nil:
		return model.No(t.fenced().Error(), "")
	}
	return p.caps.Can[hasKey]
}
