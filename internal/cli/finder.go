package cli

import (
	"context"
	"time"

	"github.com/leasetop/leasetop/model"
)

// finder looks jobs of queues up by name.
type finder details

// FindOperation finds jobs by their operation id.
func (f finder) FindOperation(ctx context.Context, queue, id string) (jobs []*model.Job, whole bool, at time.Time, err error) {
	q, err := details(f).of(queue)
	if err != nil {
		return nil, false, time.Time{}, err
	}
	x, at, err := q.FindOperation(ctx, id)
	return x.Jobs, x.Whole, at, err
}

// FindWorker finds the jobs that a worker has.
func (f finder) FindWorker(ctx context.Context, queue, worker string) (jobs []*model.Job, whole bool, at time.Time, err error) {
	q, err := details(f).of(queue)
	if err != nil {
		return nil, false, time.Time{}, err
	}
	x, at, err := q.FindWorker(ctx, worker)
	return x.Jobs, x.Whole, at, err
}
