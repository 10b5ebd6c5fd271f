package store

import (
	"context"
	"encoding/json"

	"github.com/leasetop/leasetop/model"
)

// Dequeue takes up to n rows in one statement that deletes them: they are the
// caller's alone, and lost with it. None means "nothing for me now". After an
// Unsure fault rows may be gone that nobody received.
func (q *Queue) Dequeue(ctx context.Context, n int) ([]model.Claim, error) {
	b, rows, err := q.run(ctx, OpDequeue, Args{"n": model.IntValue(int64(n))})
	if err != nil {
		return nil, err
	}
	return q.decoder(b).taken(rows), nil
}

func (c decoder) taken(rows []Row) []model.Claim {
	var out []model.Claim
	for _, r := range rows {
		if here(r) {
			vs := c.values(r)
			out = append(out, model.Claim{Key: model.KeyOf(vs...), Payload: payloadOf(c.m, vs)})
		}
	}
	return out
}

// Bury makes a dead letter of a row that Dequeue took.
func (q *Queue) Bury(ctx context.Context, k model.Key, actionID, actor, reason string) error {
	a, err := burialArgs(k, actionID, actor, reason)
	if err != nil {
		return err
	}
	_, _, err = q.run(ctx, OpBuryMine, a)
	return err
}

// Return puts rows back that Dequeue took, as they were. What the server makes
// itself it makes anew.
func (q *Queue) Return(ctx context.Context, rows []model.Key) error {
	b, err := q.binding(ctx)
	if err != nil {
		return err
	}
	list := make([]map[string]*string, len(rows))
	for i, k := range rows {
		list[i] = map[string]*string{}
		values, _ := b.mapping.CutRow(k)
		for n, v := range values {
			if !v.IsNull() && !b.mapping.Keys[n].Made {
				list[i][keyParam(n)] = &v.Text
			}
		}
	}
	_, _, err = q.array(ctx, OpPut, list)
	return err
}

// array runs an operation that is given its rows as a JSON array.
func (q *Queue) array(ctx context.Context, op Op, rows any) (*binding, []Row, error) {
	data, err := json.Marshal(rows)
	if err != nil {
		return nil, nil, &model.Fault{Class: model.FaultTarget, Op: string(op), Text: err.Error()}
	}
	return q.run(ctx, op, Args{"jobs": model.TextValue(string(data))})
}

func burialArgs(k model.Key, actionID, actor, reason string) (Args, error) {
	a, err := keyArgs(k)
	if err != nil {
		return nil, &model.Fault{Class: model.FaultTarget, Op: string(OpBuryMine), Text: err.Error()}
	}
	a["action"], a["actor"], a["reason"] = model.GUIDValue(actionID), model.TextValue(actor), model.TextValue(reason)
	return a, nil
}
