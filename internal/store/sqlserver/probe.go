package sqlserver

import (
	"context"
	"errors"
	"time"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/model"
)

// Babelfish is the name of the engine that speaks T-SQL over PostgreSQL: no lock
// hints, few system views, other error numbers.
const Babelfish = "babelfish"

// small is how many rows a table may have to be counted without an index.
const small = 10_000

// prober is one probe: what it has found so far.
type prober struct {
	d    Dialect
	ask  store.Ask
	m    *model.Mapping // a copy, bound to what the server declares
	caps model.Caps

	quickest time.Duration // round trip of the answer that the skew was taken from
	level    int64         // compatibility level; 0: not known
	readOnly bool
	memory   bool
	rows     model.Number
	columns  map[string]column
	indexes  [][]string
	events   [][]string // indexes of the history table
}

// Probe asks the server about itself and the mapped table.
func (d Dialect) Probe(ctx context.Context, ask store.Ask, m *model.Mapping) (*model.Mapping, model.Caps, error) {
	p := &prober{d: d, ask: ask, m: clone(m), caps: model.Caps{Can: map[model.Feature]model.Verdict{}, Form: map[string]string{}}}
	for _, step := range []func(context.Context) error{
		p.server, p.database, p.table, p.describe, p.lookups, p.triggers, p.history,
	} {
		if err := step(ctx); err != nil {
			return nil, model.Caps{}, err
		}
	}
	p.forms()
	p.verdicts()
	return p.m, p.caps, nil
}

func clone(m *model.Mapping) *model.Mapping {
	c := *m
	c.Keys = append([]model.Column(nil), m.Keys...)
	c.Columns = make(map[model.Role]model.Column, len(m.Columns))
	for r, col := range m.Columns {
		c.Columns[r] = col
	}
	return &c
}

// must asks a question that has to be answered.
func (p *prober) must(ctx context.Context, name string, about model.Table) ([]store.Row, error) {
	s, err := question(name, about)
	if err != nil {
		return nil, err
	}
	before := p.now()
	rows, err := p.ask(ctx, s, nil)
	if err == nil {
		p.clock(rows, before, p.now())
	}
	return rows, err
}

// clock compares the server's clock with ours by the quickest answer so far: the
// first one has paid for the connection.
func (p *prober) clock(rows []store.Row, before, after time.Time) {
	took := after.Sub(before)
	if len(rows) == 0 || !p.caps.ProbedAt.IsZero() && took >= p.quickest {
		return
	}
	at, err := p.d.Instant(rows[0].Value("now"))
	if err != nil || at.IsZero() {
		return
	}
	p.quickest, p.caps.ProbedAt, p.caps.Skew = took, at, at.Sub(before.Add(took/2))
}

// may asks a question that this server may refuse: then its answer is empty and
// noted. Silence and a broken connection are errors all the same.
func (p *prober) may(ctx context.Context, name string, about model.Table) (store.Row, []store.Row, error) {
	rows, err := p.must(ctx, name, about)
	var f *model.Fault
	if errors.As(err, &f) && f.Code != 0 {
		p.caps.Notes = append(p.caps.Notes, "not known here: "+name+" ("+f.Text+")")
		return store.Row{}, nil, nil
	}
	if err != nil || len(rows) == 0 {
		return store.Row{}, nil, err
	}
	return rows[0], rows, nil
}

// server is who answers.
func (p *prober) server(ctx context.Context) error {
	rows, err := p.must(ctx, "server", model.Table{})
	if err != nil {
		return err
	}
	if len(rows) == 0 {
		return &model.Fault{Class: model.FaultReshaped, Text: "the server says nothing about itself"}
	}
	r, c := rows[0], &p.caps
	c.Engine, c.Version = Engine, r.Text("version")
	if b := r.Text("babelfish"); b != "" {
		c.Engine, c.Version = Babelfish, b
	}
	c.Database, c.Login, c.Encrypted = r.Text("database"), r.Text("login"), p.d.encrypted
	return nil
}

func (p *prober) now() time.Time {
	if p.d.now == nil {
		return time.Now()
	}
	return p.d.now()
}

// database is how its isolation is set, which decides how a list is read.
func (p *prober) database(ctx context.Context) error {
	r, _, err := p.may(ctx, "database", model.Table{})
	if err != nil {
		return err
	}
	if n := r.Int("level"); n.Known {
		p.level = n.N
	}
	p.readOnly = r.Text("updateability") == "READ_ONLY"
	reader := readerReadPast
	switch {
	case p.caps.Engine == Babelfish, p.readOnly, r.Int("rcsi").N == 1:
		reader = readerRCSI
	case r.Int("snapshot").N == 1:
		reader = readerSnapshot
	}
	p.caps.Form[formReader] = reader
	p.caps.LowCounts = reader == readerReadPast
	return nil
}

// formReader is the entry of Caps.Form that names the reader for all lists.
const formReader = "reader"

// table is whether the table is there and how large it is.
func (p *prober) table(ctx context.Context) error {
	r, _, err := p.may(ctx, "table", p.m.Table)
	if err != nil {
		return err
	}
	name := displayName(p.m.Table)
	switch kind := r.Text("type"); {
	case r.Has("object_id") && r.Value("object_id").IsNull():
		return &model.Fault{
			Class: model.FaultReshaped, Text: "there is no table " + name + " in " + p.caps.Database + " that " + p.caps.Login + " can see",
			Cure: "check --table and the database in the DSN, ask for SELECT on " + name + ", or make it with `leasetop schema --apply`",
		}
	case kind == "V" || kind == "SN":
		return &model.Fault{
			Class: model.FaultReshaped, Text: name + " is a view or a synonym",
			Cure: "name the table behind it: only there are indexes, triggers and rights known",
		}
	}
	p.rows = r.Int("rows")
	p.caps.Epoch = r.Value("object_id").String()
	m, _, err := p.may(ctx, "memory", p.m.Table)
	p.memory = m.Int("memory").N == 1
	return err
}

func (p *prober) triggers(ctx context.Context) error {
	r, _, err := p.may(ctx, "triggers", p.m.Table)
	p.caps.Triggers = model.Triggers{After: r.Int("after").N > 0, Instead: r.Int("instead").N > 0}
	return err
}
