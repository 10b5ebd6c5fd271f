// Package store is the border to the database. The runner here runs, scans and
// cleans for every engine; a dialect gives the text and the types. What a queue
// bound here returns are facts: rows as one statement saw or changed them, with
// the server's time of that statement. Nothing here retries or judges.
package store

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/leasetop/leasetop/model"
)

// DB is one server: one DSN without its table. It opens no connection before
// the first call.
type DB struct {
	run   *runner
	extra func() error
}

// Open makes a DB of a dialect's pools.
func Open(d Dialect, p Pools) *DB {
	u := d.Unit()
	db := &DB{
		run: &runner{
			dialect: d, unit: u,
			read: newPool(p.Read, u, 2), work: newPool(p.Work, u, 1), control: newPool(p.Control, u, 1),
		},
		extra: p.Close,
	}
	if p.Held != nil {
		db.run.held = newPool(p.Held, u, 1)
	}
	return db
}

// Close ends all connections without waiting for a call that hangs.
func (d *DB) Close() error {
	errs := []error{d.run.read.close(), d.run.work.close(), d.run.control.close()}
	if d.run.held != nil {
		errs = append(errs, d.run.held.close())
	}
	if d.extra != nil {
		errs = append(errs, d.extra())
	}
	return errors.Join(errs...)
}

// Stats is what the runner has done so far.
type Stats struct {
	Statements int64 // sent since the start
	Abandoned  int64 // calls that hang now
}

// Stats gives the runner's counts.
func (d *DB) Stats() Stats {
	return Stats{Statements: d.run.statements.Load(), Abandoned: d.run.abandoned.Load()}
}

// Engine names the dialect.
func (d *DB) Engine() string { return d.run.dialect.Engine() }

// Queue binds a mapping to the server. Nothing is sent before the first call,
// which probes the table.
func (d *DB) Queue(m model.Mapping) *Queue {
	return &Queue{db: d, wanted: m}
}

// MakeSchema makes the shipped table of a mapping, its history, its brake and their
// indexes where they are missing.
func (d *DB) MakeSchema(ctx context.Context, m *model.Mapping) error {
	s, err := d.run.dialect.Schema(m)
	if err != nil {
		return &model.Fault{Class: model.FaultTarget, Op: "schema", Text: err.Error()}
	}
	_, err = d.run.run(ctx, s, nil)
	return err
}

// Schema is the statement of MakeSchema for eyes; it needs no connection.
func Schema(d Dialect, m *model.Mapping) (model.Statement, error) {
	s, err := d.Schema(m)
	if err != nil {
		return model.Statement{}, err
	}
	return s.show(nil), nil
}

// Queue is one bound queue. Its methods are safe for use by several goroutines.
type Queue struct {
	db     *DB
	wanted model.Mapping
	flaw   Flaw // a scratch table's known mistake; empty: none
	bound  atomic.Pointer[binding]
}

// binding is what a probe found, with every statement rendered once.
type binding struct {
	made    time.Time // when, by this process's clock
	mapping *model.Mapping
	caps    model.Caps
	stmts   map[Op]Stmt
	absent  map[Op]error
}

// Name is the queue's name.
func (q *Queue) Name() string { return q.wanted.Queue }

// Mapping is the mapping as the last probe bound it, or as it was wanted.
func (q *Queue) Mapping() *model.Mapping {
	if b := q.bound.Load(); b != nil {
		return b.mapping
	}
	return &q.wanted
}

// Caps is what the last probe found out; ok is false before the first one.
func (q *Queue) Caps() (c model.Caps, ok bool) {
	if b := q.bound.Load(); b != nil {
		return b.caps, true
	}
	return model.Caps{}, false
}

// Probe asks the server what it is, what the table is and what this login may
// do, and renders every statement anew.
func (q *Queue) Probe(ctx context.Context) (model.Caps, error) {
	b, err := q.probe(ctx)
	if err != nil {
		return model.Caps{}, err
	}
	return b.caps, nil
}

func (q *Queue) probe(ctx context.Context) (*binding, error) {
	d := q.db.run.dialect
	m, caps, err := d.Probe(ctx, q.db.run.run, &q.wanted)
	if err != nil {
		return nil, q.db.run.probeFault(ctx, err)
	}
	b := &binding{made: time.Now(), mapping: m, caps: caps, stmts: map[Op]Stmt{}, absent: map[Op]error{}}
	for _, spec := range SpecsOf(q.wanted.Family) {
		s, err := d.Statement(spec.Op, m, &caps)
		if err != nil {
			b.absent[spec.Op] = err
			continue
		}
		if s.Kind == Watch {
			s.Within = max(s.Within, caps.Patience)
		}
		b.stmts[spec.Op] = s
	}
	if err := q.spoil(b); err != nil {
		return nil, err
	}
	q.bound.Store(b)
	return b, nil
}

func (q *Queue) binding(ctx context.Context) (*binding, error) {
	if b := q.bound.Load(); b != nil {
		return b, nil
	}
	return q.probe(ctx)
}

// why is why the bound queue has no statement for an operation.
func (b *binding) why(op Op) string {
	if err := b.absent[op]; err != nil {
		return err.Error()
	}
	return "a " + b.mapping.Family.String() + " queue has no " + string(op)
}

// run runs an operation of the bound queue.
func (q *Queue) run(ctx context.Context, op Op, a Args) (*binding, []Row, error) {
	b, err := q.binding(ctx)
	if err != nil {
		return nil, nil, err
	}
	s, ok := b.stmts[op]
	if !ok {
		return nil, nil, &model.Fault{Class: model.FaultReshaped, Op: string(op), Text: b.why(op)}
	}
	rows, err := q.db.run.run(ctx, s, a)
	return b, rows, err
}

// Questioner is what a dialect may have beside Dialect: the statements of its probe.
type Questioner interface {
	Questions(m *model.Mapping, c *model.Caps) []Stmt
}

// questions are the statements of a probe for eyes.
func questions(d Dialect, m *model.Mapping, c *model.Caps) []model.Statement {
	q, ok := d.(Questioner)
	if !ok {
		return nil
	}
	var out []model.Statement
	for _, s := range q.Questions(m, c) {
		out = append(out, s.show(nil))
	}
	return out
}

// Statements lists every statement that the queue can send: those of the probe, then
// in the order of Specs; the second list says which operations the table cannot
// have, and why.
func (q *Queue) Statements(ctx context.Context) (sendable []model.Statement, absent []model.Statement, err error) {
	b, err := q.binding(ctx)
	if err != nil {
		return nil, nil, err
	}
	sendable = questions(q.db.run.dialect, &q.wanted, &b.caps)
	for _, spec := range SpecsOf(q.wanted.Family) {
		if s, ok := b.stmts[spec.Op]; ok {
			sendable = append(sendable, s.show(nil))
			continue
		}
		absent = append(absent, model.Statement{Op: string(spec.Op), Text: b.absent[spec.Op].Error()})
	}
	return sendable, absent, nil
}
