package cli

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/leasetop/leasetop/internal/profile"
	"github.com/leasetop/leasetop/internal/worker"
	"github.com/leasetop/leasetop/model"
)

// TestJobsAreInventedAsTheyAreSent asks for more jobs than any memory holds: what was
// sent before the first fault is what the seed invents, batch after batch.
func TestJobsAreInventedAsTheyAreSent(t *testing.T) {
	const batches = 3
	lease, err := profile.For(profile.Lease, "orders", model.Table{Name: "Orders"})
	if err != nil {
		t.Fatal(err)
	}
	rows, err := profile.For(profile.Destructive, "shipping", model.Table{Name: "Shipping"})
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		m    *model.Mapping
		want []model.NewJob
	}{
		"lease":       {&lease, worker.Load{Seed: 7}.Jobs(batches * enqueueBatch)},
		"destructive": {&rows, worker.RowJobs(&rows, 7, batches*enqueueBatch)},
	} {
		t.Run(name, func(t *testing.T) {
			var got []model.NewJob
			full := errors.New("the disk is full")
			err := new(app).jobs(t.Context(), c.m, enqueueFlags{count: math.MaxInt, seed: 7}, model.NewJob{}, func(batch []model.NewJob) error {
				if got = append(got, batch...); len(got) == batches*enqueueBatch {
					return full
				}
				return nil
			})
			if !errors.Is(err, full) {
				t.Errorf("it ended with %v, want %v", err, full)
			}
			if !slices.EqualFunc(got, c.want, func(a, b model.NewJob) bool { return a.Payload == b.Payload }) {
				t.Errorf("%d jobs, and not those of the seed", len(got))
			}
		})
	}
}
