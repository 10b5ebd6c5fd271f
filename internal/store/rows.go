package store

import (
	"context"
	"time"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
)

// here reports whether a row of an answer is a row of a destructive queue.
func here(r Row) bool { return r.Int("present").N == 1 }

// values are the values of a row's columns, each as its column is typed.
func (c decoder) values(r Row) []model.Value {
	vs := make([]model.Value, len(c.m.Keys))
	for i, col := range c.m.Keys {
		vs[i] = retype(r.Value(keyParam(i)), col.Type)
	}
	return vs
}

// shift is how far the clock of the time column is ahead of UTC, to the minute:
// the two times of one statement need not be equal below that.
func (c decoder) shift(r Row, now time.Time) time.Duration {
	at, err := c.d.Instant(r.Value("clock"))
	if err != nil || at.IsZero() {
		return 0
	}
	return at.Sub(now).Round(time.Minute)
}

// row is a row of a destructive queue, or one of its dead letters.
func (c decoder) row(r Row, now time.Time, dead bool) *model.Job {
	vs := c.values(r)
	j := &model.Job{State: model.Ready, Copies: r.Int("copies"), Locked: r.Int("locked")}
	if !j.Copies.Known {
		j.Copies = model.NumberOf(1)
	}
	by := c.m.Column(model.RoleEnqueued)
	for i, col := range c.m.Keys {
		if col.Name != by.Name || by.Type != model.Time || vs[i].IsNull() {
			continue
		}
		j.Enqueued = model.Instant{Raw: vs[i]}
		if at, err := c.d.Instant(vs[i]); err == nil {
			j.Enqueued.At = at.Add(-c.shift(r, now))
		}
	}
	action := model.Value{}
	if dead {
		j.State, j.Ended = model.Failed, c.instant(r, "at")
		j.Error, j.Worker = text.Clean(r.Text("reason")), text.Clean(r.Text("actor"))
		if j.Worker == "" {
			j.Worker = text.Clean(r.Text("login"))
		}
		action = retype(r.Value("action"), model.GUID)
		j.Token = model.TokenOf(action)
	}
	j.Key = model.RowKeyOf(vs, action)
	if !dead {
		j.Waiting = since(j.Enqueued, now)
	}
	return j
}

// rowsOf are the rows of an answer, equal ones once with how many they are, in the
// order in which the first of each stands. n is how many rows they are in all.
func (c decoder) rowsOf(rows []Row, now time.Time, dead bool) (jobs []*model.Job, n int) {
	seen := make(map[model.Key]*model.Job, len(rows))
	for _, r := range rows {
		if !here(r) {
			continue
		}
		n++
		j := c.row(r, now, dead)
		if first := seen[j.Key]; first != nil {
			first.Copies.N++
			if j.Locked.Known {
				first.Locked = model.NumberOf(first.Locked.N + j.Locked.N)
			}
			continue
		}
		seen[j.Key] = j
		jobs = append(jobs, j)
	}
	return jobs, n
}

// depth reads the figures of a destructive queue.
func (q *Queue) depth(ctx context.Context, ask model.PulseAsk) (model.Pulse, time.Time, error) {
	a := Args{"cap": model.IntValue(CountCap)}
	over := time.Minute
	if !ask.Since.IsZero() {
		a["since"] = model.TimeValue(ask.Since.UTC().Format(SinceLayout))
	}
	b, rows, err := q.run(ctx, OpDepth, a)
	if err != nil {
		return model.Pulse{}, time.Time{}, err
	}
	c := q.decoder(b)
	now, err := c.now(OpDepth, rows)
	if err != nil {
		return model.Pulse{}, now, err
	}
	if !ask.Since.IsZero() {
		over = now.Sub(ask.Since)
	}
	return c.figures(b, rows, now, over), now, nil
}

func (c decoder) figures(b *binding, rows []Row, now time.Time, over time.Duration) model.Pulse {
	r := rows[0]
	trust := model.Exact
	if b.caps.LowCounts {
		trust = model.AtLeast
	}
	p := model.Pulse{Ready: capped(r.Int("depth"), trust), Failed: capped(r.Int("dead"), trust)}
	if n := r.Int("rows"); n.Known && (p.Ready.Trust == model.Capped || !p.Ready.Known()) {
		p.Ready = model.Count{N: max(n.N, p.Ready.N), Trust: model.Estimated}
	}
	if n := r.Int("locked"); n.Known { // near the head, which moves while it is counted
		p.Working = model.Count{N: n.N, Trust: model.Estimated}
		if b.caps.Emulated {
			p.Working.Trust = model.Exact
		}
	}
	counter := func(column string) model.Counter {
		n := r.Int(column)
		if !n.Known {
			return model.Counter{}
		}
		return model.Counter{Count: model.Count{N: n.N, Trust: model.Estimated}, Epoch: r.Text("epoch")}
	}
	p.Enqueued, p.Dequeued = counter("inserted"), counter("deleted")
	if n := r.Int("arrived"); n.Known {
		p.Arrived = model.Flow{Count: model.Count{N: n.N, Trust: model.AtLeast}, Over: over}
	}
	c.ends(&p, rows, now)
	return p
}

// ends are both ends of the queue; the older of the two is the oldest row.
func (c decoder) ends(p *model.Pulse, rows []Row, now time.Time) {
	for _, r := range rows {
		if !here(r) {
			continue
		}
		j := c.row(r, now, false)
		o := &model.Oldest{Key: j.Key, Waiting: j.Waiting}
		switch r.Text("end") {
		case "head":
			p.Head = o
		case "tail":
			p.Tail = o
		}
	}
	p.Oldest = p.Head
	if p.Tail != nil && (p.Head == nil || p.Tail.Waiting.D > p.Head.Waiting.D) {
		p.Oldest = p.Tail
	}
}

// rowPage reads one list of a destructive queue. Nothing of it is in work that a
// list could show: such rows are locked or gone.
func (q *Queue) rowPage(ctx context.Context, v model.View) (model.Page, time.Time, error) {
	op, p := OpHead, model.Page{View: v}
	switch v {
	case model.ViewFailed:
		op = OpDead
	case model.ViewTail:
		op = OpTail
	case model.ViewReady, model.ViewWorking, model.ViewRepeaters, model.ViewWorkers, model.ViewHistory, model.ViewNone:
		p.View = model.ViewReady
	}
	b, rows, err := q.run(ctx, op, Args{"limit": model.IntValue(PageLimit + 1)})
	if err != nil {
		return model.Page{}, time.Time{}, err
	}
	c := q.decoder(b)
	now, err := c.now(op, rows)
	if err != nil {
		return model.Page{}, now, err
	}
	if len(rows) > PageLimit {
		rows, p.More = rows[:PageLimit], true
	}
	p.Jobs, _ = c.rowsOf(rows, now, op == OpDead)
	return p, now, nil
}

// inspectRow looks for rows that are equal to one, in the queue or, where the key
// names the act that made it, among the dead letters.
func (q *Queue) inspectRow(ctx context.Context, k model.Key) (*model.Job, time.Time, error) {
	b, err := q.binding(ctx)
	if err != nil {
		return nil, time.Time{}, err
	}
	op := OpRow
	values, action := b.mapping.CutRow(k)
	if len(k.Values()) > len(values) {
		op = OpDeadRow
	}
	_, rows, err := q.keyed(ctx, op, model.KeyOf(values...), Args{"token": action})
	if err != nil {
		return nil, time.Time{}, err
	}
	c := q.decoder(b)
	now, err := c.now(op, rows)
	if err != nil || !here(rows[0]) {
		return nil, now, err
	}
	return c.row(rows[0], now, op == OpDeadRow), now, nil
}

// buriedBy finds what an act has made a dead letter of; nil: nothing.
func (q *Queue) buriedBy(ctx context.Context, action string) (*model.Event, error) {
	b, rows, err := q.run(ctx, OpRowsOf, Args{"action": model.GUIDValue(action), "limit": model.IntValue(1)})
	if err != nil {
		return nil, err
	}
	c := q.decoder(b)
	now, err := c.now(OpRowsOf, rows)
	if err != nil || !here(rows[0]) {
		return nil, err
	}
	j := c.row(rows[0], now, true)
	values, _ := b.mapping.CutRow(j.Key)
	return &model.Event{
		Change: model.Change{Key: model.KeyOf(values...), OldState: model.Ready, NewState: model.Failed, NewToken: j.Token, At: j.Ended.At},
		Kind:   model.EventDeadLettered, Action: action, Actor: j.Worker, Login: text.Clean(rows[0].Text("login")), Reason: j.Error,
	}, nil
}

// rowIntent is the operation that carries out an act on a destructive queue.
func (b *binding) rowIntent(i model.Intent) (Stmt, Args, error) {
	values, action := b.mapping.CutRow(i.Key)
	var op Op
	switch {
	case i.Action == model.DeadLetter && i.Oldest > 0:
		op = OpBuryOldest
	case i.Action == model.DeadLetter:
		op = OpBury
	case i.Action == model.Requeue && i.KeepTime:
		op = OpRequeueKept
	case i.Action == model.Requeue:
		op = OpRequeueRow
	default:
		return Stmt{}, nil, &model.Fault{
			Class: model.FaultReshaped, Op: i.Action.String(),
			Text: "a destructive queue has no leases: a row that was dequeued is locked or gone, and nothing can take it back",
		}
	}
	s, ok := b.stmts[op]
	if !ok {
		return Stmt{}, nil, &model.Fault{Class: model.FaultReshaped, Op: i.Action.String(), Text: b.why(op)}
	}
	a := Args{
		"n": model.IntValue(int64(i.Oldest)), "token": action, "action": model.GUIDValue(i.ActionID),
		"actor": model.TextValue(i.Actor), "reason": model.TextValue(i.Reason),
	}
	if op != OpBuryOldest {
		if len(values) != len(b.mapping.Keys) {
			return Stmt{}, nil, &model.Fault{Class: model.FaultTarget, Op: i.Action.String(), Text: "no row was named, or not by all its values"}
		}
		for n, v := range values {
			a[keyParam(n)] = v
		}
	}
	return s, a, nil
}

// rowChanges are the rows that an act took, as its statement captured them. They
// carry the act's id as their token: dead letters do, and what was requeued is
// told by nothing but this answer.
func (c decoder) rowChanges(i model.Intent, op Op, rows []Row) ([]model.Change, time.Time, error) {
	now, err := c.now(op, rows)
	if err != nil {
		return nil, now, err
	}
	from, to := model.Ready, model.Failed
	if i.Action == model.Requeue {
		from, to = to, from
	}
	var out []model.Change
	for _, r := range rows {
		if here(r) {
			out = append(out, model.Change{
				Key: model.KeyOf(c.values(r)...), OldState: from, NewState: to, At: now,
				OldToken: i.Seen.Token, NewToken: model.TokenOf(model.GUIDValue(i.ActionID)), Alike: r.Int("alike"),
			})
		}
	}
	return out, now, nil
}
