package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/leasetop/leasetop/actions"
	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
)

// actFlags are the flags of the acts. Each act has those that mean something for
// it.
type actFlags struct {
	rows                          rowFlags
	token, from, reason, confirm  string
	force, dryRun, script, asJSON bool
	by                            time.Duration
	far                           bool
	batch                         int
	pace                          float64
}

// ask is the act on one job.
func (f *actFlags) ask(act model.Action, row *model.Job, at time.Time) actions.Ask {
	return actions.Ask{Action: act, Row: row, At: at, Reason: f.reason, By: f.by, Far: f.far}
}

// targets are the queues as they may be acted on: what is only printed needs no
// switch and no right of this login.
func (f *actFlags) targets(h *house) map[string]actions.Target {
	out := h.desk()
	for name, t := range out {
		t.PrintOnly = t.PrintOnly || f.script
		out[name] = t
	}
	return out
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
	cmd := a.act("dead-letter", &f, "Give a job up, with the reason as its diagnostic",
		"dead-letter makes a working, ready or scheduled job failed, if it still carries the token that was\n"+
			"seen; a job that was never claimed carries none, which is --token none. Nobody claims it again\n"+
			"until it is requeued.\n\n"+rowHelp,
		func() model.Action { return model.DeadLetter })
	f.rows.bury(cmd)
	return cmd
}

func (a *app) requeue() *cobra.Command {
	var f actFlags
	cmd := a.act("requeue", &f, "Make a failed job ready again, at the tail",
		"requeue makes a failed job ready, if it still carries the token that was seen. It goes to the tail of\n"+
			"its priority and starts its attempts anew; how often it was claimed in all stays.\n\n"+rowHelp,
		func() model.Action { return model.Requeue })
	f.rows.requeue(cmd)
	return cmd
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
		Use: word + " QUEUE (JOB --token T | --from FILE)", Short: short,
		Long: long + "\n\n" + bulkHelp + "\n\nExit codes: 0 applied, 1 could not ask, 2 usage or configuration, 3 changed, gone or refused,\n" +
			"4 unknown; of a list the worst that any of its jobs came to.",
		Args: func(cmd *cobra.Command, args []string) error {
			said := cmd.Flags().Changed
			if said("from") || said("row") || said("oldest") {
				return exactly("QUEUE")(cmd, args)
			}
			return exactly("QUEUE", "JOB")(cmd, args)
		},
		ValidArgsFunction: a.completeQueues,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.check(cmd); err != nil {
				return err
			}
			if f.from != "" {
				return a.runBulk(cmd.Context(), which(), args[0], *f)
			}
			return a.runAct(cmd.Context(), which(), args[0], strings.Join(args[1:], ""), *f)
		},
	}
	fs := cmd.Flags()
	fs.StringVar(&f.token, "token", "", "the claim token that was seen on the job; none: it carried none")
	fs.StringVar(&f.reason, "reason", "", "why, for the history")
	fs.StringVar(&f.from, "from", "", "a list of jobs, a line a job: KEY TOKEN or JSON; - reads standard input")
	fs.IntVar(&f.batch, "batch", actions.DefaultBatch, "jobs of a list between two waits")
	fs.Float64Var(&f.pace, "pace", actions.DefaultPace, "jobs of a list a second")
	fs.BoolVar(&f.dryRun, "dry-run", false, "print what would be done and send nothing")
	fs.BoolVar(&f.script, "print", false, "print the statement ready to be run by somebody else, and send nothing")
	fs.StringVar(&f.confirm, "confirm", "", "the queue's name, where a production server asks for it")
	fs.BoolVar(&f.asJSON, "json", false, "print JSON, as docs/json.md says")
	return cmd
}

// check refuses flags that contradict each other, or mean nothing beside the others.
func (f *actFlags) check(cmd *cobra.Command) error {
	said := cmd.Flags().Changed
	switch {
	case f.dryRun && f.script:
		return usage("--dry-run and --print are two ways of sending nothing: give one of them")
	case f.script && f.asJSON:
		return usage("--print prints a script, which is no JSON: give one of them")
	case said("from") && f.from == "":
		return usage("--from names no file")
	case said("row") && f.rows.row == "":
		return usage("--row names no row")
	case said("oldest") && f.rows.oldest < 1:
		return usage("--oldest cannot be %d; one is the least", f.rows.oldest)
	case f.from != "" && (f.token != "" || f.rows.named()):
		return usage("--from and what names one job or row exclude each other: the list has a key and a token for each job")
	case f.from == "" && (said("batch") || said("pace")):
		return usage("--batch and --pace go with --from: one job has no pace")
	case f.rows.named() && f.token != "":
		return usage("--token names a claim, and a row of a destructive queue has none")
	case f.rows.row == "" && (f.rows.act != "" || f.rows.keepTime):
		return usage("--act and --keep-time go with --row")
	case !said("by"):
		return nil
	case f.by%time.Second != 0:
		return usage("--by cannot be %s: it is whole seconds", f.by)
	}
	return spans(cmd, map[string]time.Duration{"by": time.Second})
}

func (a *app) runAct(ctx context.Context, act model.Action, queue, job string, f actFlags) (err error) {
	if f.token == "" && !f.rows.named() {
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
	desk := actions.New(f.targets(h), j, actor())
	a.resolveEarlier(ctx, desk, r)

	name := r.config.Mapping.Queue
	if f.rows.named() {
		return a.runRows(ctx, desk, r, act, f)
	}
	switch {
	case !r.queue.Mapping().IsDestructive():
	case act == model.DeadLetter || act == model.Requeue:
		return usage("%s is a destructive queue, whose rows have no key: name one by its values with --row", name)
	default:
		return usage("%s is a destructive queue, which has no leases: leasetop can dead-letter its rows and requeue them", name)
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
		return a.printReceipt(receipt, r.queue.Mapping(), f.asJSON)
	}
	return a.planned(ctx, desk, r, f.ask(act, row, at), f)
}

// runRows is an act on rows of a destructive queue.
func (a *app) runRows(ctx context.Context, desk *actions.Desk, r *room, act model.Action, f actFlags) error {
	ask, over, err := f.rows.ask(ctx, desk, r, act, f.reason)
	switch {
	case err != nil:
		return err
	case over != nil:
		return a.printReceipt(*over, r.queue.Mapping(), f.asJSON)
	}
	return a.planned(ctx, desk, r, ask, f)
}

// planned plans an act and does with the plan what the flags say.
func (a *app) planned(ctx context.Context, desk *actions.Desk, r *room, ask actions.Ask, f actFlags) error {
	plan, err := desk.Plan(ctx, r.config.Mapping.Queue, ask)
	switch {
	case err != nil:
		return err
	case f.script:
		return a.printScript(plan)
	case f.dryRun:
		return a.printPlan(plan, f.asJSON)
	}
	return a.printReceipt(a.certain(ctx, desk, desk.Apply(ctx, plan, f.confirm)), r.queue.Mapping(), f.asJSON)
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
	if r.Over() {
		return r
	}
	fmt.Fprintf(a.Err, "leasetop: no reply; looking again for up to %s\n", actions.Settle)
	return desk.Certain(ctx, r)
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
		if e.Queue == r.config.Mapping.Queue && placeOf(&r.server).is(e.Server, e.Address) && err == nil {
			if receipt = desk.Resolve(ctx, receipt); receipt.Over() {
				fmt.Fprintf(a.Err, "leasetop: earlier %s: %s (action %s)\n", e.subject(), became(receipt), text.Clean(e.ActionID))
				continue
			}
		}
		left = append(left, e)
	}
	if s := describe(left); s != "" {
		fmt.Fprintf(a.Err, "leasetop: %s\n", s)
	}
}
