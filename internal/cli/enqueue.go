package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/internal/worker"
	"github.com/leasetop/leasetop/model"
)

// enqueueBatch is how many jobs one statement adds at the most.
const enqueueBatch = 500

// maxLine is the longest payload that is read from standard input, in bytes.
const maxLine = 16 << 20

type enqueueFlags struct {
	count    int
	payload  string
	priority int64
	delay    time.Duration
	seed     uint64
}

// enqueue adds jobs to a queue of ours.
func (a *app) enqueue() *cobra.Command {
	var f enqueueFlags
	cmd := &cobra.Command{
		Use:   "enqueue [QUEUE]",
		Short: "Add jobs to a queue of ours or on a development server",
		Long: "enqueue adds jobs: invented orders, or --payload as it is, or with --payload - one job for each\n" +
			"line of standard input.",
		Args: atMostOne, ValidArgsFunction: a.completeQueues,
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.count < 1 {
				return usage("--count cannot be %d; one is the least", f.count)
			}
			if f.delay < 0 {
				return usage("--delay cannot be %s: a job is due now or later", f.delay)
			}
			if f.payload == "-" && cmd.Flags().Changed("count") {
				return usage("--count and --payload - exclude each other: standard input says how many")
			}
			if err := spans(cmd, map[string]time.Duration{"delay": 0}); err != nil {
				return err
			}
			job := model.NewJob{Payload: f.payload, Delay: f.delay}
			if cmd.Flags().Changed("priority") {
				job.Priority = model.NumberOf(f.priority)
			}
			return a.runEnqueue(cmd.Context(), queueOf(args), f, job)
		},
	}
	fs := cmd.Flags()
	fs.IntVar(&f.count, "count", 1, "how many jobs")
	fs.StringVar(&f.payload, "payload", "", "what each job carries; - reads one job a line")
	fs.Int64Var(&f.priority, "priority", 0, "the smaller is claimed first (default: the table's)")
	fs.DurationVar(&f.delay, "delay", 0, "due only after this long")
	fs.Uint64Var(&f.seed, "seed", uint64(time.Now().UnixNano()), "the same seed invents the same orders")
	fs.Lookup("seed").DefValue = "random"
	return cmd
}

func (a *app) runEnqueue(ctx context.Context, name string, f enqueueFlags, job model.NewJob) (err error) {
	h, r, err := a.one(ctx, name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, h.close()) }()
	if err := r.ours(ctx, "enqueue"); err != nil {
		return err
	}
	var total int
	var first, last model.Key
	add := func(jobs []model.NewJob) error {
		keys, err := r.queue.Enqueue(ctx, jobs)
		if err != nil {
			return err
		}
		if total == 0 && len(keys) > 0 {
			first = keys[0]
		}
		if len(keys) > 0 {
			last = keys[len(keys)-1]
		}
		total += len(keys)
		return nil
	}
	switch m := r.queue.Mapping(); {
	case f.delay > 0 && (m.States[model.Scheduled].IsNull() || !m.Has(model.RoleAvailable)):
		return usage("--delay: in %s nothing waits for its time", m.Queue)
	case job.Priority.Known && !m.Has(model.RolePriority):
		return usage("--priority: in %s no job has one", m.Queue)
	}
	if err := a.jobs(ctx, r.queue.Mapping(), f, job, add); err != nil {
		return fmt.Errorf("after %d jobs: %w", total, err)
	}
	if total == 0 {
		return errors.New("standard input had no line: nothing was enqueued")
	}
	fmt.Fprintf(a.Out, "%d enqueued in %s: %s to %s\n", total, r.config.Mapping.Queue, text.Brief(first.String()), text.Brief(last.String()))
	return nil
}

// jobs gives the jobs in batches.
func (a *app) jobs(ctx context.Context, m *model.Mapping, f enqueueFlags, job model.NewJob, add func([]model.NewJob) error) error {
	if f.payload == "-" {
		return a.lines(ctx, job, add)
	}
	invent := worker.Load{Seed: f.seed}.Source()
	if m.IsDestructive() {
		invent = worker.RowSource(m, f.seed)
	}
	for done := 0; done < f.count; {
		batch := slices.Repeat([]model.NewJob{job}, min(enqueueBatch, f.count-done))
		if f.payload == "" {
			for i, invented := range invent(len(batch)) {
				batch[i].Payload = invented.Payload
			}
		}
		if err := add(batch); err != nil {
			return err
		}
		done += len(batch)
	}
	return nil
}

// lines gives one job for each line of standard input.
func (a *app) lines(ctx context.Context, job model.NewJob, add func([]model.NewJob) error) error {
	s := bufio.NewScanner(reading{ctx, a.In})
	s.Buffer(nil, maxLine)
	var batch []model.NewJob
	for s.Scan() {
		job.Payload = s.Text()
		batch = append(batch, job)
		if len(batch) == enqueueBatch {
			if err := add(batch); err != nil {
				return err
			}
			batch = nil
		}
	}
	if err := s.Err(); errors.Is(err, bufio.ErrTooLong) {
		return fmt.Errorf("standard input: a line may have %d MB", maxLine>>20)
	} else if err != nil {
		return fmt.Errorf("standard input: %w", err)
	}
	if len(batch) == 0 {
		return nil
	}
	return add(batch)
}
