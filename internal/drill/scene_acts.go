package drill

import (
	"context"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/leasetop/leasetop/internal/worker"
	"github.com/leasetop/leasetop/model"
)

// acts lets operators act on what they saw a moment ago.
func acts(ctx context.Context, r *round) error {
	err := r.on(ctx, Order{Name: "seen"}, func(ctx context.Context, p place) error {
		s := newScript(ctx, r, p)
		seenThenActed(s, r.of(actsSeen))
		return s.err
	})
	if err != nil {
		return err
	}
	return r.on(ctx, Order{Name: "acts", Processes: 4}, func(ctx context.Context, p place) error { return raced(ctx, r, p) })
}

// seenThenActed: an operator lists leases that ran out; before he presses, one
// worker beats, one completes, one job goes to somebody else, one does nothing.
func seenThenActed(s *script, t *tally) {
	s.enqueue(4, model.NewJob{})
	var seen []model.Claim
	for range 4 {
		seen = append(seen, s.claim("worker-a"))
	}
	s.over()
	if s.err != nil {
		return
	}
	s.beat(seen[0])
	s.complete(seen[1])
	s.release(seen[2])
	other := s.claim("worker-b")
	for i, what := range []string{"whose lease was renewed meanwhile", "which was done meanwhile", "which another worker holds meanwhile"} {
		if s.act(model.Reclaim, seen[i]) {
			t.fault("a reclaim took a job %s", what)
		}
	}
	if !s.act(model.Reclaim, seen[3]) {
		t.fault("a reclaim of a lease that is over was refused")
	}
	for i, c := range []model.Claim{seen[0], other} {
		if !s.beat(c) {
			t.fault("worker %d of 2 lost its job to an act about an earlier claim", i+1)
		}
	}
	t.say(actsSeen, "a renewed, a done and a reassigned job matched nothing; the expired one was taken")
}

// actsEach is how many claims an operator of the race acts on, one in so many.
const actsEach = 3

// raced: operators act at random on what they see while workers, some of whom
// vanish, go on.
func raced(ctx context.Context, r *round, p place) error {
	jobs := max(r.o.Jobs/10, 30)
	load := worker.Load{Seed: r.o.Seed + 1, Bound: model.NumberOf(4)}.Jobs(jobs)
	keys, err := enqueued(ctx, p.Queue(0), jobs, func(i int) model.NewJob { return load[i] })
	if err != nil {
		return err
	}
	c := &crew{r: r, place: p}
	faults := worker.Chances{Seed: r.o.Seed, Kill: 0.08, LoseReply: 0.03}.Of
	work := worker.Simulate{Seed: r.o.Seed, Mean: r.o.Lease / 40, Spread: 0.5}
	c.hire(worker.Faulty(p.Queue(0), faults), worker.FaultyHandler(work.Handle, faults), worker.Options{
		Workers: min(r.o.Claimers, process), Recover: worker.RecoverOptions{Grace: r.o.Lease / 4},
	})
	ops := &operators{done: map[string]bool{}}
	if err := c.work(ctx, func(ctx context.Context) error {
		acting, stop := context.WithCancel(ctx)
		var all sync.WaitGroup
		for i := range 3 {
			dice := rand.New(rand.NewPCG(r.o.Seed, uint64(i))) //nolint:gosec // makes a drill repeatable, guards nothing
			all.Go(func() { ops.work(acting, p.Queue(i+1), dice, r.o.Lease/100) })
		}
		err := c.untilEnded(len(keys))(ctx)
		stop()
		all.Wait()
		return err
	}); err != nil {
		return err
	}
	facts, err := Gather(ctx, p.Queue(0), keys)
	if err != nil {
		return err
	}
	t := r.of(actsRaced)
	report := Check(&c.ledger, facts)
	for _, check := range report.Checks {
		if !check.OK {
			t.fault("%s: %s", check.Name, check.Text)
			t.more += check.Faults - 1
		}
	}
	ops.compare(facts, t)
	t.say(actsRaced, "%d jobs, %d acts applied, %d matched nothing; %s", jobs, ops.count(true), ops.count(false), report.Figures)
	return nil
}

// operators act on what they saw and keep what they were told.
type operators struct {
	mu   sync.Mutex
	done map[string]bool // by action id: whether a row was captured
	errs []error
}

func (o *operators) work(ctx context.Context, q Queue, dice *rand.Rand, read time.Duration) {
	for wait(ctx, read) {
		page, now, err := q.Page(ctx, model.ViewWorking)
		if err != nil || !wait(ctx, read) { // what is shown is read before a key is pressed
			continue
		}
		for _, j := range page.Jobs {
			if dice.IntN(actsEach) == 0 && ctx.Err() == nil {
				o.act(ctx, q, choose(dice, j, now), j)
			}
		}
	}
}

// choose is the act that an operator picks for a job as he sees it. At the bound a
// reclaimed job would lie ready for ever: it is given up instead.
func choose(dice *rand.Rand, j *model.Job, now time.Time) model.Action {
	last := j.Exhausted()
	switch n := dice.IntN(10); {
	case n == 0 || last && j.Expired(now):
		return model.DeadLetter
	case n < 4 || last:
		return model.Extend
	case n < 5:
		return model.Force
	}
	return model.Reclaim
}

func (o *operators) act(ctx context.Context, q Queue, a model.Action, j *model.Job) {
	id := newToken()
	changes, _, err := q.Apply(context.WithoutCancel(ctx), model.Intent{
		Action: a, Key: j.Key, ActionID: id, Actor: "operator", Reason: "a drill", By: time.Second,
		Seen: model.Seen{State: j.State, Token: j.Token, Lease: j.Lease, Attempts: j.Attempts},
	})
	o.mu.Lock()
	defer o.mu.Unlock()
	if err != nil {
		o.errs = append(o.errs, err)
		return
	}
	o.done[id] = len(changes) > 0
}

func (o *operators) count(applied bool) int {
	o.mu.Lock()
	defer o.mu.Unlock()
	n := 0
	for _, was := range o.done {
		if was == applied {
			n++
		}
	}
	return n
}

// compare holds what the operators were told against the history.
func (o *operators) compare(f Facts, t *tally) {
	o.mu.Lock()
	defer o.mu.Unlock()
	found := map[string]bool{}
	for _, events := range f.History {
		for _, e := range events {
			if e.Action != "" {
				found[e.Action] = true
			}
		}
	}
	for id, applied := range o.done {
		if applied != found[id] {
			t.fault("act %s: the operator was told %t, the history says %t", id, applied, found[id])
		}
	}
	for _, err := range o.errs {
		t.fault("an act could not be sent: %v", err)
	}
}
