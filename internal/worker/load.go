package worker

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"github.com/leasetop/leasetop/model"
)

// tick is how often a load enqueues what has arrived meanwhile, in one statement;
// glance is how often it looks whether too much is ready.
const (
	tick   = 200 * time.Millisecond
	glance = 5 * time.Second
)

// Load makes jobs as a shop's order flow would: at random moments about a mean
// rate, now and then in a burst. The same seed makes the same jobs.
type Load struct {
	Seed    uint64
	Rate    float64       // jobs a second, bursts not counted
	Burst   int           // jobs of one burst; 0: no bursts
	Every   time.Duration // mean time between bursts
	Later   float64       // share of jobs that are due only after up to Delay
	Delay   time.Duration
	Bound   model.Number // attempts a job; not Known: the table's default
	MaxOpen int64        // no arrivals from one look to the next while so many are ready; 0: no limit
	Total   int          // stop after so many; 0: go on until the context ends
	Events  func(Event)  // told of troubles; must not block
}

// Jobs makes n jobs, all due at once.
func (l Load) Jobs(n int) []model.NewJob { return l.Source()(n) }

// Source makes the jobs of Jobs, the next n with each call, so that not all of them need
// to be in memory.
func (l Load) Source() func(n int) []model.NewJob {
	l.Later = 0
	r := dice(l.Seed, "jobs")
	return func(n int) []model.NewJob { return l.batch(r, n) }
}

// Run enqueues until ctx ends or Total is reached. A call that fails is told and
// its jobs come later; Run returns early only when the server refuses the login
// or the target itself is wrong.
func (l Load) Run(ctx context.Context, q Queue) error {
	r := dice(l.Seed, "load")
	t := time.NewTicker(tick)
	defer t.Stop()
	due, made := 0, 0
	var looked time.Time
	var full bool
	for l.Total == 0 || made < l.Total {
		select {
		case <-ctx.Done():
			return nil
		case <-t.C:
		}
		due += l.arrivals(r)
		if l.Total > 0 {
			due = min(due, l.Total-made)
		}
		if l.MaxOpen > 0 && time.Since(looked) >= glance {
			looked, full = time.Now(), l.full(ctx, q)
		}
		if due == 0 || full {
			due = 0
			continue
		}
		_, err := q.Enqueue(ctx, l.batch(r, due))
		switch {
		case fatal(err):
			return err
		case err != nil && ctx.Err() == nil:
			emit(l.Events, Event{Kind: EventTrouble, Step: StepEnqueue, Err: err, N: due})
			due = min(due, 10*int(math.Ceil(l.Rate))) // a long outage does not end in a flood
		default:
			made, due = made+due, 0
		}
	}
	return nil
}

// arrivals is how many jobs arrived within one tick.
func (l Load) arrivals(r *rand.Rand) int {
	n := poisson(r, l.Rate*tick.Seconds())
	if l.Burst > 0 && l.Every > 0 && r.Float64() < tick.Seconds()/l.Every.Seconds() {
		n += l.Burst
	}
	return n
}

// full reports whether so many jobs are ready that more would only pile up.
func (l Load) full(ctx context.Context, q Queue) bool {
	p, _, err := q.Pulse(ctx, model.PulseAsk{})
	return err == nil && p.Ready.Known() && p.Ready.N >= l.MaxOpen
}

func (l Load) batch(r *rand.Rand, n int) []model.NewJob {
	jobs := make([]model.NewJob, n)
	for i := range jobs {
		jobs[i] = model.NewJob{Payload: payload(r), Priority: priority(r), MaxAttempts: l.Bound}
		if r.Float64() < l.Later && l.Delay > 0 {
			jobs[i].Delay = time.Second + time.Duration(r.Int64N(int64(l.Delay)))
		}
	}
	return jobs
}

// priority leaves the table's default to most jobs; the smaller is claimed first.
func priority(r *rand.Rand) model.Number {
	switch x := r.Float64(); {
	case x < 0.08:
		return model.NumberOf(50) // express
	case x < 0.2:
		return model.NumberOf(150) // bulk
	}
	return model.Number{}
}

// payload is a small order to pick, as a queue would carry it: ids, no documents.
func payload(r *rand.Rand) string {
	areas := [...]string{"north", "south", "cold", "bulky"}
	return fmt.Sprintf(`{"order":"SO-%06d","customer":"C-%05d","sku":"%c%c-%03d","qty":%d,"area":%q}`,
		100000+r.IntN(900000), r.IntN(40000), 'A'+r.IntN(26), 'A'+r.IntN(26), r.IntN(1000), 1+r.IntN(12), areas[r.IntN(len(areas))])
}

// poisson draws how many of many independent things happened (Knuth's method, for
// the small means of one tick; a normal curve beyond).
func poisson(r *rand.Rand, mean float64) int {
	if mean > 30 {
		return max(0, int(math.Round(mean+math.Sqrt(mean)*r.NormFloat64())))
	}
	n, p, limit := -1, 1.0, math.Exp(-mean)
	for p > limit || n < 0 {
		n++
		p *= r.Float64()
	}
	return n
}
