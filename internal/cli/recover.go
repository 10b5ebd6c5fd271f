package cli

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

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
		Use:   "recover QUEUE",
		Short: "Take back jobs whose lease ran out, on a queue of ours or on a development server",
		Long: "recover returns working rows whose lease ran out: to scheduled with a back-off, or to failed at\n" +
			"the bound. It makes due rows ready. Many may run at once. After a failover, a clock step or a mass\n" +
			"expiry it waits one lease and says why.",
		Args: exactly("QUEUE"), ValidArgsFunction: a.completeQueues,
		RunE: func(cmd *cobra.Command, args []string) error { return a.runRecover(cmd, args[0], f) },
	}
	fs := cmd.Flags()
	fs.BoolVar(&f.once, "once", false, "one round, then end")
	fs.DurationVar(&f.every, "every", 0, "between two rounds (default: a quarter of the lease)")
	fs.DurationVar(&f.lease, "lease", 0, "the workers' lease (default: the queue's)")
	fs.StringVar(&f.log, "log", "", "json or plain (default: plain on a terminal)")
	return cmd
}

func (a *app) runRecover(cmd *cobra.Command, name string, f recoverFlags) (err error) {
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
	if err := r.ours(ctx, "recover"); err != nil {
		return err
	}
	o := worker.RecoverOptions{Lease: f.lease, Every: f.every, Events: events(log)}
	if o.Lease == 0 {
		o.Lease = r.config.Mapping.UsualLease()
	}
	rec := worker.NewRecoverer(r.queue, o)
	if !f.once {
		return rec.Run(ctx)
	}
	got, err := rec.Once(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintf(a.Out, "%d taken back, %d of them failed at their bound; %d due rows made ready\n", got.Recovered, got.Failed, got.Promoted)
	return nil
}
