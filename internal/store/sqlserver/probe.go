package sqlserver

import (
	"context"
	"errors"
	"maps"
	"strings"
	"time"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/text"
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

	quickest     time.Duration // round trip of the answer that the skew was taken from
	reader       string        // how lists are read here
	level        int64         // compatibility level; 0: not known
	readOnly     bool
	memory       bool
	unbrakable   bool            // there is a brake that this login may not read
	mayInsert    bool            // into the table
	mayRecall    bool            // what the history holds
	mayRecord    bool            // in the history
	mayDelete    bool            // from the table
	mayForget    bool            // from the history
	mayState     bool            // VIEW DATABASE STATE
	obstacle     bool            // OUTPUT INTO refuses the history table
	recording    model.Verdict   // whether this login's own statements may record what they do
	historyToken string          // type of the history's NewToken; empty: not known
	callable     map[string]bool // procedures that this login may call
	rows         model.Number
	columns      map[string]column
	indexes      [][]string
	clustered    []string   // the key columns of the clustered index; none: a heap
	events       [][]string // indexes of the history table
	row          rowFacts   // of a destructive queue
}

// Probe asks the server about itself and the mapped table.
func (d Dialect) Probe(ctx context.Context, ask store.Ask, m *model.Mapping) (*model.Mapping, model.Caps, error) {
	p := &prober{d: d, ask: ask, m: clone(m), caps: model.Caps{Can: map[model.Feature]model.Verdict{}, Form: map[string]string{}}}
	steps := []func(context.Context) error{p.server, p.tables, p.brake, p.describe, p.lookups, p.procedures, p.facts}
	if m.IsDestructive() {
		steps = p.rowSteps()
	}
	for _, step := range steps {
		if err := step(ctx); err != nil {
			return nil, model.Caps{}, err
		}
	}
	if m.IsDestructive() {
		p.rowForms()
		p.rowVerdicts()
		return p.m, p.caps, nil
	}
	p.forms()
	p.verdicts()
	return p.m, p.caps, nil
}

func clone(m *model.Mapping) *model.Mapping {
	c := *m
	c.Keys = append([]model.Column(nil), m.Keys...)
	c.Columns = make(map[model.Role]model.Column, len(m.Columns))
	maps.Copy(c.Columns, m.Columns)
	return &c
}

// must asks a question that has to be answered.
func (p *prober) must(ctx context.Context, name string) ([]store.Row, error) {
	s, err := question(name, p.m)
	if err != nil {
		return nil, err
	}
	before := p.now()
	rows, err := p.ask(ctx, s, nil)
	if err == nil && len(rows) == 0 {
		return nil, &model.Fault{Class: model.FaultReshaped, Text: "an empty answer to the question of " + name}
	}
	if err == nil {
		p.clock(rows, before, p.now())
	}
	return rows, err
}

// may asks a question that this server may refuse: that is noted, and the shorter
// form asked instead where there is one. Silence, a broken connection and a lost
// race are errors all the same.
func (p *prober) may(ctx context.Context, name string) ([]store.Row, error) {
	rows, err := p.must(ctx, name)
	var f *model.Fault
	if !errors.As(err, &f) || f.Code == 0 || !refusal(f.Class) {
		return rows, err
	}
	p.caps.Notes = append(p.caps.Notes, "not known here: "+name+" ("+f.Text+")")
	short := shorter()[name]
	if short == "" {
		return nil, nil
	}
	return p.must(ctx, short)
}

// refusal reports whether asking again would be of no use.
func refusal(c model.FaultClass) bool {
	switch c {
	case model.FaultDenied, model.FaultReshaped, model.FaultRefused, model.FaultOther:
		return true
	default:
		return false
	}
}

// clock compares the server's clock with ours by the quickest answer so far: the
// first one has paid for the connection.
func (p *prober) clock(rows []store.Row, before, after time.Time) {
	took := after.Sub(before)
	if !p.caps.ProbedAt.IsZero() && took >= p.quickest {
		return
	}
	at, err := p.d.Instant(rows[0].Value("now"))
	if err != nil || at.IsZero() {
		return
	}
	p.quickest, p.caps.ProbedAt, p.caps.Skew = took, at, at.Sub(before.Add(took/2))
}

// server is who answers, and how the database's isolation is set, which decides
// how a list is read.
func (p *prober) server(ctx context.Context) error {
	rows, err := p.may(ctx, "server")
	if err != nil {
		return err
	}
	r, c := rows[0], &p.caps
	c.Engine, c.Version = Engine, text.Clean(r.Text("version"))
	if b := text.Clean(r.Text("babelfish")); b != "" {
		c.Engine, c.Version, c.Patience = Babelfish, b, probeDeadline // each connection's parser begins with nothing
	}
	c.Database, c.Login, c.Encrypted = text.Clean(r.Text("database")), text.Clean(r.Text("login")), p.d.encrypted
	p.level = r.Int("level").N
	c.Server = model.Server{Level: r.Int("level"), RCSI: r.Int("rcsi"), Snapshot: r.Int("snapshot")}
	p.readOnly = r.Text("updateability") == "READ_ONLY"
	switch {
	case c.Engine == Babelfish:
		p.reader = readerBabelfish
	case p.readOnly, r.Int("rcsi").N == 1:
		p.reader = readerRCSI
	case r.Int("snapshot").N == 1:
		p.reader = readerSnapshot
	default:
		p.reader = readerReadPast
	}
	return nil
}

func (p *prober) now() time.Time {
	if p.d.now == nil {
		return time.Now()
	}
	return p.d.now()
}

// tables is whether the table is there, how large it is and what stands in its
// way, and the same of its history.
func (p *prober) tables(ctx context.Context) error {
	rows, err := p.may(ctx, "tables")
	if err != nil {
		return err
	}
	r, name := rows[0], displayName(p.m.Table)
	switch kind := strings.TrimSpace(r.Text("type")); {
	case r.Value("object_id").IsNull():
		return p.unseen()
	case kind == "V" || kind == "SN":
		return &model.Fault{
			Class: model.FaultReshaped, Text: name + " is a view or a synonym",
			Cure: "name the table behind it: only there are indexes, triggers and rights known",
		}
	}
	p.memory = r.Int("memory").N == 1
	if p.caps.Engine != Babelfish { // there it is as old as the last statistics
		p.rows = r.Int("rows")
	}
	p.caps.Epoch = r.Value("object_id").String()
	p.caps.Triggers = model.Triggers{After: r.Int("after").N > 0, Instead: r.Int("instead").N > 0}
	p.mayInsert = told(r.Int("insert"))
	p.mayDelete, p.mayForget = told(r.Int("delete")), told(r.Int("history_delete"))
	p.history(r)
	return nil
}

// unseen is that there is no such table, or none that this login is shown.
func (p *prober) unseen() *model.Fault {
	name := displayName(p.m.Table)
	right := "SELECT on " + name
	if p.caps.Engine == Babelfish {
		right += " as a whole (here a right on its columns alone does not show it)"
	}
	return &model.Fault{
		Class: model.FaultReshaped, Text: "there is no table " + name + " in " + p.caps.Database + " that " + p.caps.Login + " can see",
		Cure: "check --table and the database in the DSN, ask for " + right + ", or make it with `leasetop schema --apply`",
	}
}

// history is whether there is a history table to be read, and whether OUTPUT INTO takes
// it.
func (p *prober) history(r store.Row) {
	about := withDead(p.m).History
	name := displayName(about)
	v := model.Yes()
	p.mayRecall, p.mayRecord = told(r.Int("history_select")), told(r.Int("history_insert"))
	p.obstacle, p.historyToken = r.Int("history_obstacles").N > 0, r.Text("history_token")
	switch {
	case about.IsZero():
		v = model.No("the profile has no history table", "the shipped schema has one: `leasetop schema`")
	case r.Value("history_id").IsNull():
		p.m.History = model.Table{}
		v = model.No("there is no history table "+name, "make it with `leasetop schema --apply`, or ask for SELECT and INSERT on it")
		if p.m.IsDestructive() {
			v = model.No("there is no table of dead letters "+name, "make it with `leasetop schema --kind destructive --apply`, or ask for SELECT and INSERT on it")
		}
	case !p.mayRecall:
		v = model.No("SELECT on "+name+" is missing", "ask for SELECT and INSERT on "+name)
	}
	p.caps.Can[model.CanHistory], p.recording = v, v
	switch {
	case !v.OK:
	case !p.mayRecord:
		p.recording = model.No("INSERT on "+name+" is missing", "ask for SELECT and INSERT on "+name)
	case p.obstacle:
		p.recording = model.No(name+" has a trigger, a foreign key or a check, and OUTPUT INTO refuses those", "drop it from "+name)
	}
}

// told is a right that the server does not deny: one that it says nothing about
// counts as had, since the statement itself will tell.
func told(n model.Number) bool { return !n.Known || n.N == 1 }
