package store

import (
	"context"

	"github.com/leasetop/leasetop/model"
)

// Script is a queue's procedures, its roles and their grants.
type Script struct {
	Make   []Stmt // what makes them: one batch each, in this order
	Print  []Stmt // what a DBA may want beside them, printed and never run
	Absent []Stmt // operations that have none; the text says why
}

// Procedured is what a dialect may have beside Dialect: procedures of the
// operations.
type Procedured interface {
	Procedures(m *model.Mapping, c *model.Caps) (Script, error)
}

// Procedures are the statements that make the procedures of a table exactly as its
// mapping says, for eyes; no connection is made.
func Procedures(d Dialect, m *model.Mapping) (made, absent []model.Statement, err error) {
	p, err := procedured(d)
	if err != nil {
		return nil, nil, err
	}
	return shown(p.Procedures(m, &model.Caps{Engine: d.Engine(), Ours: !m.History.IsZero(), Form: map[string]string{}}))
}

// Procedures are the statements that make the procedures of the queue's table as a
// probe found it, for eyes.
func (q *Queue) Procedures(ctx context.Context) (made, absent []model.Statement, err error) {
	p, b, err := q.procedured(ctx)
	if err != nil {
		return nil, nil, err
	}
	return shown(p.Procedures(b.mapping, &b.caps))
}

// MakeProcedures makes the procedures, the roles and their grants, a batch each.
// What it has made stays when a later batch is refused; running it again mends that.
func (q *Queue) MakeProcedures(ctx context.Context) (made []model.Statement, err error) {
	p, b, err := q.procedured(ctx)
	if err != nil {
		return nil, err
	}
	script, err := p.Procedures(b.mapping, &b.caps)
	if err != nil {
		return nil, err
	}
	for _, s := range script.Make {
		if _, err := q.db.run.run(ctx, s, nil); err != nil {
			return made, err
		}
		made = append(made, s.show(nil))
	}
	return made, nil
}

func (q *Queue) procedured(ctx context.Context) (Procedured, *binding, error) {
	p, err := procedured(q.db.run.dialect)
	if err != nil {
		return nil, nil, err
	}
	b, err := q.binding(ctx)
	return p, b, err
}

func procedured(d Dialect) (Procedured, error) {
	if p, ok := d.(Procedured); ok {
		return p, nil
	}
	return nil, &model.Fault{
		Class: model.FaultTarget, Op: "procedures", Text: "the engine " + d.Engine() + " has no procedures and no rights",
		Cure: "print those of a server with --engine sqlserver",
	}
}

func shown(script Script, err error) (made, absent []model.Statement, _ error) {
	for _, s := range append(script.Make, script.Print...) {
		made = append(made, s.show(nil))
	}
	for _, s := range script.Absent {
		absent = append(absent, s.show(nil))
	}
	return made, absent, err
}
