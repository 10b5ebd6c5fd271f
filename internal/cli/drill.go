package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/leasetop/leasetop/internal/config"
	"github.com/leasetop/leasetop/internal/drill"
	"github.com/leasetop/leasetop/internal/report"
	"github.com/leasetop/leasetop/internal/scratch"
	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqlite"
	"github.com/leasetop/leasetop/model"
)

type drillFlags struct {
	options      drill.Options
	asJSON, list bool
}

// drill holds a queue to its guarantees on scratch tables.
func (a *app) drill() *cobra.Command {
	var f drillFlags
	cmd := &cobra.Command{
		Use:   "drill",
		Short: "Hold the queue to its guarantees on scratch tables, or show that a mistake is found",
		Long: "drill makes scratch queues, lets workers claim, stall, vanish and lose replies on them, and checks\n" +
			"every guarantee of the lease queue. Without a server it uses temporary files on this machine, where row\n" +
			"locks are emulated. With --dsn it makes tables of its own, named " + store.ScratchPrefix + "…, on a server that is\n" +
			"marked as a development server, and drops them at the end, also after Ctrl-C; what a killed drill left\n" +
			"behind the next one removes.\n\n" +
			"With --break it runs on a queue that makes a known mistake: then it must fail. --list names the checks\n" +
			"and the mistakes.\n\n" +
			"It ends with 0 only if every guarantee holds.",
		Example: "  leasetop drill\n" +
			"  leasetop drill --break select-then-update\n" +
			"  leasetop drill --dsn 'sqlserver://dev@db1?database=scratch' --dev --claimers 16",
		Args: exactly(), ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.runDrill(cmd.Context(), f) },
	}
	fs := cmd.Flags()
	fs.StringVar(&f.options.Break, "break", "", "a known mistake to run with; --list names them")
	fs.IntVar(&f.options.Claimers, "claimers", drill.DefaultClaimers, "workers at once")
	fs.IntVar(&f.options.Jobs, "jobs", drill.DefaultJobs, "jobs of the scenes with many workers")
	fs.IntVar(&f.options.Ahead, "ahead", 0, fmt.Sprintf("scheduled rows ahead of a measured claim (default %d, on a server %d)", drill.DefaultAhead, serverAhead))
	fs.Uint64Var(&f.options.Seed, "seed", 1, "the same seed goes wrong in the same places")
	fs.StringSliceVar(&f.options.Only, "only", nil, "checks, separated by commas (default: all)")
	fs.BoolVar(&f.asJSON, "json", false, "print JSON, as docs/json.md says")
	fs.BoolVar(&f.list, "list", false, "name the checks and the mistakes, and end")
	return cmd
}

// serverAhead is how many scheduled rows a server is given unless told more.
const serverAhead = 10_000

func (a *app) runDrill(ctx context.Context, f drillFlags) (err error) {
	if f.list && f.asJSON {
		return usage("--list and --json exclude each other: the list is for people")
	}
	if f.list {
		return report.PlainDrillList(a.Out)
	}
	if err := f.check(); err != nil {
		return err
	}
	lab, err := a.lab(ctx, "drill")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lab.Close()) }()
	if f.options.Ahead == 0 && lab.Engine().Locking == scratch.LockingReal {
		f.options.Ahead = serverAhead
	}
	bar := a.bar()
	f.options.Progress = func(p drill.Progress) { bar.show(p.Scene, p.Done, p.Of, p.Share) }
	out, stopped := drill.Run(ctx, lab, f.options)
	bar.clear()
	if len(out.Verdicts) > 0 {
		if f.asJSON {
			err = report.WriteJSON(a.Out, report.FromDrill(out))
		} else {
			err = report.PlainDrill(a.Out, out)
		}
	}
	switch {
	case err != nil || stopped != nil:
		return errors.Join(err, stopped)
	case !out.OK():
		return silently(exitFailed)
	}
	return nil
}

// check refuses what cannot be meant.
func (f drillFlags) check() error {
	switch o := &f.options; {
	case o.Claimers < 1:
		return usage("--claimers cannot be %d; one is the least", o.Claimers)
	case o.Jobs < 1:
		return usage("--jobs cannot be %d; one is the least", o.Jobs)
	case o.Ahead < 0:
		return usage("--ahead cannot be %d; one is the least", o.Ahead)
	}
	var breaks, checks []string
	for _, b := range drill.Breaks() {
		breaks = append(breaks, b.Name)
	}
	for _, g := range drill.Guarantees() {
		checks = append(checks, g.Name)
	}
	if b := f.options.Break; b != "" && !slices.Contains(breaks, b) {
		return usage("--break: the drill knows no mistake %q; %s", b, config.Meant(b, breaks))
	}
	for _, c := range f.options.Only {
		if !slices.Contains(checks, c) {
			return usage("--only: the drill has no check %q; %s", c, config.Meant(c, checks))
		}
	}
	return nil
}

// lab is where a command makes its scratch queues: on this machine, or on the
// server of --dsn where that is no production. What killed processes left behind
// there is removed first.
func (a *app) lab(ctx context.Context, what string) (*scratch.Lab, error) {
	if len(a.flags.Tables) > 0 || a.flags.Profile != "" {
		return nil, usage("%s makes tables of its own: --table and --profile name none", what)
	}
	lab, err := a.openLab(ctx, what)
	if err != nil {
		return nil, unfit(err, what)
	}
	swept, err := lab.Sweep(ctx)
	if err != nil {
		return nil, errors.Join(err, lab.Close())
	}
	if n := len(swept.Dropped); n > 0 {
		fmt.Fprintf(a.Err, "leasetop: %d scratch tables of a process that is gone were dropped\n", n)
	}
	if n := len(swept.Left); n > 0 {
		fmt.Fprintf(a.Err, "leasetop: %d scratch tables belong to a process that may be running, the first is %s: they were left\n", n, swept.Left[0])
	}
	return lab, nil
}

// unfit is why a server cannot be drilled, where that is so: with what goes everywhere.
func unfit(err error, what string) error {
	var f *model.Fault
	if !errors.As(err, &f) || f.Op != scratch.OpFit {
		return err
	}
	told := *f
	told.Op, told.Text = what, "there is nothing to play on this server, and its scratch tables are dropped again: "+f.Text
	told.Cure += "; without --dsn it runs on this machine"
	return &told
}

func (a *app) openLab(ctx context.Context, what string) (*scratch.Lab, error) {
	if a.flags.DSN == "" && a.Getenv(config.EnvDSN) == "" {
		if a.flags.Dev || a.flags.Config != "" {
			return nil, usage("%s on a server needs --dsn", what)
		}
		return scratch.Embedded(ctx)
	}
	const name = store.ScratchPrefix + "queue"
	c, err := a.configure(name)
	if err != nil {
		return nil, err
	}
	qs, err := pick(c, []string{name})
	if err != nil {
		return nil, err
	}
	s := c.Server(qs[0])
	if err := sends(&s, what); err != nil {
		return nil, err
	}
	if !s.Dev {
		return nil, &exit{exitFailed, fmt.Errorf("%s: %s is not marked as a development server, and a %s makes tables, load and locks there: add --dev if it is one", what, s.Name, what)}
	}
	if s.Target.Engine == config.EngineSQLite {
		return scratch.On(ctx, scratch.Place{Clock: true, Open: func(now func() time.Time) (*store.DB, error) {
			return sqlite.Open(sqlite.Options{Path: s.Target.Path, Create: true, Now: now})
		}})
	}
	open, err := a.dialer(ctx, s)
	if err != nil {
		return nil, err
	}
	return scratch.On(ctx, scratch.Place{Open: func(func() time.Time) (*store.DB, error) { return open() }})
}
