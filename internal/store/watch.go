package store

import (
	"context"
	"maps"
	"time"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
)

// Bounds of what a poll reads.
const (
	CountCap  = 10_000 // counting stops there
	PageLimit = 500    // rows of one list
)

// Pulse reads the figures of the queue in one statement. The time is the
// server's, of that statement.
func (q *Queue) Pulse(ctx context.Context, ask model.PulseAsk) (model.Pulse, time.Time, error) {
	if q.wanted.IsDestructive() {
		return q.depth(ctx, ask)
	}
	a := Args{"cap": model.IntValue(CountCap)}
	if !ask.Since.IsZero() {
		a["since"] = model.TimeValue(ask.Since.UTC().Format(SinceLayout))
	}
	b, rows, err := q.run(ctx, OpPulse, a)
	if err != nil {
		return model.Pulse{}, time.Time{}, err
	}
	c := q.decoder(b)
	now, err := c.now(OpPulse, rows)
	if err != nil {
		return model.Pulse{}, now, err
	}
	return c.pulse(b, rows, now, ask), now, nil
}

// SinceLayout is how a time that this process computed, and that matches no
// column for equality, is given to a dialect: ISO 8601 in UTC.
const SinceLayout = "2006-01-02T15:04:05.000"

func (c decoder) pulse(b *binding, rows []Row, now time.Time, ask model.PulseAsk) model.Pulse {
	r := rows[0]
	trust := model.Exact
	if b.caps.LowCounts {
		trust = model.AtLeast
	}
	count := func(col string) model.Count { return capped(r.Int(col), trust) }
	p := model.Pulse{
		Scheduled: count("scheduled"), Ready: count("ready"), Working: count("working"),
		Expired: count("expired"), Corrupt: count("corrupt"), Failed: count("failed"),
		WorstOverdue: since(c.instant(r, "worst_lease"), now),
		WorstKey:     c.keyAt(r, "worst_"),
	}
	if n := r.Int("enqueued"); n.Known {
		p.Enqueued = model.Counter{Count: model.Count{N: n.N, Trust: model.Estimated}, Epoch: r.Text("epoch")}
	}
	p.Done = done(r.Int("rows"), p)
	if n := r.Int("completed"); n.Known {
		over := time.Minute
		if !ask.Since.IsZero() {
			over = now.Sub(ask.Since)
		}
		p.Completed = model.Flow{Count: capped(n, model.Exact), Over: over}
	}
	p.Brake = c.brake(r)
	c.oldest(&p, rows, now)
	return p
}

func (c decoder) oldest(p *model.Pulse, rows []Row, now time.Time) {
	for _, r := range rows {
		if !present(r) {
			continue
		}
		o := model.Oldest{Key: c.key(r), Priority: r.Int("priority"), Waiting: since(c.instant(r, "available"), now)}
		if o.Priority.Known || len(rows) > 1 && r.Value("priority").IsNull() { // alone it is that of the whole queue
			p.ByPriority = append(p.ByPriority, o)
		}
		if p.Oldest == nil || o.Waiting.D > p.Oldest.Waiting.D {
			p.Oldest = &o
		}
	}
}

// capped reads a count that stopped at CountCap.
func capped(n model.Number, trust model.Trust) model.Count {
	switch {
	case !n.Known:
		return model.Count{}
	case n.N > CountCap:
		return model.Count{N: CountCap, Trust: model.Capped}
	}
	return model.Count{N: n.N, Trust: trust}
}

// done is what is left of the table's rows after all other states, which only
// holds while none of them was capped: done rows are never counted.
func done(rows model.Number, p model.Pulse) model.Count {
	n := rows.N
	for _, c := range []model.Count{p.Scheduled, p.Ready, p.Working, p.Failed} {
		if c.Trust == model.Capped {
			return model.Count{}
		}
		n -= c.N
	}
	if !rows.Known {
		return model.Count{}
	}
	return model.Count{N: max(n, 0), Trust: model.Estimated}
}

// Inspect reads one job. A nil job and a nil error mean that there is no such row.
func (q *Queue) Inspect(ctx context.Context, k model.Key) (*model.Job, time.Time, error) {
	if q.wanted.IsDestructive() {
		return q.inspectRow(ctx, k)
	}
	b, rows, err := q.keyed(ctx, OpInspect, k, nil)
	if err != nil {
		return nil, time.Time{}, err
	}
	c := q.decoder(b)
	now, err := c.now(OpInspect, rows)
	if err != nil || !present(rows[0]) {
		return nil, now, err
	}
	return c.job(rows[0], now), now, nil
}

// Payload reads at most limit bytes of a job's payload.
func (q *Queue) Payload(ctx context.Context, k model.Key, limit int) (model.Payload, error) {
	if q.wanted.IsDestructive() {
		return q.rowPayload(k, limit), nil
	}
	_, rows, err := q.keyed(ctx, OpPayload, k, Args{"max": model.IntValue(int64(limit))})
	if err != nil || len(rows) == 0 {
		return model.Payload{}, err
	}
	raw := rows[0].Text("payload")
	p := model.Payload{Text: text.CleanBlock(raw, limit), Bytes: rows[0].Int("bytes")}
	p.Cut = p.Bytes.Known && int64(len(raw)) < p.Bytes.N
	if cut := rows[0].Int("cut"); cut.Known { // where the engine's bytes are not those of the text as it arrives
		p.Cut = cut.N != 0
	}
	return p, nil
}

// History reads the newest events of a job, newest first.
func (q *Queue) History(ctx context.Context, k model.Key, n int) ([]model.Event, time.Time, error) {
	if q.wanted.IsDestructive() { // a row that nobody could name before has no past
		return nil, time.Time{}, nil
	}
	return q.events(ctx, OpHistory, k, Args{"limit": model.IntValue(int64(n))})
}

// Audit finds the history row of one operator's act; nil: there is none.
func (q *Queue) Audit(ctx context.Context, k model.Key, action string) (*model.Event, error) {
	if q.wanted.IsDestructive() {
		return q.buriedBy(ctx, action)
	}
	events, _, err := q.events(ctx, OpAudit, k, Args{"action": model.GUIDValue(action)})
	if err != nil || len(events) == 0 {
		return nil, err
	}
	return &events[0], nil
}

func (q *Queue) events(ctx context.Context, op Op, k model.Key, a Args) ([]model.Event, time.Time, error) {
	b, rows, err := q.keyed(ctx, op, k, a)
	if err != nil {
		return nil, time.Time{}, err
	}
	return q.decoder(b).events(op, rows)
}

func (q *Queue) keyed(ctx context.Context, op Op, k model.Key, a Args) (*binding, []Row, error) {
	args, err := keyArgs(k)
	if err != nil {
		return nil, nil, &model.Fault{Class: model.FaultTarget, Op: string(op), Text: err.Error()}
	}
	maps.Copy(args, a)
	return q.run(ctx, op, args)
}
