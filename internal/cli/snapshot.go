package cli

import (
	"context"
	"errors"
	"time"

	"github.com/spf13/cobra"

	"github.com/leasetop/leasetop/internal/diagnose"
	"github.com/leasetop/leasetop/internal/report"
	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/poller"
)

// snapshot looks once at queues and prints what it saw.
func (a *app) snapshot() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "snapshot [QUEUE…]",
		Short: "Look at queues once and print figures, leases and findings",
		Long: "snapshot looks once at the queues that are named, or at all. It ends with 1 when one\n" +
			"cannot be read.",
		ValidArgsFunction: a.completeQueues,
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			c, err := a.configure(args...)
			if err != nil {
				return err
			}
			queues, err := pick(c, args)
			if err != nil {
				return err
			}
			h, err := a.open(cmd.Context(), c, queues)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, h.close()) }()
			return a.printLook(look(cmd.Context(), h), asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON, as docs/json.md says")
	return cmd
}

// look polls every queue of the house once, all at the same time.
func look(ctx context.Context, h *house) []*model.Snapshot {
	targets := make([]poller.Target, len(h.queues))
	for i := range h.queues {
		targets[i] = h.queues[i].target()
	}
	return poller.LookAll(ctx, targets, model.ViewWorking, poller.Options{Enrich: diagnose.New().Observe})
}

// printLook prints what was seen and fails when a queue could not be read.
func (a *app) printLook(seen []*model.Snapshot, asJSON bool) error {
	var err error
	if asJSON {
		err = report.WriteJSON(a.Out, report.FromSnapshots(time.Now(), seen))
	} else {
		err = report.Plain(a.Out, seen)
	}
	if err != nil {
		return err
	}
	code := 0
	for _, s := range seen {
		for _, f := range []*model.Fault{s.Watch.Err, s.Pulse.Err, s.Page.Err} {
			if f != nil {
				code = max(code, exitCode(f))
			}
		}
	}
	return silently(code)
}
