package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/leasetop/leasetop/internal/config"
	"github.com/leasetop/leasetop/internal/report"
	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/model"
)

// sql prints every statement that leasetop would send to a queue.
func (a *app) sql() *cobra.Command {
	var engine string
	cmd := &cobra.Command{
		Use:   "sql [QUEUE]",
		Short: "Print every statement that would be sent, with its right and its proof",
		Long: "sql prints each statement with its parameters, the right that the login needs for it, and where it\n" +
			"was proved. It asks the server which forms apply there. With --engine, or when the server cannot be\n" +
			"reached, it prints what would be sent to a table that is exactly as the mapping says.",
		Args: atMostOne, ValidArgsFunction: a.completeQueues,
		RunE: func(cmd *cobra.Command, args []string) error { return a.runSQL(cmd.Context(), queueOf(args), engine) },
	}
	cmd.Flags().StringVar(&engine, "engine", "", "sqlserver or sqlite: print without asking a server")
	return cmd
}

func (a *app) runSQL(ctx context.Context, name, engine string) error {
	if engine != "" {
		return a.offlineSQL(name, engine)
	}
	h, r, err := a.one(ctx, name)
	if err != nil {
		return err
	}
	sendable, absent, err := r.queue.Statements(ctx)
	if err := errors.Join(err, h.close()); err != nil {
		fmt.Fprintf(a.Err, "leasetop: %v\nleasetop: printed for a table exactly as the mapping says, no server was asked\n", err)
		return a.printAssumed(r.server.Target.Engine, r.config.Mapping)
	}
	if caps, probed := r.queue.Caps(); probed {
		if err := report.PlainCaps(a.Out, &caps); err != nil {
			return err
		}
	}
	return a.printSQL(sendable, absent)
}

// offlineSQL prints the statements of a configured queue, or of a table, for an
// engine.
func (a *app) offlineSQL(name, engine string) error {
	profile := a.flags.Profile
	a.flags.Profile = ""    // it is said for the printed table, not for a DSN
	configure := a.settings // a server without a table is not what is asked about
	if a.flags.DSN != "" || len(a.flags.Tables) > 0 {
		configure = func() (*config.Config, error) { return a.configure() }
	}
	c, err := configure()
	if err != nil {
		return err
	}
	m, ok := model.Mapping{}, false
	switch {
	case name == "" && len(c.Queues) == 1:
		name = c.Queues[0].Mapping.Queue
	case name == "" && len(c.Queues) > 1:
		return severalQueues(c)
	case name == "":
		return usage("QUEUE is missing: name a queue or a table; leasetop sql QUEUE --engine %s", engine)
	}
	if q, found := named(c, name); found && c.Server(q).Target.Engine == engine {
		m, ok = q.Mapping, true
	}
	if !ok {
		if m, err = assumedMapping(profile, name, engine); err != nil {
			return err
		}
	}
	return a.printAssumed(engine, m)
}

func (a *app) printAssumed(engine string, m model.Mapping) error {
	d, err := dialect(engine)
	if err != nil {
		return err
	}
	sendable, absent := store.Assumed(d, &m)
	return a.printSQL(sendable, absent)
}

func (a *app) printSQL(sendable, absent []model.Statement) error {
	if err := report.PlainStatements(a.Out, sendable); err != nil {
		return err
	}
	for _, s := range absent {
		fmt.Fprintf(a.Out, "\n-- %s is never sent: %s\n", s.Op, s.Text)
	}
	return nil
}
