package drill

import (
	"context"
	"errors"
	"fmt"

	"github.com/leasetop/leasetop/model"
)

// selectThenDelete reads the head and then deletes what it read, as if nobody stood
// between.
func selectThenDelete(q RowQueue) RowQueue { return readThenDelete{q} }

type readThenDelete struct{ RowQueue }

func (q readThenDelete) Dequeue(ctx context.Context, n int) ([]model.Claim, error) {
	page, _, err := q.Page(ctx, model.ViewReady)
	if err != nil || len(page.Jobs) > 0 && !wait(ctx, between) {
		return nil, errors.Join(err, context.Cause(ctx))
	}
	var out []model.Claim
	for _, j := range page.Jobs[:min(n, len(page.Jobs))] {
		_, _, err := q.Apply(ctx, model.Intent{Action: model.DeadLetter, Key: j.Key, ActionID: newToken(), Actor: "drill", Reason: "a drill"})
		if err != nil {
			return out, err
		}
		out = append(out, model.Claim{Key: j.Key, Payload: rowPayload(j.Key)})
	}
	return out, nil
}

// rowPayload is a row's values as a dequeue would give them, of which the drill
// reads the number alone.
func rowPayload(k model.Key) string {
	values := k.Values()
	if len(values) < 3 {
		return "{}"
	}
	return fmt.Sprintf(`{"OrderID":%s}`, values[2].Text)
}

// commitFirst ends the transaction before the work: what it holds is gone already.
func commitFirst(q RowQueue) RowQueue { return hurried{q} }

type hurried struct{ RowQueue }

func (q hurried) Hold(ctx context.Context, _ string, n int) (Held, error) {
	claims, err := q.Dequeue(ctx, n)
	if err != nil || len(claims) == 0 {
		return nil, err
	}
	return ownedAlready{q.RowQueue, claims}, nil
}

// ownedAlready is rows that are deleted for good.
type ownedAlready struct {
	q    RowQueue
	rows []model.Claim
}

func (h ownedAlready) Rows() []model.Claim          { return h.rows }
func (ownedAlready) Commit(context.Context) error   { return nil }
func (ownedAlready) Rollback(context.Context) error { return nil }
func (h ownedAlready) Bury(ctx context.Context, k model.Key, actionID, actor, reason string) error {
	return h.q.Bury(ctx, k, actionID, actor, reason)
}

// deleteLater deletes what it took only when it comes for more, so that a crash
// would lose nothing, and lets everybody else take it too.
func deleteLater(q RowQueue) RowQueue { return &keeper{RowQueue: q} }

type keeper struct {
	RowQueue
	taken []*model.Job
}

func (q *keeper) Dequeue(ctx context.Context, n int) ([]model.Claim, error) {
	for _, j := range q.taken {
		if _, _, err := q.Apply(ctx, model.Intent{Action: model.DeadLetter, Key: j.Key, ActionID: newToken(), Actor: "drill", Reason: "a drill"}); err != nil {
			return nil, err
		}
	}
	page, _, err := q.Page(ctx, model.ViewReady)
	if err != nil {
		return nil, err
	}
	q.taken = page.Jobs[:min(n, len(page.Jobs))]
	var out []model.Claim
	for _, j := range q.taken {
		out = append(out, model.Claim{Key: j.Key, Payload: rowPayload(j.Key)})
	}
	return out, nil
}
