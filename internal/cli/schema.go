package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/leasetop/leasetop/internal/config"
	"github.com/leasetop/leasetop/internal/report"
	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqlite"
	"github.com/leasetop/leasetop/model"
)

// shippedTable is the table that schema prints where none is named.
const shippedTable = "QueueDemo"

// schema prints or makes the tables of the lease queue.
func (a *app) schema() *cobra.Command {
	var engine string
	var apply bool
	cmd := &cobra.Command{
		Use:   "schema [QUEUE]",
		Short: "Print the tables of the lease queue, or make them with --apply",
		Long: "schema prints the statements that make the lease queue, its history and their indexes: for --engine,\n" +
			"for the server of --dsn, or for a configured queue. With --apply it runs them; what is there stays.",
		Args: cobra.MaximumNArgs(1), ValidArgsFunction: a.completeQueues,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.runSchema(cmd.Context(), args, engine, apply)
		},
	}
	cmd.Flags().StringVar(&engine, "engine", "", "sqlserver or sqlite (default: the server's, or sqlserver)")
	cmd.Flags().BoolVar(&apply, "apply", false, "make them on the server, where they are missing")
	return cmd
}

func (a *app) runSchema(ctx context.Context, args []string, engine string, apply bool) error {
	server, m, err := a.schemaTarget(args, engine)
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
func (a *app) schemaTarget(args []string, engine string) (config.Server, model.Mapping, error) {
	names := append(append(args, a.flags.Tables...), shippedTable)[:1]
	dsn := a.flags.DSN != "" || a.Getenv(config.EnvDSN) != ""
	if engine == "" {
		if !dsn {
			a.flags.Tables = nil // they name what is printed
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
	m, err := assumedMapping("", names[0], cmp.Or(engine, config.EngineSQLServer))
	return config.Server{}, m, err
}

func (a *app) applySchema(ctx context.Context, s config.Server, m *model.Mapping) (err error) {
	db, err := a.dialNew(ctx, s)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if err := db.MakeSchema(ctx, m); err != nil {
		return err
	}
	fmt.Fprintf(a.Out, "%s and %s are there\n", m.Table, m.History)
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
