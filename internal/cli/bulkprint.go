package cli

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/leasetop/leasetop/actions"
	"github.com/leasetop/leasetop/internal/report"
	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
)

// looked is one job of a list as it is now.
type looked struct {
	row  actions.Row
	over *model.Receipt // the claim that the list names is not there any more
	ask  actions.Ask
	plan model.Plan
	err  error // no plan could be made
}

// lookAt looks at every job of a list without changing any, in the list's order.
func lookAt(ctx context.Context, desk *actions.Desk, r *room, set actions.Set, each func(looked) error) error {
	for _, row := range set.Rows {
		if err := ctx.Err(); err != nil {
			return err
		}
		job, at, err := r.queue.Inspect(ctx, row.Key)
		if err != nil {
			return err
		}
		l := looked{row: row}
		if got, over := desk.Found(set.Queue, set.Action, row.Key, row.Token, job, at); over {
			l.over = &got
		} else {
			l.ask = actions.Ask{Action: set.Action, Row: job, At: at, Reason: set.Reason, By: set.By, Far: set.Far}
			l.plan, l.err = desk.Plan(ctx, set.Queue, l.ask)
		}
		if err := each(l); err != nil {
			return err
		}
	}
	return nil
}

// not says why the act would not be tried on a job, empty when it would.
func (l *looked) not() string {
	switch {
	case l.over != nil:
		return strings.TrimPrefix(l.over.Message, "nothing was changed: ")
	case l.err != nil:
		return l.err.Error()
	case !l.plan.Refusal.OK:
		return report.Sentence(l.plan.Refusal)
	}
	return ""
}

// mostListed is how many jobs a preview tells one by one.
const mostListed = 20

// printPreview prints what an act on a list would do.
func (a *app) printPreview(ctx context.Context, desk *actions.Desk, r *room, set actions.Set, asJSON bool) error {
	out := report.Preview{Action: set.Action.String(), Queue: set.Queue, Total: len(set.Rows), Not: []string{}, Counts: []report.EffectCount{}}
	var (
		first model.Plan
		toll  actions.Toll
	)
	err := lookAt(ctx, desk, r, set, func(l looked) error {
		why := l.not()
		switch {
		case why == "":
			toll.Add(l.ask)
			if out.Fit++; out.Statement == nil {
				first = l.plan
				p := report.FromPlan(first)
				out.Statement = &p
			}
			return nil
		case l.over != nil && l.over.Outcome == model.Gone:
			out.Gone++
		case l.over != nil:
			out.Changed++
		default:
			out.Refused++
		}
		if len(out.Not) < mostListed || asJSON {
			out.Not = append(out.Not, fmt.Sprintf("job %s: %s", text.Brief(l.row.Key.String()), why))
		}
		return nil
	})
	if err != nil {
		return err
	}
	p, err := desk.Preview(ctx, set)
	if err != nil {
		return err
	}
	out.Confirm, out.Reason, out.Wait = textOrNil(p.Confirm.Type), p.Confirm.Reason, textOrNil(p.Wait)
	out.Effects = append([]string{}, p.Effects...)
	for _, e := range toll.Effects() {
		out.Counts = append(out.Counts, report.EffectCount{Kind: e.Kind, Text: e.Text, N: e.N})
	}
	if p.Wait != "" {
		ms := p.For.Milliseconds()
		out.WaitMs = &ms
	}
	if !p.Refusal.OK {
		out.Stopped = textOrNil(report.Sentence(p.Refusal))
	}
	if asJSON {
		return report.WriteJSON(a.Out, out)
	}
	if listed := out.Changed + out.Gone + out.Refused; listed > len(out.Not) {
		out.Not = append(out.Not, fmt.Sprintf("and %d more", listed-len(out.Not)))
	}
	return report.PlainPreview(a.Out, out, first)
}

// printScript prints one act ready to be run by somebody else.
func (a *app) printScript(p model.Plan) error {
	if !p.Refusal.OK {
		fmt.Fprintf(a.Err, "leasetop: not printed: %s\n", report.Sentence(p.Refusal))
		return silently(exitNot)
	}
	if p.Statement.Script == "" {
		return &exit{exitFailed, fmt.Errorf("the statement cannot be written as a script: a name of the table reads like a command of the tools that would run it")}
	}
	i := p.Intent
	_, err := fmt.Fprintf(a.Out, "-- %s of job %s in %s, token %s, action %s\n%s",
		i.Action, remark(i.Key), remark(plainName(i.Queue)), remark(i.Seen.Token), i.ActionID, p.Statement.Script)
	return err
}

// printScripts prints the act on each job of a list. What would not be tried is
// told as a remark.
func (a *app) printScripts(ctx context.Context, desk *actions.Desk, r *room, set actions.Set) error {
	code := 0
	err := lookAt(ctx, desk, r, set, func(l looked) error {
		if why := l.not(); why != "" {
			code = exitNot
			_, err := fmt.Fprintf(a.Out, "-- job %s: not printed: %s\n", remark(l.row.Key), remark(plainName(why)))
			return err
		}
		if err := a.printScript(l.plan); err != nil {
			return err
		}
		_, err := io.WriteString(a.Out, "\n")
		return err
	})
	if err != nil {
		return err
	}
	return silently(code)
}

type plainName string

func (s plainName) String() string { return string(s) }

// remark is a text as it may stand in a remark of a script: what the tools that run
// it would obey even there is taken out.
func remark(v fmt.Stringer) string {
	return strings.ReplaceAll(strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return '?'
		}
		return r
	}, v.String()), "$(", "$ (")
}
