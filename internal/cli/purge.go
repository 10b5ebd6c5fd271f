package cli

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/leasetop/leasetop/actions"
	"github.com/leasetop/leasetop/internal/report"
	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
)

type purgeFlags struct {
	done, failed, history string // ages, such as 30d
	upTo                  int64
	batch                 int
	pace                  time.Duration
	confirm               string
	dryRun, script        bool
	asJSON                bool
}

// purge removes what is over, in small batches.
func (a *app) purge() *cobra.Command {
	var f purgeFlags
	cmd := &cobra.Command{
		Use: "purge [QUEUE] --done-before 30d", Short: "Remove done jobs and old history in small batches, beside running workers",
		Long: "purge removes jobs that are done, and what the history says of that time, oldest first, in small\n" +
			"batches of one statement each with a pause between them. It never touches a job that is not over;\n" +
			"dead letters go only with --failed-before. ctrl+c stops after the batch in hand. A table that records\n" +
			"no times is purged by key: --up-to-key K. In production --confirm is wanted.",
		Args: atMostOne, ValidArgsFunction: a.completeQueues,
		RunE: func(cmd *cobra.Command, args []string) error { return a.runPurge(cmd.Context(), queueOf(args), f) },
	}
	fs := cmd.Flags()
	fs.StringVar(&f.done, "done-before", "", "jobs that were done so long ago, such as 30d or 36h")
	fs.StringVar(&f.failed, "failed-before", "", "dead letters that ended so long ago")
	fs.StringVar(&f.history, "history-before", "", "events so old, a minute at least (default: as --done-before)")
	fs.Int64Var(&f.upTo, "up-to-key", 0, "done jobs up to this key, on a table that records no times")
	fs.IntVar(&f.batch, "batch", 500, "rows of one batch, at most 4000")
	fs.DurationVar(&f.pace, "pace", 200*time.Millisecond, "pause between two batches")
	fs.StringVar(&f.confirm, "confirm", "", "the queue's name, where a production server asks for it")
	fs.BoolVar(&f.dryRun, "dry-run", false, "print the statements and remove nothing")
	fs.BoolVar(&f.script, "print", false, "print a script for SQL Server Agent and send nothing")
	fs.BoolVar(&f.asJSON, "json", false, "print JSON, as docs/json.md says")
	return cmd
}

// purging is one kind of row that is to go.
type purging struct {
	name string
	ask  store.PurgeAsk
	age  time.Duration
	gone int64
}

// wanted are the kinds that the flags name.
func (f purgeFlags) wanted() ([]purging, error) {
	if f.batch < 1 || f.batch > 4000 {
		return nil, usage("--batch cannot be %d: from 5000 locks on the engine locks the table; at most 4000", f.batch)
	}
	if f.pace < 0 || f.pace >= 24*time.Hour {
		return nil, usage("--pace cannot be %s: it is a pause of less than a day", f.pace)
	}
	history := f.history
	if history == "" {
		history = f.done
	}
	var out []purging
	for _, k := range []struct {
		flag, name, age string
		op              store.Op
	}{
		{"done-before", "done jobs", f.done, store.OpPurgeDone}, {"failed-before", "dead letters", f.failed, store.OpPurgeFailed},
		{"history-before", "events of the history", history, store.OpPurgeHistory},
	} {
		if k.age == "" {
			continue
		}
		age, err := days(k.age)
		if err != nil || age <= 0 {
			return nil, usage("--%s cannot be %q: write an age such as 30d or 36h", k.flag, k.age)
		}
		if k.op == store.OpPurgeHistory && age < actions.Remembered {
			if f.history != "" {
				return nil, usage("--history-before cannot be %q: a minute is the least, in which an act whose reply was lost is looked for", f.history)
			}
			age = actions.Remembered
		}
		out = append(out, purging{name: k.name, age: age, ask: store.PurgeAsk{Op: k.op, N: f.batch}})
	}
	switch {
	case f.dryRun && f.script:
		return nil, usage("--dry-run and --print are two ways of sending nothing: give one of them")
	case f.upTo < 0:
		return nil, usage("--up-to-key cannot be %d: keys are counted from 1", f.upTo)
	case f.upTo > 0:
		out = append(out, purging{name: "done jobs", ask: store.PurgeAsk{Op: store.OpPurgeKeys, N: f.batch, UpTo: f.upTo}})
	}
	if len(out) == 0 {
		return nil, usage("say what is to go: --done-before 30d, --failed-before, --history-before, or --up-to-key on a table without times")
	}
	return out, nil
}

// days reads an age, in days too.
func days(s string) (time.Duration, error) {
	if n, ok := strings.CutSuffix(s, "d"); ok {
		d, err := strconv.ParseFloat(n, 64)
		return time.Duration(d * 24 * float64(time.Hour)), err
	}
	return time.ParseDuration(s)
}

func (a *app) runPurge(ctx context.Context, queue string, f purgeFlags) (err error) {
	list, err := f.wanted()
	if err != nil {
		return err
	}
	if (f.dryRun || f.script) && f.asJSON {
		return usage("--json tells what was removed: it does not go with --dry-run or --print")
	}
	h, r, err := a.one(ctx, queue)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, h.close()) }()
	_, now, err := r.queue.Pulse(ctx, model.PulseAsk{})
	if err != nil {
		return err
	}
	for i := range list {
		list[i].ask.Until = now.Add(-list[i].age)
	}
	switch {
	case f.script:
		return a.printPurgeLoops(ctx, r, list, f.pace)
	case f.dryRun:
		return a.printPurge(ctx, r, list)
	case !r.control():
		return &exit{exitNot, errors.New("purge: control is off for this server: start with --control, or set control: true for it in the configuration")}
	case !r.server.Dev && f.confirm != r.config.Mapping.Queue:
		return &exit{exitNot, fmt.Errorf("purge: nothing was removed: production wants --confirm %s", r.config.Mapping.Queue)}
	}
	if err := sends(&r.server, "purge"); err != nil {
		return err
	}
	if err := prepared(ctx, r, list); err != nil {
		return err
	}
	stopped := tracedPurge(purgeFile(), r, list, func() error { return a.carryPurge(ctx, r, list, f.pace) })
	return errors.Join(a.tellPurge(r, list, stopped, f.asJSON), stopped)
}

// prepared refuses a purge of which a part cannot be sent, before anything is removed.
func prepared(ctx context.Context, r *room, list []purging) error {
	for _, p := range list {
		if _, err := r.queue.PurgeStatement(ctx, p.ask); err != nil {
			return fmt.Errorf("nothing was removed: %w", err)
		}
	}
	return nil
}

// carryPurge sends batch after batch. A batch that was begun is ended; the end of
// ctx is looked for between two.
func (a *app) carryPurge(ctx context.Context, r *room, list []purging, pace time.Duration) error {
	for i := range list {
		p := &list[i]
		for told := time.Now(); ; {
			got, err := r.queue.Purge(context.WithoutCancel(ctx), p.ask)
			if err != nil {
				return err
			}
			p.gone += got.Deleted
			p.ask.After = got.Last
			if !got.More {
				break
			}
			if isTerminal(a.Err) && time.Since(told) > time.Second {
				told = time.Now()
				fmt.Fprintf(a.Err, "leasetop: %s %s removed so far\n", text.Grouped(p.gone), p.name)
			}
			if waitFor(ctx, pace); ctx.Err() != nil {
				return &exit{exitFailed, errors.New("purge: stopped; what is left is left, run it again to go on")}
			}
		}
	}
	return nil
}

func (a *app) tellPurge(r *room, list []purging, stopped error, asJSON bool) error {
	if asJSON {
		out := report.Purge{Queue: r.config.Mapping.Queue, Whole: stopped == nil, Removed: []report.Removed{}}
		for _, p := range list {
			out.Removed = append(out.Removed, report.Removed{What: string(p.ask.Op), N: p.gone})
		}
		return report.WriteJSON(a.Out, out)
	}
	for _, p := range list {
		fmt.Fprintf(a.Out, "%s %s removed\n", text.Grouped(p.gone), p.name)
	}
	return nil
}

func (a *app) printPurge(ctx context.Context, r *room, list []purging) error {
	var out []model.Statement
	for _, p := range list {
		s, err := r.queue.PurgeStatement(ctx, p.ask)
		if err != nil {
			return err
		}
		out = append(out, s)
	}
	return report.PlainStatements(a.Out, out)
}

func (a *app) printPurgeLoops(ctx context.Context, r *room, list []purging, pace time.Duration) error {
	for _, p := range list {
		s, err := r.queue.PurgeLoop(ctx, p.ask, int((p.age+24*time.Hour-1)/(24*time.Hour)), pace)
		if err != nil {
			return err
		}
		fmt.Fprintf(a.Out, "-- %s of %s\n%s\n", p.name, r.config.Mapping.Table, s)
	}
	return nil
}
