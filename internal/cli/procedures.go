package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/leasetop/leasetop/internal/config"
	"github.com/leasetop/leasetop/internal/report"
	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/model"
)

// runProcedures prints or makes the procedures of a queue. Where a server is named
// it is asked what the table is; else it is taken as the mapping says.
func (a *app) runProcedures(ctx context.Context, args []string, engine string, apply bool) error {
	profile := a.flags.Profile
	if a.flags.DSN == "" && a.Getenv(config.EnvDSN) == "" {
		a.flags.Profile = "" // it is said for the printed table, not for a DSN
	}
	server, m, err := a.schemaTarget(args, engine, "lease")
	if err != nil {
		return err
	}
	if server.Target.Engine == "" {
		if apply {
			return usage("--apply needs a server: name it with --dsn, or a configured queue")
		}
		if m, err = assumedMapping(profile, m.Table.String(), cmp.Or(engine, config.EngineSQLServer)); err != nil {
			return err
		}
		d, err := dialect(cmp.Or(engine, config.EngineSQLServer))
		if err != nil {
			return err
		}
		return a.printProcedures(store.Procedures(d, &m))
	}
	return a.onServer(ctx, server, m, apply)
}

func (a *app) onServer(ctx context.Context, s config.Server, m model.Mapping, apply bool) (err error) {
	if apply {
		if err := sends(&s, "schema"); err != nil {
			return err
		}
	}
	db, err := a.dial(ctx, s)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	q := db.Queue(m)
	if !apply {
		return a.printProcedures(q.Procedures(ctx))
	}
	made, err := q.MakeProcedures(ctx)
	for _, s := range made {
		fmt.Fprintf(a.Out, "made %s\n", s.Op)
	}
	return err
}

func (a *app) printProcedures(made, absent []model.Statement, err error) error {
	if err != nil {
		return err
	}
	fmt.Fprint(a.Out, "SET QUOTED_IDENTIFIER ON;\nSET ANSI_NULLS ON;\nGO\n\n") // a procedure keeps them as they were
	if err := report.PlainBatches(a.Out, made); err != nil {
		return err
	}
	for _, s := range absent {
		fmt.Fprintf(a.Out, "\n-- %s cannot be made: %s\n", s.Op, s.Text)
	}
	return nil
}
