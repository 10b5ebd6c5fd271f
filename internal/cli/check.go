package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/leasetop/leasetop/internal/config"
	"github.com/leasetop/leasetop/internal/report"
	"github.com/leasetop/leasetop/model"
)

// exitNoVerdict is what check ends with when there is no verdict, mistakes of
// usage among the reasons: to monitoring, 2 would mean critical.
const exitNoVerdict = 3

// check judges queues for monitoring.
func (a *app) check() *cobra.Command {
	var asJSON, limitsOnly bool
	steps := map[model.Measure]*[2]string{}
	cmd := &cobra.Command{
		Use:   "check [QUEUE…]",
		Short: "Judge queues for monitoring: exit 0 ok, 1 warning, 2 critical, 3 no verdict",
		Long: "check looks once at the queues that are named, or at all, and holds them against limits and\n" +
			"findings. A limit comes from the configuration (limits:) or from a flag, which goes over it.\n" +
			"It ends with 0 when all is well, 1 for a warning, 2 when something is critical, and 3 for\n" +
			"everything that is no verdict: a queue that cannot be read, a figure that one look cannot know\n" +
			"(the bare table records no times), a mistake on the command line. Its first line and its figures\n" +
			"are in the form of monitoring plugins.",
		ValidArgsFunction: a.completeQueues,
		RunE: func(cmd *cobra.Command, args []string) error {
			over, err := limitsOf(steps)
			if err == nil {
				err = a.judge(cmd.Context(), args, over, !limitsOnly, asJSON)
			}
			var e *exit
			if err == nil || errors.As(err, &e) && e.err == nil {
				return err // nothing is wrong, or everything was said
			}
			return &exit{exitNoVerdict, err}
		},
	}
	cmd.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return &exit{exitNoVerdict, fmt.Errorf("%w; %s --help lists the flags", err, cmd.CommandPath())}
	})
	for _, m := range model.Measures() {
		s := &[2]string{}
		steps[m] = s
		cmd.Flags().StringVar(&s[0], "warn-"+string(m), "", "warning above this: "+meaning(m))
		cmd.Flags().StringVar(&s[1], "max-"+string(m), "", "critical above this: "+meaning(m))
	}
	cmd.Flags().BoolVar(&limitsOnly, "limits-only", false, "findings do not count in the verdict")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON, as docs/json.md says")
	a.scanFlag(cmd)
	return cmd
}

func meaning(m model.Measure) string {
	switch m {
	case model.MeasureOldest:
		return "how long the oldest ready job has waited, such as 5m"
	case model.MeasureOverdue:
		return "how far the worst expired lease lies back, such as 5m"
	case model.MeasureReady:
		return "jobs that are ready"
	case model.MeasureExpired:
		return "leases that ran out"
	case model.MeasureFailed:
		return "dead letters"
	}
	return string(m)
}

// limitsOf reads the limits that flags say, the warning before the other.
func limitsOf(steps map[model.Measure]*[2]string) (model.Limits, error) {
	out := model.Limits{}
	for _, m := range model.Measures() {
		var l model.Limit
		for i, into := range []*model.Number{&l.Warn, &l.Bad} {
			text := steps[m][i]
			if text == "" {
				continue
			}
			n, err := config.ParseAmount(m, text)
			if err != nil {
				return nil, fmt.Errorf("--%s-%s cannot be %q: %w", [...]string{"warn", "max"}[i], m, text, err)
			}
			*into = n
		}
		if l.Warn.Known && l.Bad.Known && l.Warn.N > l.Bad.N {
			return nil, fmt.Errorf("--warn-%s lies above --max-%s: the warning comes first, so it is the smaller one", m, m)
		}
		if !l.IsZero() {
			out[m] = l
		}
	}
	return out, nil
}

// judge looks once and prints the verdict.
func (a *app) judge(ctx context.Context, names []string, over model.Limits, findings, asJSON bool) (err error) {
	c, err := a.configure(names...)
	if err != nil {
		return err
	}
	queues, err := pick(c, names)
	if err != nil {
		return err
	}
	limits := map[string]model.Limits{}
	for i := range queues {
		queues[i].Limits = over.Over(queues[i].Limits)
		limits[queues[i].Mapping.Queue] = queues[i].Limits
	}
	h, err := a.open(ctx, c, queues)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, h.close()) }()
	verdict := report.Judge(time.Now(), look(ctx, h, model.ViewWorking, false), func(q string) model.Limits { return limits[q] }, findings)
	if asJSON {
		err = report.WriteJSON(a.Out, verdict)
	} else {
		err = verdict.Plain(a.Out)
	}
	if err != nil {
		return err
	}
	return silently(verdict.Exit())
}
