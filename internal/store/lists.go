package store

import (
	"context"
	"time"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
)

// Bounds of the lists that no index gives in their own order.
const (
	StateWindow   = 10_000 // rows of one state that are looked at
	HistoryWindow = 5_000  // newest rows of the history that are looked at
)

// Spans that the history is asked about.
const (
	WorkersOver = 10 * time.Minute
	LatencyOver = 10 * time.Minute
)

// Page reads one list of the queue.
func (q *Queue) Page(ctx context.Context, v model.View) (model.Page, time.Time, error) {
	if q.wanted.IsDestructive() {
		return q.rowPage(ctx, v)
	}
	limit := Args{"limit": model.IntValue(PageLimit + 1)}
	switch v {
	case model.ViewReady:
		return q.jobs(ctx, OpReady, v, limit)
	case model.ViewFailed:
		return q.jobs(ctx, OpFailed, v, limit)
	case model.ViewRepeaters:
		limit["window"] = model.IntValue(StateWindow)
		return q.jobs(ctx, OpRepeaters, v, limit)
	case model.ViewWorkers:
		return q.workers(ctx)
	case model.ViewHistory:
		events, at, err := q.Events(ctx, model.Number{}, PageLimit+1)
		p := model.Page{View: v, Events: events, More: len(events) > PageLimit}
		p.Events = events[:min(len(events), PageLimit)]
		return p, at, err
	case model.ViewWorking, model.ViewTail, model.ViewNone:
	}
	return q.jobs(ctx, OpWorking, v, limit)
}

func (q *Queue) jobs(ctx context.Context, op Op, v model.View, a Args) (model.Page, time.Time, error) {
	b, rows, err := q.run(ctx, op, a)
	if err != nil {
		return model.Page{}, time.Time{}, err
	}
	c := q.decoder(b)
	now, err := c.now(op, rows)
	if err != nil {
		return model.Page{}, now, err
	}
	p := model.Page{View: v, Jobs: c.jobs(rows, now), More: rows[0].Int("cut").N == 1}
	if len(p.Jobs) > PageLimit {
		p.Jobs, p.More = p.Jobs[:PageLimit], true
	}
	return p, now, nil
}

// workers reads who holds jobs and who ended attempts lately.
func (q *Queue) workers(ctx context.Context) (model.Page, time.Time, error) {
	b, rows, err := q.run(ctx, OpWorkers, Args{
		"limit": model.IntValue(PageLimit + 1), "cap": model.IntValue(CountCap), "window": model.IntValue(HistoryWindow),
		"over_ms": model.IntValue(WorkersOver.Milliseconds()),
	})
	if err != nil {
		return model.Page{}, time.Time{}, err
	}
	c := q.decoder(b)
	now, err := c.now(OpWorkers, rows)
	if err != nil {
		return model.Page{}, now, err
	}
	p := model.Page{View: model.ViewWorkers, More: len(rows) > PageLimit}
	trust := model.Exact
	if b.caps.LowCounts {
		trust = model.AtLeast
	}
	for _, r := range rows[:min(len(rows), PageLimit)] {
		if r.Int("there").N == 1 {
			p.Workers = append(p.Workers, c.worker(r, now, trust))
		}
	}
	return p, now, nil
}

func (c decoder) worker(r Row, now time.Time, trust model.Trust) model.WorkerLine {
	count := func(column string) model.Count { return capped(r.Int(column), trust) }
	return model.WorkerLine{
		Worker: text.Clean(r.Text("worker")), Leases: count("leases"), Expired: count("expired"),
		Beat: c.instant(r, "seen"), Held: since(c.instant(r, "claimed"), now),
		Done: count("done"), Failed: count("failed"), Over: since(c.instant(r, "since"), now).D,
	}
}

// Events reads the newest events of the whole queue, newest first, before the
// event of that number if it is known.
func (q *Queue) Events(ctx context.Context, before model.Number, n int) ([]model.Event, time.Time, error) {
	a := Args{"limit": model.IntValue(int64(n))}
	if before.Known {
		a["before"] = model.IntValue(before.N)
	}
	return q.tail(ctx, OpEvents, a)
}

// WorkerEvents reads the newest events of one worker's attempts, as far back as
// the newest HistoryWindow events of the queue reach.
func (q *Queue) WorkerEvents(ctx context.Context, worker string, n int) ([]model.Event, time.Time, error) {
	return q.tail(ctx, OpWorkerEvents, Args{
		"limit": model.IntValue(int64(n)), "window": model.IntValue(HistoryWindow), "worker": model.TextValue(worker),
	})
}

func (q *Queue) tail(ctx context.Context, op Op, a Args) ([]model.Event, time.Time, error) {
	b, rows, err := q.run(ctx, op, a)
	if err != nil {
		return nil, time.Time{}, err
	}
	return q.decoder(b).events(op, rows)
}

// Latency reads how long the newest completions had been in work.
func (q *Queue) Latency(ctx context.Context) (model.Latency, time.Time, error) {
	b, rows, err := q.run(ctx, OpLatency, Args{
		"window": model.IntValue(HistoryWindow), "over_ms": model.IntValue(LatencyOver.Milliseconds()),
	})
	if err != nil {
		return model.Latency{}, time.Time{}, err
	}
	c := q.decoder(b)
	now, err := c.now(OpLatency, rows)
	if err != nil {
		return model.Latency{}, now, err
	}
	r := rows[0]
	ms := func(column string) time.Duration { return time.Duration(r.Int(column).N) * time.Millisecond }
	l := model.Latency{
		P50: ms("p50_ms"), P95: ms("p95_ms"), P99: ms("p99_ms"),
		N: capped(r.Int("n"), model.Exact), Over: since(c.instant(r, "since"), now).D,
	}
	return l, now, nil
}

// Found is what a look-up found. Whole is false when done jobs, or those beyond
// the bound of what was looked at, may be missing.
type Found struct {
	Jobs  []*model.Job
	Whole bool
}

// FindOperation finds jobs by their operation id, done ones too where an index
// finds them.
func (q *Queue) FindOperation(ctx context.Context, id string) (Found, time.Time, error) {
	if c := q.Mapping().Column(model.RoleOperation); c.Type == model.GUID {
		k, err := model.ParseKey([]model.Column{c}, id)
		if err != nil {
			return Found{}, time.Time{}, &model.Fault{Class: model.FaultTarget, Op: string(OpFindOperation), Text: err.Error()}
		}
		id = k.Values()[0].Text
	}
	return q.find(ctx, OpFindOperation, Args{"operation": model.TextValue(id)})
}

// FindWorker finds the jobs that a worker has in work.
func (q *Queue) FindWorker(ctx context.Context, worker string) (Found, time.Time, error) {
	return q.find(ctx, OpFindWorker, Args{"worker": model.TextValue(worker)})
}

func (q *Queue) find(ctx context.Context, op Op, a Args) (Found, time.Time, error) {
	a["limit"], a["window"] = model.IntValue(PageLimit), model.IntValue(StateWindow)
	b, rows, err := q.run(ctx, op, a)
	if err != nil {
		return Found{}, time.Time{}, err
	}
	c := q.decoder(b)
	now, err := c.now(op, rows)
	if err != nil {
		return Found{}, now, err
	}
	return Found{Jobs: c.jobs(rows, now), Whole: rows[0].Int("whole").N == 1}, now, nil
}
