package drill

import (
	"context"

	"github.com/leasetop/leasetop/internal/worker"
	"github.com/leasetop/leasetop/model"
)

// process is how many workers share one process, and so its connections.
const process = 16

// underLoad lets many workers end many jobs while much goes wrong: jobs that
// always fail or fail once, workers that vanish or stall, replies that get lost.
func underLoad(ctx context.Context, r *round) error {
	return r.on(ctx, Order{Name: "load", Processes: (r.o.Claimers + process - 1) / process}, func(ctx context.Context, p place) error {
		load := worker.Load{Seed: r.o.Seed, Bound: model.NumberOf(3)}.Jobs(r.o.Jobs)
		keys, err := enqueued(ctx, p.Queue(0), len(load), func(i int) model.NewJob { return load[i] })
		if err != nil {
			return err
		}
		c := &crew{r: r, place: p}
		faults := loadFaults(r.o.Seed, keys)
		for n := 0; n < r.o.Claimers; n += process {
			h := swift(worker.FaultyHandler(worker.Simulate{}.Handle, faults), faults)
			c.hire(worker.Faulty(p.Queue(n/process), faults), h, worker.Options{
				Workers: min(process, r.o.Claimers-n), Names: claimers(n, min(process, r.o.Claimers-n)),
			})
		}
		if err := c.work(ctx, c.untilEnded(len(keys))); err != nil {
			return err
		}
		facts, err := Gather(ctx, p.Queue(0), keys)
		if err != nil {
			return err
		}
		r.judge(Check(&c.ledger, facts))
		return nil
	})
}

func claimers(from, n int) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = claimer(from + i)
	}
	return names
}

// loadFaults decides by a job's place among the jobs, which the seed shifts: so
// that every kind goes wrong however few jobs there are, and the same way again.
func loadFaults(seed uint64, keys []model.Key) worker.Faults {
	places := make(map[model.Key]int, len(keys))
	for i, k := range keys {
		places[k] = i + int(seed%1000)
	}
	return func(c model.Claim) worker.Fault {
		i := places[c.Key]
		switch {
		case i%50 == 3:
			return worker.Poison
		case c.Attempts.N > 1:
			return worker.NoFault
		case i%250 == 17:
			return worker.Kill
		case i%250 == 23:
			return worker.Stall
		case i%30 == 5:
			return worker.Flaky
		case i%20 == 9:
			return worker.LoseReply
		}
		return worker.NoFault
	}
}

// swift tells the handler of failing jobs that the lease has no length, so that
// they fail at once.
func swift(h worker.Handler, faults worker.Faults) worker.Handler {
	return func(ctx context.Context, c model.Claim) error {
		if f := faults(c); f == worker.Poison || f == worker.Flaky {
			c.Granted = 0
		}
		return h(ctx, c)
	}
}

// judge takes the invariants over as the guarantees of this scene, in their order.
func (r *round) judge(report Report) {
	names := []string{conserved, oneEndAJob, oneEndAClaim, fenced, truthTold, boundKept}
	for i, c := range report.Checks {
		t := r.of(names[i])
		t.say(names[i], "%s", c.Figure)
		if !c.OK {
			t.fault("%s", c.Text)
			t.more += c.Faults - 1
		}
	}
	r.of(truthTold).finding.figure += "; " + report.Figures
}
