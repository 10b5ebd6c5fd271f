package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/leasetop/leasetop/internal/config"
	"github.com/leasetop/leasetop/internal/profile"
	"github.com/leasetop/leasetop/internal/report"
	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqlite"
	"github.com/leasetop/leasetop/model"
)

// The table that schema prints where none is named.
const (
	shippedTable = "QueueDemo"
	shippedRows  = "CustomerOrderToShip" // of a destructive queue
)

// schema prints or makes the tables of the lease queue.
func (a *app) schema() *cobra.Command {
	var engine, kind string
	var apply, procedures bool
	cmd := &cobra.Command{
		Use:   "schema [QUEUE]",
		Short: "Print the tables of the lease queue, or make them with --apply",
		Long: "schema prints the statements that make the lease queue, its history and their indexes: for --engine,\n" +
			"for the server of --dsn, or for a configured queue. With --apply it runs them; what is there stays.\n\n" +
			"With --procedures it is the procedures of a queue on SQL Server instead, from claim to the operator's\n" +
			"acts, with roles for viewer, operator and worker: who may execute them needs no right on the table.",
		Args: atMostOne, ValidArgsFunction: a.completeQueues,
		RunE: func(cmd *cobra.Command, args []string) error {
			if procedures {
				return a.runProcedures(cmd.Context(), args, engine, apply)
			}
			if kind != "lease" && kind != profile.Destructive {
				return usage("--kind cannot be %q; write lease or destructive", kind)
			}
			return a.runSchema(cmd.Context(), args, engine, kind, apply)
		},
	}
	cmd.Flags().StringVar(&engine, "engine", "", "sqlserver or sqlite (default: the server's, or sqlserver)")
	cmd.Flags().StringVar(&kind, "kind", "lease", "lease, or destructive: the table that is a queue by deleting from it, and its dead letters")
	cmd.Flags().BoolVar(&apply, "apply", false, "make them on the server, where they are missing")
	cmd.Flags().BoolVar(&procedures, "procedures", false, "the procedures and roles of a queue instead of its tables")
	return cmd
}

func (a *app) runSchema(ctx context.Context, args []string, engine, kind string, apply bool) error {
	server, m, err := a.schemaTarget(args, engine, kind)
	if err != nil {
		return err
	}
	if !apply {
		d, err := dialect(cmp.Or(engine, server.Target.Engine, config.EngineSQLServer))
		if err != nil {
			return err
		}
		s, err := store.Schema(d, &m)
		if err != nil {
			return err
		}
		return report.PlainStatements(a.Out, []model.Statement{s})
	}
	if server.Target.Engine == "" {
		return usage("--apply needs a server: name it with --dsn, or a configured queue")
	}
	return a.applySchema(ctx, server, &m)
}

// schemaTarget finds the table, and the server if one is meant: that of a DSN, or
// of a configured queue. --engine alone means none.
func (a *app) schemaTarget(args []string, engine, kind string) (config.Server, model.Mapping, error) {
	table := shippedTable
	if kind == profile.Destructive {
		table = shippedRows
	}
	names := append(append(args, a.flags.Tables...), table)[:1]
	dsn := a.flags.DSN != "" || a.Getenv(config.EnvDSN) != ""
	if engine == "" {
		if !dsn {
			a.flags.Tables = nil // they name what is printed
		} else if kind == profile.Destructive {
			a.flags.Profile = cmp.Or(a.flags.Profile, kind)
		}
		c, err := a.configure(names...)
		if err != nil {
			return config.Server{}, model.Mapping{}, err
		}
		if dsn || (len(args) > 0 && len(c.Queues) > 0) {
			qs, err := pick(c, names)
			if err != nil {
				return config.Server{}, model.Mapping{}, err
			}
			return c.Server(qs[0]), qs[0].Mapping, nil
		}
	}
	m, err := assumedMapping(kind, names[0], cmp.Or(engine, config.EngineSQLServer))
	return config.Server{}, m, err
}

func (a *app) applySchema(ctx context.Context, s config.Server, m *model.Mapping) (err error) {
	if err := sends(&s, "schema"); err != nil {
		return err
	}
	db, err := a.dialNew(ctx, s)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	before, missing := db.Queue(*m).Probe(ctx)
	if err := db.MakeSchema(ctx, m); err != nil {
		return err
	}
	if m.IsDestructive() {
		fmt.Fprintf(a.Out, "%s and %s are there\n", m.Table, m.Lane.Dead)
		return nil
	}
	fmt.Fprintf(a.Out, "%s, %s and %s are there\n", m.Table, m.History, m.Brake)
	if missing == nil && !before.Allows(model.CanBrake).OK {
		fmt.Fprintf(a.Out, "the brake is new here: workers that were running before notice it within %s, and until then it does not stop them\n", store.LookAnew)
	}
	return nil
}

// dialNew is dial for a server whose database may be made: a missing file is no
// mistake then.
func (a *app) dialNew(ctx context.Context, s config.Server) (*store.DB, error) {
	if s.Target.Engine == config.EngineSQLite {
		return sqlite.Open(sqlite.Options{Path: s.Target.Path, Create: true})
	}
	return a.dial(ctx, s)
}
