package worker

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/leasetop/leasetop/model"
)

// TrainingLease is the lease of the training queue: short, so that a room sees one
// run out.
const TrainingLease = 6 * time.Second

// The size of the training queue: eight workers that do three jobs at once each,
// of eleven seconds, can end two jobs a second; somewhat fewer arrive. A job stays
// long enough to be chosen and read.
const (
	trainingNames = 8
	trainingEach  = 3
	trainingWork  = 11 * time.Second
	trainingRate  = 1.4
	trainingOpen  = 60 // ready jobs at which arrivals pause
)

// Training is the load, the workers and the faults of the training queue. Within
// half a minute it shows a lease that ran out, a retry and a dead letter, and then
// goes on for hours without growing beyond its workers.
type Training struct {
	Seed   uint64
	Events func(Event) // called from many goroutines at once; must not block
	// Mischief does tricks to it while it plays; nil: only its own faults befall it.
	Mischief *Mischief
}

// Run plays until ctx ends and stops its workers at once.
func (t Training) Run(ctx context.Context, q Queue) error {
	load := t.load()
	early, err := t.open(ctx, q, load)
	if err != nil {
		return unlessOver(ctx, err)
	}
	var faults Faults = func(c model.Claim) Fault {
		if f, ok := early[c.Key]; ok {
			return f.at(c)
		}
		return t.chances().Of(c)
	}
	m := t.Mischief
	if m == nil {
		m = &Mischief{}
	}
	m.take(q, load)
	faults = m.faults(faults)
	work := Simulate{Seed: t.Seed, Mean: trainingWork, Spread: 0.45}
	pool := New(&tricked{Faulty(q, faults), m}, m.handler(FaultyHandler(work.Handle, faults)), t.options())

	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var both sync.WaitGroup
	var first error
	var once sync.Once
	for _, run := range []func(context.Context) error{pool.Run, func(ctx context.Context) error { return load.Run(ctx, q) }} {
		both.Go(func() {
			if err := run(ctx); err != nil {
				once.Do(func() { first = err })
				stop(err)
			}
		})
	}
	both.Wait()
	return first
}

// unlessOver is an error of a training's first call; that it was told to stop is none.
func unlessOver(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}

func (t Training) options() Options {
	names := make([]string, trainingNames)
	for i := range names {
		names[i] = fmt.Sprintf("pick-%02d", i+1)
	}
	backoff := model.Backoff{Base: time.Second, Max: 20 * time.Second}
	return Options{
		Workers: trainingNames * trainingEach, Names: names, Lease: TrainingLease, Backoff: backoff,
		Grace: -1, Stop: 100 * time.Millisecond, Events: t.Events,
		// An expired lease stays for a moment, so that it is seen and can be reclaimed by hand.
		Recover: RecoverOptions{Grace: 2500 * time.Millisecond},
	}
}

func (t Training) load() Load {
	return Load{
		Seed: t.Seed, Rate: trainingRate, Burst: 12, Every: 45 * time.Second, Later: 0.06, Delay: 40 * time.Second,
		Bound: model.NumberOf(3), MaxOpen: trainingOpen, Events: t.Events,
	}
}

// chances are the standing faults: at two claims a second a worker dies every
// half minute or so and a job goes to the dead letters every minute or two.
func (t Training) chances() Chances {
	return Chances{Seed: t.Seed, Poison: 0.003, Killer: 0.001, Kill: 0.015, Stall: 0.004, Flaky: 0.03, LoseReply: 0.01, LoseBeat: 0.02}
}

// opening is what is wrong with one of the first jobs, from its first attempt on.
type opening struct {
	fault Fault
	until int64 // last attempt that has the fault; 0: every one
}

func (o opening) at(c model.Claim) Fault {
	if o.until > 0 && c.Attempts.N > o.until {
		return NoFault
	}
	return o.fault
}

// open fills the queue as if it had been running for a while, with the faults that
// the first half minute shows.
func (t Training) open(ctx context.Context, q Queue, load Load) (map[model.Key]opening, error) {
	jobs := load.Jobs(trainingNames*trainingEach + 10)
	// Claimed first, whatever the others' priorities are.
	script := []opening{{Kill, 1}, {Poison, 0}, {Flaky, 1}, {Kill, 1}}
	for i := range script {
		jobs[i].Priority = model.NumberOf(10)
	}
	jobs[1].MaxAttempts = model.NumberOf(2)
	for i := range 4 {
		jobs[len(jobs)-1-i].Delay = time.Duration(5+7*i) * time.Second
	}
	keys, err := q.Enqueue(ctx, jobs)
	if err != nil {
		return nil, err
	}
	early := make(map[model.Key]opening, len(script))
	for i, o := range script {
		if i < len(keys) {
			early[keys[i]] = o
		}
	}
	return early, nil
}
