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

// actFlags are the flags of the acts. Each act has those that mean something for
// it.
type actFlags struct {
	token, reason, confirm string
	force, dryRun, asJSON  bool
	by                     time.Duration
	far                    bool
}

// reclaim is the act without a screen, as the others below are.
func (a *app) reclaim() *cobra.Command {
	var f actFlags
	cmd := a.act("reclaim", &f, "Take a job back from a worker whose lease ran out",
		"reclaim returns a working job to ready under a new token, if it still carries the token that was\n"+
			"seen and its lease has run out by the server's clock; --force takes it before that. What the old\n"+
			"worker ends from then on is refused.",
		func() model.Action {
			if f.force {
				return model.Force
			}
			return model.Reclaim
		})
	cmd.Flags().BoolVar(&f.force, "force", false, "also while the lease still runs")
	return cmd
}

func (a *app) extend() *cobra.Command {
	var f actFlags
	cmd := a.act("extend", &f, "Give a worker more time",
		"extend sets a later lease on a working job that still carries the token that was seen. It never\n"+
			"shortens one. The token stays, so the worker goes on undisturbed.",
		func() model.Action { return model.Extend })
	cmd.Flags().DurationVar(&f.by, "by", 0, "how far beyond the server's now (default: the queue's lease)")
	cmd.Flags().BoolVar(&f.far, "far", false, "also by more than one lease of the queue")
	return cmd
}

func (a *app) deadLetter() *cobra.Command {
	var f actFlags
	return a.act("dead-letter", &f, "Give a job up, with the reason as its diagnostic",
		"dead-letter makes a working, ready or scheduled job failed, if it still carries the token that was\n"+
			"seen; a job that was never claimed carries none, which is --token none. Nobody claims it again\n"+
			"until it is requeued.",
		func() model.Action { return model.DeadLetter })
}

func (a *app) requeue() *cobra.Command {
	var f actFlags
	return a.act("requeue", &f, "Make a failed job ready again, at the tail",
		"requeue makes a failed job ready, if it still carries the token that was seen. It goes to the tail of\n"+
			"its priority and starts its attempts anew; how often it was claimed in all stays.",
		func() model.Action { return model.Requeue })
}

func (a *app) grant() *cobra.Command {
	var f actFlags
	return a.act("grant", &f, "Take a job back whose attempts are used up, with one attempt more",
		"grant returns a working job to ready whose lease has run out and whose attempts are used up, and\n"+
			"raises its bound by one. A plain reclaim refuses such a job: nobody could claim it again.",
		func() model.Action { return model.Grant })
}

// act makes the command of one act.
func (a *app) act(word string, f *actFlags, short, long string, which func() model.Action) *cobra.Command {
	cmd := &cobra.Command{
		Use: word + " QUEUE JOB --token T", Short: short,
		Long: long + "\n\nExit codes: 0 applied, 1 could not ask, 2 usage or configuration, 3 changed, gone or refused,\n" +
			"4 unknown.",
		Args: exactly("QUEUE", "JOB"), ValidArgsFunction: a.completeQueues,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.runAct(cmd.Context(), which(), args[0], args[1], *f)
		},
	}
	fs := cmd.Flags()
	fs.StringVar(&f.token, "token", "", "the claim token that was seen on the job; none: it carried none")
	fs.StringVar(&f.reason, "reason", "", "why, for the history")
	fs.BoolVar(&f.dryRun, "dry-run", false, "print the statement and send nothing")
	fs.StringVar(&f.confirm, "confirm", "", "the queue's name, where a production server asks for it")
	fs.BoolVar(&f.asJSON, "json", false, "print JSON, as docs/json.md says")
	return cmd
}

func (a *app) runAct(ctx context.Context, act model.Action, queue, job string, f actFlags) (err error) {
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

	name := r.config.Mapping.Queue
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
	plan, err := desk.Plan(ctx, name, actions.Ask{Action: act, Row: row, At: at, Reason: f.reason, By: f.by, Far: f.far})
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
