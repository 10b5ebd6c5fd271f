package cli

import (
	"context"
	"log/slog"
	"os"

	"github.com/spf13/cobra"

	"github.com/leasetop/leasetop/internal/config"
	"github.com/leasetop/leasetop/internal/worker"
)

// execHelp is what the help of work says about --exec.
const execHelp = "With --exec the command after -- runs once for each attempt, on any queue that allows work. No shell\n" +
	"reads it. The payload is its standard input; LEASETOP_QUEUE, LEASETOP_KEY, LEASETOP_TOKEN and, where the\n" +
	"queue has them, LEASETOP_ATTEMPT, LEASETOP_MAX_ATTEMPTS and LEASETOP_OPERATION tell it the job. The\n" +
	"variables that hold the server's address and password are not handed down. Status 0 completes the job;\n" +
	"any other end fails the attempt, with the status and the last lines of standard error as its diagnostic.\n" +
	"Standard output is leasetop's own. When the claim is lost or leasetop has to stop, the command and all that\n" +
	"it started get SIGTERM and, at most three seconds later, SIGKILL; what is left of them when the command\n" +
	"ends is killed too. A job runs at least once, and may run twice: LEASETOP_OPERATION, the same at every\n" +
	"attempt, is what makes a repeat harmless."

// workArgs allows one queue, and behind -- the command of --exec.
func workArgs(cmd *cobra.Command, args []string) error {
	queue, _ := workSplit(cmd, args)
	return atMostOne(cmd, queue)
}

// workSplit parts the queue from the command behind --.
func workSplit(cmd *cobra.Command, args []string) (queue, argv []string) {
	if dash := cmd.ArgsLenAtDash(); dash >= 0 {
		return args[:dash], args[dash:]
	}
	return args, nil
}

// check refuses flags that contradict each other.
func (f *workFlags) check(cmd *cobra.Command) error {
	switch {
	case f.simulate && f.exec:
		return usage("--simulate and --exec exclude each other: say which of the two the work is")
	case !f.simulate && !f.exec:
		return usage("say what the work is: --simulate, or --exec -- CMD ARG…")
	case f.exec && len(f.argv) == 0:
		return usage("--exec: the command is missing; write it after --, as --exec -- CMD ARG…")
	case f.simulate && len(f.argv) > 0:
		return usage("--simulate runs no command; write --exec -- %s …", f.argv[0])
	}
	for _, name := range []string{"fault", "mean", "seed"} {
		if f.exec && cmd.Flags().Changed(name) {
			return usage("--%s goes with --simulate: a command takes its own time and fails by itself", name)
		}
	}
	return nil
}

// newExec is the command of the user's own as a handler.
func (a *app) newExec(r *room, argv []string) (*worker.Exec, error) {
	out, _ := a.Out.(*os.File)
	x, err := worker.NewExec(worker.ExecOptions{
		Queue: r.config.Mapping.Queue, Argv: argv, Out: out,
		Withhold: []string{config.EnvDSN, config.EnvPassword, r.server.PasswordEnv},
	})
	if err != nil {
		return nil, usage("--exec: %w", err)
	}
	return x, nil
}

// runExec works with a command of the user's own.
func (a *app) runExec(ctx context.Context, r *room, argv []string, o worker.Options, log *slog.Logger) error {
	m := &r.config.Mapping
	x, err := a.newExec(r, argv)
	if err != nil {
		return err
	}
	if err := r.works(ctx, "work"); err != nil {
		return err
	}
	if !m.Bounded() {
		log.Warn("unbounded", "text", "this table has no columns for attempts and their bound: a job that fails is claimed again without end, "+
			"and neither its failures nor their diagnostics are recorded")
	}
	a.beginWork(r, o.Workers)
	return worker.New(r.queue, x.Handle, o).Run(ctx)
}
