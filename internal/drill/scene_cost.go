package drill

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/leasetop/leasetop/model"
)

// costClaims is how many claims each of the two queues is measured by.
const costClaims = 60

// maxCost is how many times dearer a claim may be.
const maxCost = 2

// cost measures claims on a queue and on one with many scheduled rows of a higher
// priority, turn by turn, so that what slows one slows the other.
func cost(ctx context.Context, r *round) error {
	return r.on(ctx, Order{Name: "free"}, func(ctx context.Context, free place) error {
		return r.on(ctx, Order{Name: "ahead"}, func(ctx context.Context, crowded place) error {
			q, far := free.Queue(0), crowded.Queue(0)
			first := model.NewJob{Priority: model.NumberOf(1), Delay: ahead}
			if err := r.crowd(ctx, far, first); err != nil {
				return err
			}
			for _, q := range []Queue{q, far} {
				if err := fill(ctx, q, costClaims+costClaims/4, model.NewJob{}); err != nil {
					return err
				}
			}
			var alone, behind []time.Duration
			for i := range costClaims + costClaims/4 {
				a, err := timed(ctx, q)
				if err != nil {
					return err
				}
				b, err := timed(ctx, far)
				if err != nil {
					return err
				}
				if i >= costClaims/4 { // the first ones find nothing in any cache
					alone, behind = append(alone, a), append(behind, b)
				}
			}
			t := r.of(claimCost)
			a, b := median(alone), median(behind)
			t.measure(float64(b)/float64(max(a, 1)), maxCost)
			t.say(claimCost, "%v a claim, %v with %d scheduled rows ahead (medians of %d, taken in turn)",
				a.Round(time.Microsecond), b.Round(time.Microsecond), r.o.Ahead, costClaims)
			return nil
		})
	})
}

// crowd enqueues what lies ahead.
func (r *round) crowd(ctx context.Context, q Queue, j model.NewJob) error {
	for made := 0; made < r.o.Ahead; {
		n := min(enqueueAtOnce, r.o.Ahead-made)
		if err := fill(ctx, q, n, j); err != nil {
			return err
		}
		made += n
		r.at(float64(made) / float64(r.o.Ahead))
	}
	return nil
}

// timed is how long a claim takes that gets a job.
func timed(ctx context.Context, q Queue) (time.Duration, error) {
	begun := time.Now()
	claims, err := q.Claim(ctx, newToken(), "worker-a", 1, time.Hour)
	took := time.Since(begun)
	if err == nil && len(claims) == 0 {
		err = errors.New("a claim got no job although some are ready")
	}
	return took, err
}

func median(ds []time.Duration) time.Duration {
	slices.Sort(ds)
	return ds[len(ds)/2]
}
