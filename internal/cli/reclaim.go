package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/user"
	"time"

	"github.com/spf13/cobra"

	"github.com/leasetop/leasetop/actions"
	"github.com/leasetop/leasetop/internal/report"
	"github.com/leasetop/leasetop/model"
)

type reclaimFlags struct {
	token, reason, confirm string
	force, dryRun, asJSON  bool
}

// reclaim is the act without a screen.
func (a *app) reclaim() *cobra.Command {
	var f reclaimFlags
	cmd := &cobra.Command{
		Use:   "reclaim QUEUE JOB --token T",
		Short: "Take a job back from a worker whose lease ran out",
		Long: "reclaim returns a working job to ready under a new token, if it still carries the token that was\n" +
			"seen and its lease has run out by the server's clock; --force takes it before that. What the old\n" +
			"worker ends from then on is refused.\n\n" +
			"Exit codes: 0 applied, 1 could not ask, 2 usage or configuration, 3 changed, gone or refused,\n" +
			"4 unknown.",
		Args: exactly("QUEUE", "JOB"), ValidArgsFunction: a.completeQueues,
		RunE: func(cmd *cobra.Command, args []string) error { return a.runReclaim(cmd.Context(), args[0], args[1], f) },
	}
	fs := cmd.Flags()
	fs.StringVar(&f.token, "token", "", "the claim token that was seen on the job")
	fs.BoolVar(&f.force, "force", false, "also while the lease still runs")
	fs.StringVar(&f.reason, "reason", "", "why, for the history")
	fs.BoolVar(&f.dryRun, "dry-run", false, "print the statement and send nothing")
	fs.StringVar(&f.confirm, "confirm", "", "the queue's name, where force on a production server asks for it")
	fs.BoolVar(&f.asJSON, "json", false, "print JSON, as docs/json.md says")
	return cmd
}

func (a *app) runReclaim(ctx context.Context, queue, job string, f reclaimFlags) (err error) {
	if f.token == "" {
		return usage("--token is missing: it names the claim that is meant; leasetop snapshot %s shows it", queue)
	}
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

	name, act := r.config.Mapping.Queue, model.Reclaim
	if f.force {
		act = model.Force
	}
	key, token, err := claimOf(r.queue.Mapping(), job, f.token)
	if err != nil {
		return err
	}
	row, at, err := r.queue.Inspect(ctx, key)
	if err != nil {
		return err
	}
	if receipt, over := desk.Found(name, act, key, token, row, at); over {
		return a.printReceipt(receipt, r, f.asJSON)
	}
	plan, err := desk.Plan(ctx, name, act, row, at, f.reason)
	if err != nil {
		return err
	}
	if f.dryRun {
		return a.printPlan(plan, f.asJSON)
	}
	return a.printReceipt(a.certain(ctx, desk, desk.Apply(ctx, plan, f.confirm)), r, f.asJSON)
}

// claimOf reads job and token as the queue's columns have them.
func claimOf(m *model.Mapping, job, token string) (model.Key, model.Token, error) {
	k, err := model.ParseKey(m.Keys, job)
	if err != nil {
		return model.Key{}, model.Token{}, &exit{exitUsage, err}
	}
	t, err := model.ParseToken(m.Tokens(), token)
	if err != nil {
		return model.Key{}, model.Token{}, &exit{exitUsage, err}
	}
	return k, t, nil
}

// certain looks again at an act whose reply was lost, until it is known what
// became of it or nothing more can be found out.
func (a *app) certain(ctx context.Context, desk *actions.Desk, r model.Receipt) model.Receipt {
	if r.Resolved() {
		return r
	}
	fmt.Fprintf(a.Err, "leasetop: no reply; looking again for up to %s\n", actions.Settle)
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	end := time.NewTimer(actions.Settle + time.Second)
	defer end.Stop()
	for !r.Resolved() {
		select {
		case <-tick.C:
			r = desk.Resolve(ctx, r)
		case <-end.C:
			return desk.Resolve(ctx, r)
		case <-ctx.Done():
			return r
		}
	}
	return r
}

// resolveEarlier says which acts of earlier processes are unresolved, and looks
// up those of this queue.
func (a *app) resolveEarlier(ctx context.Context, desk *actions.Desk, r *room) {
	open, err := unresolved(journalDir(), time.Now(), actions.Settle)
	if err != nil {
		fmt.Fprintf(a.Err, "leasetop: warning: the journal cannot be read: %v\n", err)
	}
	var left []entry
	for _, e := range open {
		receipt, err := e.receipt(r.queue.Mapping())
		if e.Queue == r.config.Mapping.Queue && e.Server == r.server.Name && err == nil {
			if receipt = desk.Resolve(ctx, receipt); receipt.Resolved() {
				fmt.Fprintf(a.Err, "leasetop: earlier %s of job %s: %s (action %s)\n", e.Action, e.Key, receipt.Outcome, e.ActionID)
				continue
			}
		}
		left = append(left, e)
	}
	if text := describe(left); text != "" {
		fmt.Fprintf(a.Err, "leasetop: %s\n", text)
	}
}

func (a *app) printPlan(p model.Plan, asJSON bool) error {
	if asJSON {
		return report.WriteJSON(a.Out, report.FromPlan(p))
	}
	return report.PlainPlan(a.Out, p)
}

func (a *app) printReceipt(r model.Receipt, q *room, asJSON bool) error {
	m := q.queue.Mapping()
	var err error
	if asJSON {
		err = report.WriteJSON(a.Out, report.FromReceipt(r, m))
	} else {
		err = report.PlainReceipt(a.Out, r, m)
	}
	if err != nil {
		return err
	}
	switch r.Outcome {
	case model.Applied:
		return nil
	case model.OutcomeUnknown:
		return silently(exitUnknown)
	case model.Changed, model.Gone, model.Refused:
	}
	return silently(exitNot)
}

// actor is who acts, as the machine knows him; the server records its login too.
func actor() string {
	name := "unknown"
	if u, err := user.Current(); err == nil {
		name = u.Username
	}
	if host, err := os.Hostname(); err == nil {
		name += "@" + host
	}
	return name
}
