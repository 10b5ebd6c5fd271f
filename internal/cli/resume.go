package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/leasetop/leasetop/actions"
	"github.com/leasetop/leasetop/internal/text"
)

type resumeFlags struct {
	confirm string
	asJSON  bool
	batch   int
	pace    float64
}

// resume goes on with a bulk act that was cut off or stopped.
func (a *app) resume() *cobra.Command {
	var f resumeFlags
	cmd := &cobra.Command{
		Use:   "resume [FILE]",
		Short: "Go on with an act on a list that was stopped or cut off",
		Long: "resume lists the acts on lists that are not finished. With a file of receipts it goes on with\n" +
			"that one: it finds out what became of the jobs whose receipt is missing, does what was never\n" +
			"sent, and does no job twice. Remove the file to give the rest up.\n\n" +
			"Exit codes: those of the act.",
		Args: atMostOne,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case len(args) == 0 && f.asJSON:
				return usage("--json belongs to a FILE: the list of what is unfinished is for people")
			case len(args) == 0:
				return a.listUnfinished()
			}
			return a.runResume(cmd.Context(), args[0], f)
		},
	}
	fs := cmd.Flags()
	fs.StringVar(&f.confirm, "confirm", "", "the queue's name, where a production server asks for it")
	fs.BoolVar(&f.asJSON, "json", false, "print JSON, as docs/json.md says")
	fs.IntVar(&f.batch, "batch", actions.DefaultBatch, "jobs between two waits")
	fs.Float64Var(&f.pace, "pace", actions.DefaultPace, "jobs a second")
	return cmd
}

func (a *app) listUnfinished() error {
	runs, err := unfinished(recordDir())
	if err != nil {
		fmt.Fprintf(a.Err, "leasetop: warning: %v\n", err)
	}
	if len(runs) == 0 {
		fmt.Fprintln(a.Out, "nothing is unfinished")
		return nil
	}
	for _, r := range runs {
		fmt.Fprintln(a.Out, r.describe())
		fmt.Fprintf(a.Out, "  %s\n", r.path)
	}
	return nil
}

// describe is an unfinished run in one line.
func (r *run) describe() string {
	settled, unsure, left := r.counts()
	s := fmt.Sprintf("%s of %s in %s at %s: %d through, %d left", text.Clean(r.Action), text.Plural(int64(len(r.Rows)), "job", "jobs"),
		text.Clean(r.Queue), r.At.Format(time.RFC3339), settled, left)
	if unsure > 0 {
		s += fmt.Sprintf(", %d without a receipt", unsure)
	}
	switch {
	case r.running:
		return s + "; it is under way"
	case r.ending == nil:
		return s + "; it was cut off"
	}
	return s + "; " + text.Clean(r.ending.Stopped)
}

func (a *app) runResume(ctx context.Context, path string, f resumeFlags) (err error) {
	if f.batch < 1 {
		return usage("--batch cannot be %d: it is a number of jobs", f.batch)
	}
	if err := paced(f.pace); err != nil {
		return err
	}
	rec, past, err := reopen(path)
	if err != nil {
		return err
	}
	defer func() { _ = rec.file.Close() }() // the run's own end has closed it, and told of it
	h, r, err := a.one(ctx, past.Queue)
	if err != nil {
		return err
	}
	j := newJournal(h)
	defer func() { err = errors.Join(err, j.close(), h.close()) }()
	if table, here := r.config.Mapping.Table.String(), placeOf(&r.server); !here.is(past.Server, past.Address) || table != past.Table {
		then := place{past.Server, past.Address}
		return usage("%s is about %s on %s; the queue %s is %s on %s now", path, past.Table, then, past.Queue, table, here)
	}
	if _, err := r.queue.Probe(ctx); err != nil {
		return err
	}
	set, err := past.set(r.queue.Mapping())
	if err != nil {
		return err
	}
	rec.servers = newJournal(h).servers
	desk := actions.New(h.desk(), j, actor())
	desk.KeepRuns(nil, r.massGuard)
	return a.carryOut(ctx, desk, r, set, actions.RunOptions{Batch: f.batch, Pace: f.pace, Typed: f.confirm, Record: rec}, f.asJSON)
}

// reopen takes a record to go on with it. What a crash tore off at its end is
// closed by a line end.
func reopen(path string) (*record, *run, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_APPEND, 0)
	if err != nil {
		return nil, nil, usage("resume: %w", err)
	}
	fail := func(err error) (*record, *run, error) { return nil, nil, errors.Join(err, f.Close()) }
	if i, err := f.Stat(); err != nil || !i.Mode().IsRegular() { // to read a pipe would wait for whoever writes into it
		return fail(errors.Join(err, usage("resume: %s is no file of receipts", path)))
	}
	free, err := lockFile(f)
	switch {
	case err != nil:
		return fail(err)
	case !free:
		return fail(&exit{exitFailed, fmt.Errorf("%s is under way in another process", path)})
	}
	past, err := readRun(path)
	if err != nil {
		return fail(&exit{exitUsage, err})
	}
	if len(past.Rows) == 0 { // killed before the set was written, and so before anything was sent
		return fail(usage("%s names no job: nothing was begun", path))
	}
	end, err := f.Seek(-1, io.SeekEnd)
	if err != nil {
		return fail(err)
	}
	last := make([]byte, 1)
	if _, err = f.ReadAt(last, end); err == nil && last[0] != '\n' {
		_, err = f.Write([]byte{'\n'})
	}
	if err != nil {
		return fail(err)
	}
	return &record{file: f}, past, nil
}
