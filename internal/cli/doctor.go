package cli

import (
	"context"
	"errors"
	"time"

	"github.com/spf13/cobra"

	"github.com/leasetop/leasetop/internal/diagnose"
	"github.com/leasetop/leasetop/internal/report"
	"github.com/leasetop/leasetop/model"
)

// doctor looks for what is wrong with queues, their tables and their server.
func (a *app) doctor() *cobra.Command {
	var asJSON, scan bool
	cmd := &cobra.Command{
		Use:   "doctor [QUEUE…]",
		Short: "Look for what is wrong with a queue, its table and its server",
		Long: "doctor looks at rows that break an invariant, indexes, locks, isolation, triggers, rights, the\n" +
			"identity, clocks and recovery. Each finding has what it rests on, the statement that mends it and\n" +
			"what that statement costs. Nothing is changed: statements are printed, never run.\n\n" +
			"It reads no done rows and scans no table unless --allow-scan insists, and says what it has not\n" +
			"checked. It ends with 1 when it finds a warning or worse, or cannot look.",
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
			return a.printCheckups(examine(cmd.Context(), h, scan), asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON, as docs/json.md says")
	cmd.Flags().BoolVar(&scan, "allow-scan", false, "read every row where a rule needs it")
	return cmd
}

// examine makes a checkup of every queue of the house. Each is probed first, with
// more patience than a poll has: nobody waits for a frame.
func examine(ctx context.Context, h *house, scan bool) []model.Checkup {
	lost := make([]error, len(h.queues))
	for i := range h.queues {
		_, lost[i] = h.queues[i].queue.Probe(ctx)
	}
	seen := look(ctx, h, model.ViewWorking, false)
	out := make([]model.Checkup, len(h.queues))
	for i := range h.queues {
		out[i] = checkup(ctx, &h.queues[i], probed(&h.queues[i], seen[i], lost[i]), scan)
	}
	return out
}

// probed is a look at a queue that was probed: what the look could not read is a
// part of it that failed, and not the end of the checkup.
func probed(r *room, seen *model.Snapshot, lost error) *model.Snapshot {
	s := *seen
	var f *model.Fault
	if errors.As(lost, &f) {
		s.Watch.Err = f
		return &s
	}
	if s.Pulse.Err == nil {
		s.Pulse.Err = s.Watch.Err
	}
	s.Watch.Err, s.Mapping = nil, r.queue.Mapping()
	s.Caps, _ = r.queue.Caps()
	return &s
}

// checkup reads what the rules ask for, and adds to what they found the statements
// that mend it.
func checkup(ctx context.Context, r *room, seen *model.Snapshot, scan bool) model.Checkup {
	f := diagnose.DoctorFacts{Snapshot: seen, Scanned: scan}
	q := r.queue
	if seen.Watch.Err == nil {
		f.Catalog, f.CatalogErr = q.Catalog(ctx)
		f.Indexes, f.IndexErr = q.Indexes(ctx)
	}
	if seen.Watch.Err == nil && !seen.Mapping.IsDestructive() {
		f.Symptoms, _, f.HealthErr = q.Health(ctx, scan)
		if !seen.Mapping.History.IsZero() {
			f.Past, _, f.PastErr = q.HistoryHealth(ctx)
		}
	}
	c := diagnose.Doctor(f)
	for i := range c.Findings {
		d := &c.Findings[i]
		if text, err := q.Mend(d.Remedy); err == nil {
			d.Mend = text
		}
	}
	return c
}

// printCheckups prints what was found and fails where there is something to mend.
func (a *app) printCheckups(all []model.Checkup, asJSON bool) error {
	var err error
	if asJSON {
		err = report.WriteJSON(a.Out, report.FromCheckups(time.Now(), all))
	} else {
		err = report.PlainDoctor(a.Out, all)
	}
	if err != nil {
		return err
	}
	code := 0
	for i := range all {
		switch c := &all[i]; {
		case c.Err != nil:
			code = max(code, exitCode(c.Err))
		case report.Sick(c):
			code = max(code, exitFailed)
		}
	}
	return silently(code)
}
