package drill

import (
	"context"
	"fmt"
	"sync"

	"github.com/leasetop/leasetop/model"
)

// shownEnough is how often a fault that comes again and again has to be seen: then
// it is shown, and a scene that goes on would only take time.
const shownEnough = 20

// claimTogether lets many claimers empty a queue at once. Nobody ends anything, so
// that a job which comes twice was shared.
func claimTogether(ctx context.Context, r *round) error {
	return r.on(ctx, Order{Name: "claims", Processes: (r.o.Claimers + 3) / 4}, func(ctx context.Context, p place) error {
		if err := fill(ctx, p.Queue(0), r.o.Jobs, model.NewJob{}); err != nil {
			return err
		}
		var (
			all    sync.WaitGroup
			ready  sync.WaitGroup // so that they begin at the same moment
			mu     sync.Mutex
			got    = map[model.Key]int{}
			n      int
			shared int // jobs that came to somebody once more
			errs   error
		)
		ready.Add(r.o.Claimers)
		for i := range r.o.Claimers {
			q := p.Queue(i)
			all.Go(func() {
				ready.Done()
				ready.Wait()
				for ctx.Err() == nil {
					claims, err := q.Claim(ctx, newToken(), claimer(i), 1+i%3, r.o.Lease*100)
					mu.Lock()
					if err != nil {
						errs = err
					}
					for _, c := range claims {
						if got[c.Key]++; got[c.Key] == 2 {
							shared++
						}
						n++
					}
					r.at(float64(len(got)) / float64(r.o.Jobs))
					enough := errs != nil || len(claims) == 0 || shared >= shownEnough || n > 2*r.o.Jobs
					mu.Unlock()
					if enough {
						return
					}
				}
			})
		}
		all.Wait()
		t := r.of(notShared)
		t.say(notShared, "%d claimers, claims of 1 to 3 jobs at once: %d jobs came out of %d", r.o.Claimers, n, r.o.Jobs)
		for k, times := range got {
			if times > 1 {
				t.fault("job %s came to %d claimers", k, times)
			}
		}
		if missing := r.o.Jobs - len(got); missing > 0 && errs == nil && shared < shownEnough {
			t.fault("%d jobs came to nobody", missing)
		}
		return errs
	})
}

func claimer(i int) string { return fmt.Sprintf("claimer-%02d", i+1) }

// enqueueAtOnce is how many jobs go in with one statement.
const enqueueAtOnce = 1000

// fill enqueues n jobs like j.
func fill(ctx context.Context, q Queue, n int, j model.NewJob) error {
	_, err := enqueued(ctx, q, n, func(int) model.NewJob { return j })
	return err
}

func enqueued(ctx context.Context, q Queue, n int, job func(i int) model.NewJob) ([]model.Key, error) {
	keys := make([]model.Key, 0, n)
	for len(keys) < n {
		jobs := make([]model.NewJob, min(enqueueAtOnce, n-len(keys)))
		for i := range jobs {
			jobs[i] = job(len(keys) + i)
			if jobs[i].Payload == "" {
				jobs[i].Payload = "{}"
			}
		}
		more, err := q.Enqueue(ctx, jobs)
		if err != nil {
			return keys, fmt.Errorf("enqueue: %w", err)
		}
		keys = append(keys, more...)
	}
	return keys, nil
}
