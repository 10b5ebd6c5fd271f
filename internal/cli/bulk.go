package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/leasetop/leasetop/actions"
	"github.com/leasetop/leasetop/internal/report"
	"github.com/leasetop/leasetop/model"
)

const bulkHelp = "With --from it acts on a list of jobs instead, a line a job: KEY TOKEN, or JSON as snapshot --json\n" +
	"has them; a line that begins with # is a remark, so a key that does wants JSON. Each job is one\n" +
	"statement of its own, sent in small batches at a pace; ctrl+c stops after the job in hand, and\n" +
	"leasetop resume goes on. In production --confirm and --reason are wanted."

// runBulk acts on a list of jobs.
func (a *app) runBulk(ctx context.Context, act model.Action, queue string, f actFlags) (err error) {
	switch {
	case f.batch < 1:
		return usage("--batch cannot be %d: it is a number of jobs", f.batch)
	}
	if err := paced(f.pace); err != nil {
		return err
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
	rows, err := a.readList(ctx, f.from, r.queue.Mapping())
	if err != nil {
		return err
	}
	desk := actions.New(f.targets(h), j, actor())
	desk.KeepRuns(newRecords(h), r.massGuard)
	set := actions.Set{
		Queue: r.config.Mapping.Queue, Action: act, Rows: rows, What: "a list", Reason: f.reason, By: f.by, Far: f.far,
	}
	switch {
	case f.script:
		return a.printScripts(ctx, desk, r, set)
	case f.dryRun:
		return a.printPreview(ctx, desk, r, set, f.asJSON)
	}
	a.resolveEarlier(ctx, desk, r)
	return a.carryOut(ctx, desk, r, set, actions.RunOptions{Batch: f.batch, Pace: f.pace, Typed: f.confirm}, f.asJSON)
}

// massGuard looks at the queue's leases once, as a command that has not watched
// it must.
func (r *room) massGuard(ctx context.Context, _ string) (string, time.Duration, error) {
	page, at, err := r.queue.Page(ctx, model.ViewWorking)
	var all int64
	if err == nil && page.More {
		var p model.Pulse
		p, _, err = r.queue.Pulse(ctx, model.PulseAsk{})
		all = p.Working.N
	}
	var f *model.Fault
	if errors.As(err, &f) && f.Class == model.FaultReshaped {
		return "", 0, nil // the table cannot be listed: nobody can know
	}
	if err != nil {
		return "", 0, err
	}
	why, wait := actions.Mass(page.Jobs, all, at, r.queue.Mapping().UsualLease())
	return why, wait, nil
}

// carryOut runs a set and prints what becomes of it as it goes.
func (a *app) carryOut(ctx context.Context, desk *actions.Desk, r *room, set actions.Set, o actions.RunOptions, asJSON bool) error {
	m := r.queue.Mapping()
	line := a.newProgressLine()
	var failed error
	o.Progress = line.show
	o.Receipt = func(got model.Receipt) {
		if failed != nil {
			return // nobody reads any more; the file has it all
		}
		switch {
		case asJSON:
			failed = report.WriteLine(a.Out, report.FromReceipt(got, m))
		case got.Outcome != model.Applied:
			line.clear()
			failed = report.PlainRow(a.Out, got)
		}
	}
	res := desk.Run(ctx, set, o)
	line.clear()
	b := report.Bulk{
		Action: set.Action.String(), Queue: set.Queue, Total: res.Total,
		Applied: res.Tally.Applied, Changed: res.Tally.Changed, Gone: res.Tally.Gone, Refused: res.Tally.Refused, Unknown: res.Tally.Unknown,
		Left: res.Left, Stopped: textOrNil(res.Stopped), File: textOrNil(res.Place),
	}
	if failed == nil && asJSON {
		failed = report.WriteLine(a.Out, b)
	} else if failed == nil {
		failed = report.PlainBulk(a.Out, b)
	}
	if res.Place != "" && !res.Finished() {
		fmt.Fprintf(a.Err, "leasetop: it is not finished; leasetop resume %s goes on\n", res.Place)
	}
	code := bulkCode(&res)
	if failed != nil { // what became of the acts decides all the same: a script must not act again
		return &exit{code, fmt.Errorf("the receipts could not be printed: %w", failed)}
	}
	return silently(code)
}

// bulkCode is the exit code of a run: 4 when anything is unknown, 0 when all was
// applied, 1 when the server could not be asked about a single job, else 3.
func bulkCode(res *actions.Result) int {
	switch {
	case res.Tally.Unknown > 0:
		return exitUnknown
	case res.Tally.Applied == res.Total:
		return 0
	case res.Tally.Total() == 0 && res.Unasked:
		return exitFailed
	}
	return exitNot
}

func textOrNil(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// progressLine is one line on standard error that is written over and over, while
// a person watches.
type progressLine struct {
	a     *app
	began time.Time
	last  time.Time
	dirty bool
}

func (a *app) newProgressLine() *progressLine {
	if !isTerminal(a.Err) {
		return &progressLine{}
	}
	return &progressLine{a: a, began: time.Now()}
}

func (l *progressLine) show(p actions.Progress) {
	now := time.Now()
	done := p.Tally.Total()
	if l.a == nil || now.Sub(l.last) < 100*time.Millisecond && done < p.Total {
		return
	}
	s := fmt.Sprintf("%d of %d: %s", done, p.Total, p.Tally)
	switch {
	case p.Waiting != "":
		s = fmt.Sprintf("waiting %s: %s", p.For.Round(time.Second), p.Waiting)
	case p.Looking:
		s += "; a reply was lost, looking again"
	}
	fmt.Fprintf(l.a.Err, "\r\x1b[K%s", s)
	l.last, l.dirty = now, true
}

func (l *progressLine) clear() {
	if l.dirty {
		fmt.Fprint(l.a.Err, "\r\x1b[K")
		l.dirty = false
	}
}
