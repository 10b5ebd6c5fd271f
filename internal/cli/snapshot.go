package cli

import (
	"context"
	"errors"
	"time"

	"github.com/spf13/cobra"

	"github.com/leasetop/leasetop/internal/report"
	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/poller"
)

// snapshot looks once at queues and prints what it saw.
func (a *app) snapshot() *cobra.Command {
	var asJSON, metrics bool
	var dead, latency bool
	cmd := &cobra.Command{
		Use:   "snapshot [QUEUE…]",
		Short: "Look at queues once and print figures, leases and findings",
		Long: "snapshot looks once at the queues that are named, or at all. It ends with 1 when one\n" +
			"cannot be read.",
		ValidArgsFunction: a.completeQueues,
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if asJSON && metrics {
				return usage("--json and --prometheus exclude each other: one form at a time")
			}
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
			view := model.ViewWorking
			if dead {
				view = model.ViewFailed
			}
			seen := look(cmd.Context(), h, view, latency)
			if metrics {
				return errors.Join(report.Prometheus(a.Out, seen), silently(lookCode(seen)))
			}
			return a.printLook(seen, asJSON)
		},
	}
	cmd.Flags().BoolVar(&dead, "dead-letters", false, "list the dead letters of destructive queues, which requeue takes, instead of their rows")
	cmd.Flags().BoolVar(&latency, "latency", false, "also read from the history how long the newest completed jobs were in work: one statement more")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON, as docs/json.md says")
	cmd.Flags().BoolVar(&metrics, "prometheus", false, "print metrics in Prometheus' text format")
	a.scanFlag(cmd)
	return cmd
}

// look polls every queue of the house once, all at the same time. The latency is a
// statement more, and read only where it is wanted.
func look(ctx context.Context, h *house, v model.View, latency bool) []*model.Snapshot {
	targets := make([]poller.Target, len(h.queues))
	for i := range h.queues {
		targets[i] = h.queues[i].target()
	}
	return poller.LookAll(ctx, targets, v, poller.Options{Enrich: h.diagnosis().Observe, Latency: latency})
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
	return silently(lookCode(seen))
}

// lookCode is the exit code of a look: that of the gravest fault.
func lookCode(seen []*model.Snapshot) int {
	code := 0
	for _, s := range seen {
		for _, f := range []*model.Fault{s.Watch.Err, s.Pulse.Err, s.Page.Err} {
			if f != nil {
				code = max(code, exitCode(f))
			}
		}
	}
	return code
}
