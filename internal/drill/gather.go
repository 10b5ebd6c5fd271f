package drill

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/leasetop/leasetop/model"
)

// Reader is what gathering the facts needs of a bound queue.
type Reader interface {
	Inspect(ctx context.Context, k model.Key) (*model.Job, time.Time, error)
	History(ctx context.Context, k model.Key, n int) ([]model.Event, time.Time, error)
}

// historyCap bounds what is read of one job's history.
const historyCap = 10_000

// Gather reads the rows and the history of the jobs that went in. A table without
// a history gives facts without one.
func Gather(ctx context.Context, q Reader, keys []model.Key) (Facts, error) {
	f := Facts{Enqueued: len(keys), History: make(map[model.Key][]model.Event, len(keys))}
	for _, k := range keys {
		job, _, err := q.Inspect(ctx, k)
		if err != nil {
			return f, err
		}
		if job != nil {
			f.Rows = append(f.Rows, job)
		}
		if f.History == nil {
			continue
		}
		events, _, err := q.History(ctx, k, historyCap)
		var fault *model.Fault
		switch {
		case errors.As(err, &fault) && fault.Class == model.FaultReshaped:
			f.History = nil
		case err != nil:
			return f, err
		default:
			slices.Reverse(events)
			f.History[k] = events
		}
	}
	return f, nil
}
