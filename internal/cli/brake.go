package cli

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/leasetop/leasetop/actions"
	"github.com/leasetop/leasetop/model"
)

// brake stops the claims of a queue, and releaseBrake lets them go on.
func (a *app) brake() *cobra.Command {
	return a.braking(model.PutBrake, "Stop the claims of a queue until the brake is released",
		"brake stops the claims of a queue during an incident: after its receipt no claim begins, of any worker\n"+
			"that claims by leasetop's statement of this release; where schema --apply has added the brake to a table,\n"+
			"workers that were running before notice it within a minute. Jobs in work go on. The brake is kept in the\n"+
			"database, every screen of the queue shows it, and release-brake ends it.")
}

func (a *app) releaseBrake() *cobra.Command {
	return a.braking(model.FreeBrake, "Let the claims of a queue go on",
		"release-brake ends what brake began: claims go on at once, in their usual order.")
}

func (a *app) braking(act model.Action, short, long string) *cobra.Command {
	var f actFlags
	cmd := &cobra.Command{
		Use: act.String() + " [QUEUE]", Short: short,
		Long: long + "\n\nExit codes: 0 applied, 1 could not ask, 2 usage or configuration, 3 changed or refused, 4 unknown.",
		Args: atMostOne, ValidArgsFunction: a.completeQueues,
		RunE: func(cmd *cobra.Command, args []string) error { return a.runBrake(cmd.Context(), act, queueOf(args), f) },
	}
	fs := cmd.Flags()
	fs.StringVar(&f.reason, "reason", "", "why, for the history and for everybody who meets the brake")
	fs.BoolVar(&f.dryRun, "dry-run", false, "print what would be done and send nothing")
	fs.StringVar(&f.confirm, "confirm", "", "the queue's name, where a production server asks for it")
	fs.BoolVar(&f.asJSON, "json", false, "print JSON, as docs/json.md says")
	return cmd
}

func (a *app) runBrake(ctx context.Context, act model.Action, queue string, f actFlags) (err error) {
	h, r, err := a.one(ctx, queue)
	if err != nil {
		return err
	}
	j := newJournal(h)
	defer func() { err = errors.Join(err, j.close(), h.close()) }()
	if _, err := r.queue.Probe(ctx); err != nil {
		return err
	}
	desk := actions.New(h.desk(), j, actor())
	a.resolveEarlier(ctx, desk, r)
	plan, err := desk.Plan(ctx, r.config.Mapping.Queue, actions.Ask{Action: act, Reason: f.reason})
	switch {
	case err != nil:
		return err
	case f.dryRun:
		return a.printPlan(plan, f.asJSON)
	}
	return a.printReceipt(a.certain(ctx, desk, desk.Apply(ctx, plan, f.confirm)), r.queue.Mapping(), f.asJSON)
}
