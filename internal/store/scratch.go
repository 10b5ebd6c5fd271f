package store

import (
	"context"
	"errors"
	"fmt"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
)

// Scratcher is what a dialect has beside Dialect that can find and drop scratch
// tables. Making one is Schema.
type Scratcher interface {
	// Scratches lists the tables whose names begin with ScratchPrefix: columns
	// schema and name, a row of NULLs when there is none.
	Scratches() (Stmt, error)
	// DropScratch drops one of them, if it is there.
	DropScratch(t model.Table) (Stmt, error)
}

// Scratches lists the scratch tables of the database, whoever made them.
func (d *DB) Scratches(ctx context.Context) ([]model.Table, error) {
	s, err := d.scratcher()
	if err != nil {
		return nil, err
	}
	stmt, err := s.Scratches()
	if err != nil {
		return nil, &model.Fault{Class: model.FaultTarget, Op: "scratches", Text: err.Error()}
	}
	rows, err := d.run.run(ctx, stmt, nil)
	if err != nil {
		return nil, err
	}
	var out []model.Table
	for _, r := range rows {
		t := model.Table{Schema: r.Text("schema"), Name: r.Text("name")}
		if IsScratch(t) && text.Clean(t.Name) == t.Name { // LIKE may fold case: those are somebody else's
			out = append(out, t)
		}
	}
	return out, nil
}

// DropScratch drops scratch tables and goes on after one that cannot be dropped.
// It refuses every other table.
func (d *DB) DropScratch(ctx context.Context, tables ...model.Table) error {
	s, err := d.scratcher()
	if err != nil {
		return err
	}
	var errs []error
	for _, t := range tables {
		if !IsScratch(t) {
			errs = append(errs, &model.Fault{Class: model.FaultTarget, Op: "drop", Text: fmt.Sprintf("%s is no scratch table", t)})
			continue
		}
		stmt, err := s.DropScratch(t)
		if err == nil {
			_, err = d.run.run(ctx, stmt, nil)
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

func (d *DB) scratcher() (Scratcher, error) {
	s, ok := d.run.dialect.(Scratcher)
	if !ok {
		return nil, &model.Fault{Class: model.FaultTarget, Op: "scratches", Text: d.Engine() + " has no scratch tables"}
	}
	return s, nil
}
