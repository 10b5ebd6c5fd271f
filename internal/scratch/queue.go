package scratch

import (
	"context"
	"time"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/model"
)

// leaseQueue is a bound lease queue as the drill uses it.
type leaseQueue struct{ *store.Queue }

// PurgeDone removes one batch of done rows that ended before a time.
func (q leaseQueue) PurgeDone(ctx context.Context, until time.Time, n int, after model.Number) (deleted int64, last model.Number, more bool, err error) {
	got, err := q.Purge(ctx, store.PurgeAsk{Op: store.OpPurgeDone, Until: until, N: n, After: after})
	return got.Deleted, got.Last, got.More, err
}
