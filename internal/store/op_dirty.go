package store

import (
	"context"
	"time"

	"github.com/leasetop/leasetop/model"
)

// OpDirty looks at the first ready jobs past all locks. It is sent now and then
// where the other readers pass over locked rows, and so can never tell of one.
const OpDirty Op = "dirty"

// DirtyLimit is how many ready jobs are looked at past their locks.
const DirtyLimit = 20

func dirtySpecs() []Spec {
	return []Spec{
		// limit: how many at the most. In the order in which they would be claimed, whether they are locked or not;
		// what others have changed and not committed is among them.
		{Op: OpDirty, Kind: Watch, Params: []string{"limit"}, Columns: []string{"priority", "available"}},
	}
}

// Dirty lists the first DirtyLimit ready jobs in the order of claims, past all locks.
func (q *Queue) Dirty(ctx context.Context) ([]model.Oldest, time.Time, error) {
	b, rows, err := q.run(ctx, OpDirty, Args{"limit": model.IntValue(DirtyLimit)})
	if err != nil {
		return nil, time.Time{}, err
	}
	c := q.decoder(b)
	now, err := c.now(OpDirty, rows)
	if err != nil {
		return nil, now, err
	}
	var out []model.Oldest
	for _, r := range rows {
		if present(r) {
			out = append(out, model.Oldest{Key: c.key(r), Priority: r.Int("priority"), Waiting: since(c.instant(r, "available"), now)})
		}
	}
	return out, now, nil
}
