package actions_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/leasetop/leasetop/actions"
	"github.com/leasetop/leasetop/internal/drill"
	"github.com/leasetop/leasetop/internal/profile"
	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqlite"
	"github.com/leasetop/leasetop/internal/worker"
	"github.com/leasetop/leasetop/model"
)

// TestReceiptsAreTrueUnderRaces lets eight operators reclaim and force rows from
// live workers that claim, beat, complete, fail and die, and cuts some of the
// operators' replies before and some after the statement. Every receipt is then
// held against the history, which the act's own statement wrote.
func TestReceiptsAreTrueUnderRaces(t *testing.T) {
	const operators, workers = 8, 32
	q := leaseQueue(t)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()

	var ledger drill.Ledger
	jobs := worker.Load{Seed: 1}.Jobs(raceActions / 2)
	keys, err := q.Enqueue(ctx, jobs)
	if err != nil {
		t.Fatal(err)
	}
	faults := worker.Chances{Seed: 2, Poison: 0.05, Kill: 0.1, Stall: 0.05, Flaky: 0.1}.Of
	pool := worker.New(q, worker.FaultyHandler(worker.Simulate{Seed: 3, Mean: 30 * time.Millisecond, Spread: 0.5}.Handle, faults), worker.Options{
		Workers: workers, Lease: 150 * time.Millisecond, Idle: 5 * time.Millisecond, Grace: -1,
		Backoff: model.Backoff{Base: time.Millisecond, Max: 10 * time.Millisecond},
		Recover: worker.RecoverOptions{Grace: 80 * time.Millisecond},
		Events:  ledger.Note,
	})
	var crew sync.WaitGroup
	crew.Go(func() {
		if err := pool.Run(ctx); err != nil {
			t.Errorf("the pool: %v", err)
		}
	})

	cut := &cutting{Queue: q}
	desk := actions.New(map[string]actions.Target{"orders": {Store: cut, Control: true}}, memory{}, "ops")
	var (
		mu       sync.Mutex
		receipts []model.Receipt
		left     atomic.Int64
		ops      sync.WaitGroup
	)
	left.Store(raceActions)
	for id := range operators {
		ops.Go(func() {
			r := rand.New(rand.NewPCG(7, uint64(id)))
			for left.Add(-1) >= 0 {
				got, ok := act(ctx, t, desk, q, r)
				if !ok {
					left.Add(1)
					if ctx.Err() != nil {
						return
					}
					more, err := q.Enqueue(ctx, jobs[:1]) // keeps the workers busy to the end
					if err != nil {
						t.Error(err)
						return
					}
					mu.Lock()
					keys = append(keys, more...)
					mu.Unlock()
					continue
				}
				mu.Lock()
				receipts = append(receipts, got)
				mu.Unlock()
			}
		})
	}
	ops.Wait()
	stop()
	crew.Wait()
	tally := hold(t, q, receipts)
	settle(t, q, &ledger, keys)
	t.Logf("%d acts on %d jobs: %v; the workers were told: %d claims, %d completed, %d lost",
		len(receipts), len(keys), tally, ledger.Count(worker.EventClaimed), ledger.Count(worker.EventCompleted), ledger.Count(worker.EventLost))
	for _, o := range []model.Outcome{model.Applied, model.Changed} {
		if tally[o] == 0 {
			t.Errorf("no receipt said %s: the race was none", o)
		}
	}
}

// act plans and applies one act on a row that is being worked on.
func act(ctx context.Context, t *testing.T, desk *actions.Desk, q *store.Queue, r *rand.Rand) (model.Receipt, bool) {
	page, at, err := q.Page(ctx, model.ViewWorking)
	if r.IntN(5) == 0 {
		page, at, err = q.Page(ctx, model.ViewFailed)
	}
	if err != nil || len(page.Jobs) == 0 {
		return model.Receipt{}, false
	}
	job := page.Jobs[r.IntN(len(page.Jobs))]
	a := []model.Action{model.Force, model.Extend, model.DeadLetter, model.Reclaim, model.Grant}[r.IntN(5)]
	if job.State == model.Failed {
		a = model.Requeue
	}
	p, err := desk.Plan(ctx, "orders", actions.Ask{Action: a, Row: job, At: at, Reason: "race"})
	if err != nil {
		t.Errorf("plan: %v", err)
		return model.Receipt{}, false
	}
	if !p.Refusal.OK {
		return model.Receipt{}, false
	}
	return desk.Apply(ctx, p, ""), true
}

// settle takes back what the dead workers left, and holds the history against what
// the workers themselves recorded: every token that a claimer was given is closed
// exactly once, none is honoured after it was replaced, and no worker was told a lie.
func settle(t *testing.T, q *store.Queue, ledger *drill.Ledger, keys []model.Key) {
	t.Helper()
	page, at, err := q.Page(t.Context(), model.ViewWorking)
	if err != nil {
		t.Fatal(err)
	}
	desk := actions.New(map[string]actions.Target{"orders": {Store: q, Control: true}}, memory{}, "ops")
	for _, j := range page.Jobs { // some leases were extended: no recovery would come for minutes
		a := model.Force
		if j.Exhausted() {
			a = model.DeadLetter
		}
		p, err := desk.Plan(t.Context(), "orders", actions.Ask{Action: a, Row: j, At: at, Reason: "the race is over"})
		if err != nil {
			t.Fatal(err)
		}
		if r := desk.Apply(t.Context(), p, ""); r.Outcome != model.Applied {
			t.Errorf("job %s: %s %s", j.Key, r.Outcome, r.Message)
		}
	}
	facts, err := drill.Gather(t.Context(), q, keys)
	if err != nil {
		t.Fatal(err)
	}
	about := map[string]bool{"each claim ends once": true, "no replaced token is honoured": true, "workers were told the truth": true}
	for _, c := range drill.Check(ledger, facts).Checks {
		if !about[c.Name] {
			continue
		}
		delete(about, c.Name)
		if !c.OK {
			t.Errorf("%s: %s", c.Name, c.Text)
		}
		t.Logf("%s: %s", c.Name, c.Figure)
	}
	if len(about) > 0 {
		t.Errorf("not checked: %v", about)
	}
}

// hold compares every receipt with the table's own history.
func hold(t *testing.T, q *store.Queue, receipts []model.Receipt) map[model.Outcome]int {
	t.Helper()
	tally := map[model.Outcome]int{}
	for _, r := range receipts {
		tally[r.Outcome]++
		event, err := q.Audit(t.Context(), r.Intent.Key, r.Intent.ActionID)
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case r.Outcome == model.OutcomeUnknown:
			// Nothing was claimed; the reply was cut and the row is as it was.
		case (r.Outcome == model.Applied) != (event != nil):
			t.Errorf("untrue receipt for %s: %s %q, history %+v", r.Intent.Key, r.Outcome, r.Message, event)
		}
	}
	return tally
}

// cutting loses one reply in ten: half of them before the statement was sent to
// the engine, half after it was applied. The desk cannot tell which.
type cutting struct {
	*store.Queue
	n atomic.Int64
}

func (c *cutting) Apply(ctx context.Context, i model.Intent) ([]model.Change, time.Time, error) {
	n := c.n.Add(1)
	if n%20 == 0 {
		return nil, time.Time{}, &model.Fault{Class: model.FaultNetwork, Text: "cut before", Unsure: true}
	}
	changes, at, err := c.Queue.Apply(ctx, i)
	if n%20 == 10 && err == nil {
		return nil, time.Time{}, &model.Fault{Class: model.FaultNetwork, Text: "cut after", Unsure: true}
	}
	return changes, at, err
}

// memory is a journal that keeps nothing: what it must keep is tested elsewhere.
type memory struct{}

func (memory) Sent(model.Plan, time.Time) error { return nil }
func (memory) Done(model.Receipt) error         { return nil }
func (memory) Place() string                    { return "memory" }

func leaseQueue(t *testing.T) *store.Queue {
	t.Helper()
	db, err := sqlite.Open(sqlite.Options{Path: filepath.Join(t.TempDir(), "orders.db"), Create: true, Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	m, err := profile.For(profile.Lease, "orders", model.Table{Name: "Orders"})
	if err == nil {
		err = db.MakeSchema(t.Context(), &m)
	}
	if err != nil {
		t.Fatal(err)
	}
	return db.Queue(m)
}

// TestForceReachesAWorkerThatBeatsAndHangs is the case that force exists for: the
// lease moves at every beat, and the act must not be refused for that.
func TestForceReachesAWorkerThatBeatsAndHangs(t *testing.T) {
	q := leaseQueue(t)
	desk := actions.New(map[string]actions.Target{"orders": {Store: q, Control: true}}, memory{}, "ops")
	ctx := t.Context()
	for round := range 20 {
		keys, err := q.Enqueue(ctx, []model.NewJob{{Payload: "{}"}})
		if err != nil {
			t.Fatal(err)
		}
		claims, err := q.Claim(ctx, "6F9619FF-8B86-D011-B42D-00C04FC964FF", "pick-07", 1, time.Minute)
		if err != nil || len(claims) != 1 {
			t.Fatal(claims, err)
		}
		seen, at, err := q.Inspect(ctx, keys[0])
		if err != nil {
			t.Fatal(err)
		}
		if v := desk.Allowed("orders", model.Reclaim, seen, at); v.OK {
			t.Fatal("a plain reclaim of a live lease was allowed")
		}
		p, err := desk.Plan(ctx, "orders", actions.Ask{Action: model.Force, Row: seen, At: at, Reason: "it hangs"})
		if err != nil {
			t.Fatal(err)
		}
		if beat, err := q.Heartbeat(ctx, keys[0], claims[0].Token, time.Hour); err != nil || len(beat) != 1 {
			t.Fatal("the beat between look and key:", beat, err)
		}
		if r := desk.Apply(ctx, p, ""); r.Outcome != model.Applied {
			t.Fatalf("round %d: %s %s", round, r.Outcome, r.Message)
		}
		beat, err := q.Heartbeat(ctx, keys[0], claims[0].Token, time.Hour)
		var f *model.Fault
		if errors.As(err, &f) || len(beat) != 0 {
			t.Fatalf("the old token was honoured: %v %v", beat, err)
		}
		if again, err := q.Claim(ctx, "0F9619FF-8B86-D011-B42D-00C04FC964FF", "pick-08", 1, time.Minute); err != nil || len(again) != 1 || again[0].Attempts.N != 2 {
			t.Fatal("the next attempt:", again, err)
		} else if _, err := q.Complete(ctx, keys[0], again[0].Token); err != nil {
			t.Fatal(err)
		}
	}
}
