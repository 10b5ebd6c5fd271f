package drill

import (
	"context"
	"sync"
	"time"

	"github.com/leasetop/leasetop/internal/worker"
	"github.com/leasetop/leasetop/model"
)

// purgeOld is how many jobs were over before the scene begins, and purgeBatch how
// many rows go with one statement.
const (
	purgeOld   = 100
	purgeBatch = 15
)

// purged removes what is over from before a moment, again and again, while workers
// end other jobs.
func purged(ctx context.Context, r *round) error {
	return r.on(ctx, Order{Name: "purge", Processes: 2}, func(ctx context.Context, p place) error {
		s := newScript(ctx, r, p)
		old := s.enqueue(purgeOld, model.NewJob{})
		for _, c := range s.claims("worker-old", purgeOld) {
			s.complete(c)
		}
		s.pass(s.lease / 10)
		if s.err != nil {
			return s.err
		}
		_, until, err := p.Queue(0).Pulse(ctx, model.PulseAsk{})
		if err != nil {
			return err
		}
		s.pass(s.lease / 10)
		keys, err := enqueued(ctx, p.Queue(0), r.o.Jobs, func(int) model.NewJob { return model.NewJob{} })
		if err != nil {
			return err
		}
		gone, c, err := purgeBeside(ctx, r, p, len(keys), until)
		if err != nil {
			return err
		}
		t := r.of(purgeKeeps)
		if gone != purgeOld {
			t.fault("%d rows were purged, %d had ended before the time that was said", gone, purgeOld)
		}
		facts, err := Gather(ctx, p.Queue(0), append(old, keys...))
		if err != nil {
			return err
		}
		done := 0
		for _, j := range facts.Rows {
			if j.State == model.Done {
				done++
			}
		}
		if done != len(keys) || len(facts.Rows) != len(keys) {
			t.fault("%d jobs were to stay, %d rows are there, %d of them done", len(keys), len(facts.Rows), done)
		}
		if n := c.ledger.Count(worker.EventCompleted) + c.ledger.Count(worker.EventConfirmed); n != len(keys) {
			t.fault("%d jobs, %d workers were told that they ended one", len(keys), n)
		}
		t.say(purgeKeeps, "%d rows from before went in batches of %d while workers ended %d others, all of which are there", gone, purgeBatch, len(keys))
		return nil
	})
}

// purgeBeside purges while a crew works, and once more when it has ended.
func purgeBeside(ctx context.Context, r *round, p place, jobs int, until time.Time) (gone int64, c *crew, err error) {
	c = &crew{r: r, place: p}
	c.hire(p.Queue(0), func(context.Context, model.Claim) error { return nil }, worker.Options{Workers: min(r.o.Claimers, process)})
	q := p.Queue(1)
	batch := func(after model.Number) (model.Number, bool, error) {
		n, last, more, err := q.PurgeDone(ctx, until, purgeBatch, after)
		gone += n
		return last, more && err == nil, err
	}
	err = c.work(ctx, func(ctx context.Context) error {
		beside, stop := context.WithCancel(ctx)
		var purger sync.WaitGroup
		var failed error
		purger.Go(func() {
			var after model.Number
			for failed == nil && wait(beside, r.o.Lease/200) {
				var more bool
				if after, more, failed = batch(after); !more {
					after = model.Number{}
				}
			}
		})
		err := c.untilEnded(jobs)(ctx)
		stop()
		purger.Wait()
		if err == nil {
			err = failed
		}
		return err
	})
	var after model.Number
	for more := true; more && err == nil; {
		after, more, err = batch(after)
	}
	return gone, c, err
}
