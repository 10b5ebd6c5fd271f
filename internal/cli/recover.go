package cli

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/internal/worker"
)

type recoverFlags struct {
	once         bool
	every, lease time.Duration
	log          string
}

// recover returns expired rows and promotes due ones.
func (a *app) recover() *cobra.Command {
	var f recoverFlags
	cmd := &cobra.Command{
		Use:   "recover [QUEUE]",
		Short: "Take back jobs whose lease ran out, on a queue of ours or on a development server",
		Long: "recover returns working rows whose lease ran out: to scheduled with a back-off, or to failed at\n" +
			"the bound. It makes due rows ready. Many may run at once. After a failover, a clock step or a mass\n" +
			"expiry it waits one lease and says why. It goes on until it is stopped, unless --once is given, and\n" +
			"logs a line for each job that it takes back.",
		Args: atMostOne, ValidArgsFunction: a.completeQueues,
		RunE: func(cmd *cobra.Command, args []string) error { return a.runRecover(cmd, queueOf(args), f) },
	}
	fs := cmd.Flags()
	fs.BoolVar(&f.once, "once", false, "one round, then end")
	fs.DurationVar(&f.every, "every", 0, "between two rounds (default: a quarter of the lease)")
	fs.DurationVar(&f.lease, "lease", 0, "the workers' lease (default: the queue's)")
	fs.StringVar(&f.log, "log", "", "json or plain (default: plain on a terminal)")
	return cmd
}

func (a *app) runRecover(cmd *cobra.Command, name string, f recoverFlags) (err error) {
	if err := spans(cmd, map[string]time.Duration{"lease": time.Millisecond, "every": time.Millisecond}); err != nil {
		return err
	}
	log, err := a.logger(f.log)
	if err != nil {
		return err
	}
	ctx := cmd.Context()
	h, r, err := a.one(ctx, name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, h.close()) }()
	if r.config.Mapping.IsDestructive() {
		return usage("%s is a destructive queue: it has no leases that could run out, so there is nothing to recover", r.config.Mapping.Queue)
	}
	if err := r.ours(ctx, "recover"); err != nil {
		return err
	}
	o := worker.RecoverOptions{Lease: f.lease, Every: f.every, Events: events(log)}
	if o.Lease == 0 {
		o.Lease = r.config.Mapping.UsualLease()
	}
	rec := worker.NewRecoverer(r.queue, o)
	if !f.once {
		every := o.Every
		if every == 0 {
			every = o.Lease / 4
		}
		a.begin("recovering %s about every %s, and due jobs every second; ctrl+c ends it", r.config.Mapping.Queue, text.Span(every))
		return rec.Run(ctx)
	}
	got, err := rec.Once(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintf(a.Out, "%d taken back, %d of them failed at their bound; %d due rows made ready\n", got.Recovered, got.Failed, got.Promoted)
	return nil
}
