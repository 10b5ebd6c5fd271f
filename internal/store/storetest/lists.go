package storetest

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/model"
)

func listCases() []testCase {
	return []testCase{
		{name: "repeaters", needs: []store.Op{store.OpRepeaters}, lease: true, run: repeatersCase},
		{name: "workers", needs: []store.Op{store.OpWorkers, store.OpComplete, store.OpFail}, lease: true, run: workersCase},
		{name: "the newest events", needs: []store.Op{store.OpEvents, store.OpWorkerEvents, store.OpComplete}, lease: true, run: eventsCase},
		{name: "latency", needs: []store.Op{store.OpLatency, store.OpComplete}, lease: true, run: latencyCase},
		{name: "look-ups", needs: []store.Op{store.OpFindOperation, store.OpFindWorker, store.OpComplete, store.OpEnqueue}, lease: true, run: findCase},
	}
}

func repeatersCase(e *env) {
	is(e, "repeaters of an empty table", len(e.page(model.ViewRepeaters).Jobs), 0)
	again := func(s model.State, attempts, claims int64) model.Key {
		return e.seed(Seed{State: s, Token: e.guid(), Lease: new(time.Hour), Attempts: attempts, TotalClaims: claims})
	}
	again(model.Working, 1, 1)                 // its first attempt
	again(model.Ready, 0, 0)                   // never claimed
	again(model.Done, 4, 4)                    // over
	again(model.Failed, 5, 5)                  // over
	twice := again(model.Working, 2, 2)        // in its second attempt
	failedOnce := again(model.Scheduled, 1, 1) // waits for its second
	released := again(model.Ready, 0, 3)       // claimed thrice, never ended
	crashing := again(model.Ready, 4, 9)
	p := e.page(model.ViewRepeaters)
	if want := []model.Key{crashing, released, twice, failedOnce}; !slices.Equal(keysOf(p.Jobs), want) {
		e.Errorf("repeaters %v, want %v: the most claimed first", keysOf(p.Jobs), want)
	}
	is(e, "more", p.More, false)
	is(e, "view", p.View, model.ViewRepeaters)
}

// holding seeds a job in work that a worker holds.
func (e *env) holding(worker string, lease time.Duration) (model.Key, model.Token) {
	e.Helper()
	g := e.guid()
	k := e.seed(Seed{State: model.Working, Token: g, Lease: new(lease), Attempts: 1, TotalClaims: 1, Worker: worker})
	return k, e.token(g)
}

func workersCase(e *env) {
	is(e, "workers of an empty table", len(e.page(model.ViewWorkers).Workers), 0)
	old, oldToken := e.holding("gone", time.Minute)
	e.one(e.q.Complete(e.ctx, old, oldToken))
	const young = 3 * time.Minute
	e.advance(young)
	for _, w := range e.page(model.ViewWorkers).Workers {
		if (w.Over - young).Abs() > e.stand.Slack() {
			e.Errorf("%s: over %s, and the history began %s ago", w.Worker, w.Over, young)
		}
	}
	e.advance(store.WorkersOver - young + time.Minute)
	for range 3 {
		k, tok := e.holding("busy", time.Minute)
		e.one(e.q.Complete(e.ctx, k, tok))
	}
	k, tok := e.holding("busy", time.Minute)
	e.one(e.q.Fail(e.ctx, k, tok, e.guid(), time.Second, "no"))
	e.holding("busy", time.Hour)
	e.holding("busy", time.Hour)
	e.holding("late", -time.Minute)
	e.holding("", time.Hour)

	p := e.page(model.ViewWorkers)
	type line struct {
		worker                        string
		leases, expired, done, failed int64
	}
	var got []line
	for _, w := range p.Workers {
		got = append(got, line{w.Worker, w.Leases.N, w.Expired.N, w.Done.N, w.Failed.N})
		is(e, "trust", w.Leases.Trust, e.counted(0).Trust)
		if d := (w.Over - store.WorkersOver).Abs(); d > e.stand.Slack() {
			e.Errorf("%s: over %s, want %s", w.Worker, w.Over, store.WorkersOver)
		}
	}
	want := []line{{"late", 1, 1, 0, 0}, {"busy", 2, 0, 3, 1}, {"", 1, 0, 0, 0}}
	if !slices.Equal(got, want) {
		e.Errorf("workers %v, want %v: those with expired leases first, and none that was long gone", got, want)
	}
	if len(p.Workers) == 3 {
		e.around("the last sign of busy", p.Workers[1].Beat, e.now())
	}
}

func eventsCase(e *env) {
	evs, at, err := e.q.Events(e.ctx, model.Number{}, 10)
	if err != nil || len(evs) != 0 || at.IsZero() {
		e.Fatalf("events of an empty table: %v at %s, %v", evs, at, err)
	}
	var keys []model.Key
	for i := range 5 {
		k, tok := e.holding(fmt.Sprintf("pick-%02d", i%2), time.Minute)
		e.one(e.q.Complete(e.ctx, k, tok))
		keys = append([]model.Key{k}, keys...)
	}
	p := e.page(model.ViewHistory)
	got := func(evs []model.Event) (out []model.Key) {
		for _, ev := range evs {
			out = append(out, ev.Key)
		}
		return out
	}
	if !slices.Equal(got(p.Events), keys) {
		e.Fatalf("events of %v, want %v: the newest first", got(p.Events), keys)
	}
	is(e, "kind", p.Events[0].Kind, model.EventCompleted)
	is(e, "worker", p.Events[0].Worker, "pick-00")
	is(e, "more", p.More, false)
	is(e, "has a number", p.Events[1].Seq.Known, true)
	evs, _, err = e.q.Events(e.ctx, p.Events[1].Seq, 2)
	if err != nil || !slices.Equal(got(evs), keys[2:4]) {
		e.Errorf("two events before the second: %v, %v, want %v", got(evs), err, keys[2:4])
	}
	evs, _, err = e.q.WorkerEvents(e.ctx, "pick-01", 10)
	if err != nil || !slices.Equal(got(evs), []model.Key{keys[1], keys[3]}) {
		e.Errorf("events of one worker: %v, %v", got(evs), err)
	}
}

func latencyCase(e *env) {
	l, _, err := e.q.Latency(e.ctx)
	if err != nil || l.N != (model.Count{N: 0, Trust: model.Exact}) {
		e.Fatalf("latency of an empty table: %+v, %v", l, err)
	}
	finish := func(took time.Duration) {
		g := e.guid()
		k := e.seed(Seed{State: model.Working, Token: g, Lease: new(time.Hour), Attempts: 1, TotalClaims: 1, Claimed: took})
		e.one(e.q.Complete(e.ctx, k, e.token(g)))
	}
	finish(time.Hour)
	const young = 3 * time.Minute
	e.advance(young)
	if l, _, err = e.q.Latency(e.ctx); err != nil || l.N.N != 1 || (l.Over-young).Abs() > e.stand.Slack() {
		e.Errorf("a history that began %s ago: %+v, %v", young, l, err)
	}
	e.advance(store.LatencyOver - young + time.Second)
	for i := range 20 {
		finish(time.Duration(i+1) * time.Minute)
	}
	if l, _, err = e.q.Latency(e.ctx); err != nil {
		e.Fatal(err)
	}
	is(e, "completions", l.N, model.Count{N: 20, Trust: model.Exact})
	for name, d := range map[string]time.Duration{
		"median": l.P50 - 10*time.Minute, "p95": l.P95 - 19*time.Minute, "p99": l.P99 - 20*time.Minute, "over": l.Over - store.LatencyOver,
	} {
		if d < 0 || d > e.stand.Slack() {
			e.Errorf("%s is off by %s", name, d)
		}
	}
}

func findCase(e *env) {
	mine, tok := e.holding("pick-07", time.Minute)
	over, overToken := e.holding("pick-07", time.Minute)
	e.holding("pick-08", time.Minute)
	e.one(e.q.Complete(e.ctx, over, overToken))
	found, _, err := e.q.FindWorker(e.ctx, "pick-07")
	if err != nil || !found.Whole || len(found.Jobs) != 1 || found.Jobs[0].Key != mine || found.Jobs[0].Token != tok {
		e.Errorf("what a worker holds: %+v, %v, want %s", found, err, mine)
	}
	found, _, err = e.q.FindOperation(e.ctx, e.row(over).Operation)
	if err != nil || len(found.Jobs) != 1 || found.Jobs[0].State != model.Done {
		e.Errorf("a done job by its operation: %+v, %v", found, err)
	}
	id := e.guid()
	keys, err := e.q.Enqueue(e.ctx, []model.NewJob{{Payload: "{}", Operation: id}, {Payload: "{}"}})
	if err != nil {
		e.Fatal(err)
	}
	found, _, err = e.q.FindOperation(e.ctx, strings.ToLower(id))
	if err != nil || !found.Whole || len(found.Jobs) != 1 || found.Jobs[0].Key != keys[0] {
		e.Errorf("the job of an operation: %+v, %v, want %s", found, err, keys[0])
	}
	if found, _, err = e.q.FindOperation(e.ctx, e.guid()); err != nil || len(found.Jobs) != 0 || !found.Whole {
		e.Errorf("the job of an unknown operation: %+v, %v", found, err)
	}
}
