package storetest

import (
	"math/rand/v2"
	"time"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/model"
)

func pulseCases() []testCase {
	needs := []store.Op{store.OpPulse}
	return []testCase{
		{name: "empty", needs: needs, run: pulseEmpty},
		{name: "beside a count by hand", needs: needs, run: pulseCounts},
		{name: "oldest of each priority", needs: needs, lease: true, run: pulseOldest},
		{name: "worst overdue", needs: needs, run: pulseWorst},
		{name: "completions", needs: append(needs, store.OpComplete), lease: true, run: pulseCompletions},
		{name: "arrivals", needs: append(needs, store.OpEnqueue), lease: true, run: pulseArrivals},
	}
}

func (e *env) pulse(since time.Time) model.Pulse {
	e.Helper()
	p, at, err := e.q.Pulse(e.ctx, model.PulseAsk{Since: since})
	if err != nil {
		e.Fatalf("pulse: %v", err)
	}
	if at.IsZero() {
		e.Fatal("the pulse has no server time")
	}
	return p
}

// counted is a count as this table's reader gives it.
func (e *env) counted(n int) model.Count {
	if e.caps.LowCounts {
		return model.Count{N: int64(n), Trust: model.AtLeast}
	}
	return model.Count{N: int64(n), Trust: model.Exact}
}

func pulseEmpty(e *env) {
	p := e.pulse(time.Time{})
	is(e, "ready", p.Ready, e.counted(0))
	is(e, "working", p.Working, e.counted(0))
	is(e, "expired", p.Expired, e.counted(0))
	is(e, "failed", p.Failed, e.counted(0))
	is(e, "oldest", p.Oldest, nil)
	is(e, "worst overdue", p.WorstOverdue.Known(), false)
	is(e, "worst key", p.WorstKey, model.Key{})
}

// tally counts what a case seeds.
type tally struct{ scheduled, ready, working, expired, corrupt, done, failed int }

func (e *env) seedRandom(n int) tally {
	var c tally
	r := rand.New(rand.NewPCG(7, 7)) //nolint:gosec // the same rows in every run
	for range n {
		s := Seed{Token: e.guid(), Priority: model.NumberOf(int64(r.IntN(4)))}
		switch r.IntN(7) {
		case 0:
			s.State, s.Available = model.Scheduled, time.Hour
			if !e.leaseTable() {
				continue
			}
			c.scheduled++
		case 1, 2:
			c.ready++
		case 3:
			s.State, s.Lease = model.Working, new(time.Hour)
			c.working++
		case 4:
			s.State, s.Lease = model.Working, new(-time.Hour)
			c.working++
			c.expired++
			if r.IntN(2) == 0 {
				s.Token = ""
				c.corrupt++
			}
		case 5:
			s.State = model.Done
			c.done++
		case 6:
			s.State = model.Failed
			c.failed++
		}
		e.seed(s)
	}
	e.seed(Seed{State: model.Working, Token: e.guid()})
	c.working++
	c.corrupt++
	return c
}

func pulseCounts(e *env) {
	c := e.seedRandom(150)
	p := e.pulse(time.Time{})
	if e.leaseTable() {
		is(e, "scheduled", p.Scheduled, e.counted(c.scheduled))
	} else {
		is(e, "scheduled of a table without", p.Scheduled, model.Count{})
	}
	is(e, "ready", p.Ready, e.counted(c.ready))
	is(e, "working", p.Working, e.counted(c.working))
	is(e, "expired", p.Expired, e.counted(c.expired))
	is(e, "corrupt", p.Corrupt, e.counted(c.corrupt))
	is(e, "failed", p.Failed, e.counted(c.failed))
	if p.Done.Known() {
		is(e, "done", p.Done, model.Count{N: int64(c.done), Trust: model.Estimated})
	}
}

func pulseOldest(e *env) {
	if e.pulse(time.Time{}).Oldest != nil {
		e.Error("an oldest job in an empty table")
	}
	waits := map[int64]time.Duration{1: time.Minute, 5: 3 * time.Hour, 9: time.Second}
	want := map[int64]model.Key{}
	for p, wait := range waits {
		e.seed(Seed{Priority: model.NumberOf(p), Available: -wait / 2})
		want[p] = e.seed(Seed{Priority: model.NumberOf(p), Available: -wait})
		e.seed(Seed{Priority: model.NumberOf(p), Available: -wait / 3})
	}
	e.seed(Seed{State: model.Done, Priority: model.NumberOf(1), Available: -time.Hour})
	p := e.pulse(time.Time{})
	is(e, "priorities", len(p.ByPriority), len(waits))
	for _, o := range p.ByPriority {
		is(e, "oldest", o.Key, want[o.Priority.N])
		if d := o.Waiting.D - waits[o.Priority.N]; d < 0 || d > e.stand.Slack() {
			e.Errorf("priority %d waits %s, want %s", o.Priority.N, o.Waiting.D, waits[o.Priority.N])
		}
	}
	if p.Oldest == nil || p.Oldest.Key != want[5] {
		e.Errorf("oldest of all = %v, want %s", p.Oldest, want[5])
	}
	for n := range int64(20) {
		e.seed(Seed{Priority: model.NumberOf(100 + n)})
	}
	is(e, "priorities at the most", len(e.pulse(time.Time{}).ByPriority), 8)
}

func pulseWorst(e *env) {
	e.held(-time.Minute)
	worst, _ := e.held(-time.Hour)
	e.held(time.Minute)
	p := e.pulse(time.Time{})
	is(e, "worst key", p.WorstKey, worst)
	if d := p.WorstOverdue.D - time.Hour; d < 0 || d > e.stand.Slack() {
		e.Errorf("worst overdue = %s, want an hour", p.WorstOverdue.D)
	}
}

func pulseCompletions(e *env) {
	finish := func() {
		k, tok := e.held(time.Minute)
		e.one(e.q.Complete(e.ctx, k, tok))
	}
	finish()
	e.advance(30 * time.Second)
	finish()
	is(e, "of the last minute", e.pulse(time.Time{}).Completed, model.Flow{Count: model.Count{N: 2, Trust: model.Exact}, Over: time.Minute})
	e.advance(31 * time.Second)
	is(e, "of the last minute, later", e.pulse(time.Time{}).Completed.N, int64(1))
	at := e.now()
	e.advance(time.Second)
	finish()
	e.advance(time.Second)
	c := e.pulse(at).Completed
	if e.stand.Slack() == 0 {
		is(e, "span", c.Over, 2*time.Second)
		is(e, "since the last pulse", c.N, int64(1))
	}
}

func pulseArrivals(e *env) {
	if _, err := e.q.Enqueue(e.ctx, []model.NewJob{{Payload: "a"}, {Payload: "b"}}); err != nil {
		e.Fatalf("enqueue: %v", err)
	}
	before := e.pulse(time.Time{}).Enqueued
	is(e, "known", before.Known(), true)
	if _, err := e.q.Enqueue(e.ctx, []model.NewJob{{Payload: "c"}, {Payload: "d"}, {Payload: "e"}}); err != nil {
		e.Fatalf("enqueue: %v", err)
	}
	after := e.pulse(time.Time{}).Enqueued
	is(e, "arrivals", after.N-before.N, int64(3))
	is(e, "epoch", after.Epoch, before.Epoch)
}
