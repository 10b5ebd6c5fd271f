package storetest

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"pgregory.net/rapid"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/model"
)

func modelCases() []testCase {
	return []testCase{{name: "random steps", lease: true, run: modelCase, needs: []store.Op{
		store.OpClaim, store.OpHeartbeat, store.OpComplete, store.OpFail, store.OpRelease,
		store.OpRecover, store.OpPromote, store.OpReclaim, store.OpForce, store.OpInspect, store.OpPulse,
	}}}
}

// modelCase takes random steps on the table and on a list in memory, which must
// agree after each.
func modelCase(e *env) {
	if e.stand.Slack() > 0 {
		e.Skip("the server's clock runs by itself")
	}
	rapid.Check(e, func(t *rapid.T) {
		e.stand.Clear(e, e.m())
		w := &world{env: e, at: e.now()}
		t.Repeat(map[string]func(*rapid.T){
			"enqueue":   w.enqueue,
			"claim":     w.claimSome,
			"heartbeat": w.heartbeat,
			"complete":  w.complete,
			"fail":      w.failOne,
			"release":   w.release,
			"recover":   w.recoverSome,
			"promote":   w.promote,
			"reclaim":   w.reclaim,
			"wait":      w.wait,
			"":          w.check,
		})
	})
}

// job is a row as the model has it.
type job struct {
	key            model.Key
	state          model.State
	token          model.Token
	lease          time.Time // zero: NULL
	available      time.Time
	priority       int64
	attempts, most int64
	total          int64
	diagnostic     string
	stale          []model.Token // every token that it ever carried
	n              int           // the order of keys
}

// world is the model beside the table.
type world struct {
	*env
	at    time.Time // the server's clock, which only wait moves
	steps int
	jobs  []*job
}

// now is the server's time without asking for it.
func (w *world) now() time.Time { return w.at }

func (w *world) enqueue(t *rapid.T) {
	if len(w.jobs) == 6 {
		t.Skip("enough jobs to meet each other")
	}
	j := &job{
		state: model.Ready, priority: rapid.Int64Range(1, 3).Draw(t, "priority"),
		most: rapid.Int64Range(1, 3).Draw(t, "bound"), n: len(w.jobs), available: w.now(),
	}
	s := Seed{Priority: model.NumberOf(j.priority), MaxAttempts: model.NumberOf(j.most)}
	if d := rapid.SampledFrom([]time.Duration{0, 0, time.Second, time.Minute}).Draw(t, "delay"); d > 0 {
		j.state, s.State, s.Available = model.Scheduled, model.Scheduled, d
		j.available = j.available.Add(d)
	}
	j.key = w.seed(s)
	w.jobs = append(w.jobs, j)
}

// in lists the jobs of a state that meet a condition, in an order.
func (w *world) in(s model.State, also func(*job) bool, order func(a, b *job) int) []*job {
	var out []*job
	for _, j := range w.jobs {
		if j.state == s && also(j) {
			out = append(out, j)
		}
	}
	slices.SortFunc(out, func(a, b *job) int { return cmp.Or(order(a, b), cmp.Compare(a.n, b.n)) })
	return out
}

func (w *world) claimSome(t *rapid.T) {
	n := rapid.IntRange(1, 3).Draw(t, "n")
	want := w.in(model.Ready, func(j *job) bool { return j.attempts < j.most }, func(a, b *job) int {
		return cmp.Or(cmp.Compare(a.priority, b.priority), a.available.Compare(b.available))
	})
	want = want[:min(n, len(want))]
	got, now := w.claim(n), w.now()
	if len(got) != len(want) {
		t.Fatalf("claimed %d, want %d", len(got), len(want))
	}
	for i, j := range want {
		if got[i].Key != j.key {
			t.Fatalf("claimed %s in place %d, want %s", got[i].Key, i, j.key)
		}
		j.state, j.lease = model.Working, now.Add(aLease)
		j.attempts++
		j.total++
		j.carry(got[i].Token)
	}
}

func (j *job) carry(t model.Token) { j.token, j.stale = t, append(j.stale, t) }

// pick gives any job and one of the tokens that it ever had.
func (w *world) pick(t *rapid.T) (*job, model.Token) {
	if len(w.jobs) == 0 {
		t.Skip("no jobs")
	}
	j := rapid.SampledFrom(w.jobs).Draw(t, "job")
	if len(j.stale) == 0 {
		return j, w.token("0E5E70B5-0000-4000-8000-FFFFFFFFFFFF")
	}
	return j, rapid.SampledFrom(j.stale).Draw(t, "token")
}

// outcome holds that a step changed the row exactly when the token held it.
func (w *world) outcome(t *rapid.T, held bool, c []model.Change, err error) {
	if err != nil {
		t.Fatalf("step: %v", err)
	}
	if (len(c) == 1) != held || len(c) > 1 {
		t.Fatalf("changed %d rows; the token holds the job: %v", len(c), held)
	}
}

func (j *job) heldBy(t model.Token) bool { return j.state == model.Working && j.token == t }

func (w *world) heartbeat(t *rapid.T) {
	j, tok := w.pick(t)
	lease := rapid.SampledFrom([]time.Duration{time.Second, aLease, 2 * aLease}).Draw(t, "lease")
	held := j.heldBy(tok)
	c, err := w.q.Heartbeat(w.ctx, j.key, tok, lease)
	w.outcome(t, held, c, err)
	if until := w.now().Add(lease); held && until.After(j.lease) {
		j.lease = until
	}
}

func (w *world) complete(t *rapid.T) {
	j, tok := w.pick(t)
	held := j.heldBy(tok)
	c, err := w.q.Complete(w.ctx, j.key, tok)
	w.outcome(t, held, c, err)
	if held {
		j.state, j.lease = model.Done, time.Time{}
	}
}

func (w *world) failOne(t *rapid.T) {
	j, tok := w.pick(t)
	held, next := j.heldBy(tok), w.guid()
	c, err := w.q.Fail(w.ctx, j.key, tok, next, time.Second, "no")
	w.outcome(t, held, c, err)
	if held {
		j.back(w.now(), w.now().Add(time.Second), "no")
		j.carry(w.token(next))
	}
}

// back is where fail and recover send a job. The time from which a dead letter
// was last in the queue's order is the time of its end, by which they are listed.
func (j *job) back(now, due time.Time, diagnostic string) {
	j.lease, j.diagnostic = time.Time{}, diagnostic
	if j.attempts >= j.most {
		j.state, j.available = model.Failed, now
		return
	}
	j.state, j.available = model.Scheduled, due
}

func (w *world) release(t *rapid.T) {
	j, tok := w.pick(t)
	held, next := j.heldBy(tok), w.guid()
	c, err := w.q.Release(w.ctx, j.key, tok, next)
	w.outcome(t, held, c, err)
	if held {
		j.state, j.lease, j.available = model.Ready, time.Time{}, w.now()
		j.attempts--
		j.carry(w.token(next))
	}
}

func (w *world) recoverSome(t *rapid.T) {
	limit := rapid.IntRange(1, 3).Draw(t, "limit")
	grace := rapid.SampledFrom([]time.Duration{0, time.Second}).Draw(t, "grace")
	now, next := w.now(), w.guid()
	want := w.in(model.Working, func(j *job) bool { return j.lease.Before(now.Add(-grace)) },
		func(a, b *job) int { return a.lease.Compare(b.lease) })
	want = want[:min(limit, len(want))]
	c, err := w.q.Recover(w.ctx, next, limit, grace, back(), 100)
	if err != nil || len(c) != len(want) {
		t.Fatalf("recovered %d, want %d: %v", len(c), len(want), err)
	}
	for _, j := range want {
		j.back(now, now.Add(back().After(j.attempts)), silence)
		j.carry(w.token(next))
	}
}

func (w *world) promote(t *rapid.T) {
	now := w.now()
	want := w.in(model.Scheduled, func(j *job) bool { return !j.available.After(now) },
		func(a, b *job) int { return a.available.Compare(b.available) })
	want = want[:min(2, len(want))]
	c, err := w.q.Promote(w.ctx, 2)
	if err != nil || len(c) != len(want) {
		t.Fatalf("promoted %d, want %d: %v", len(c), len(want), err)
	}
	for _, j := range want {
		j.state = model.Ready
	}
}

func (w *world) reclaim(t *rapid.T) {
	j, tok := w.pick(t)
	a := rapid.SampledFrom([]model.Action{model.Reclaim, model.Force}).Draw(t, "act")
	holds := j.heldBy(tok) && (a == model.Force || j.lease.Before(w.now()))
	id, c, err := w.apply(a, j.key, tok)
	w.outcome(t, holds, c, err)
	if holds {
		j.state, j.lease, j.available = model.Ready, time.Time{}, w.now()
		j.carry(w.token(id))
	}
}

func (w *world) wait(t *rapid.T) {
	d := rapid.SampledFrom([]time.Duration{time.Millisecond, time.Second, aLease, 3 * aLease}).Draw(t, "wait")
	w.advance(d)
	w.at = w.at.Add(d)
}

// check compares every row with the model's, and the figures with theirs, after
// every eighth step: more often would only be slower.
func (w *world) check(t *rapid.T) {
	if w.steps++; w.steps%8 != 0 {
		return
	}
	count := map[model.State]int{}
	for _, j := range w.jobs {
		count[j.state]++
		row := w.row(j.key)
		got := fmt.Sprint(row.State, row.Token, row.Lease.At, row.Available.At, row.Attempts.N, row.TotalClaims.N, row.Error)
		want := fmt.Sprint(j.state, j.token, j.lease, j.available, j.attempts, j.total, j.diagnostic)
		if got != want {
			t.Fatalf("job %s is\n%s, want\n%s", j.key, got, want)
		}
	}
	p := w.pulse(time.Time{})
	got := []int64{p.Scheduled.N, p.Ready.N, p.Working.N, p.Failed.N}
	want := []int64{int64(count[model.Scheduled]), int64(count[model.Ready]), int64(count[model.Working]), int64(count[model.Failed])}
	if !slices.Equal(got, want) {
		t.Fatalf("scheduled, ready, working, failed are %v, want %v", got, want)
	}
}
