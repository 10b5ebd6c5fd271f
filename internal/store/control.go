package store

import (
	"context"
	"time"

	"github.com/leasetop/leasetop/model"
)

// Render is the exact statement that Apply would send for an intent.
func (q *Queue) Render(ctx context.Context, i model.Intent) (model.Statement, error) {
	b, err := q.binding(ctx)
	if err != nil {
		return model.Statement{}, err
	}
	s, a, err := b.intent(i)
	if err != nil {
		return model.Statement{}, err
	}
	return s.show(a), nil
}

// Apply sends an act once and returns the rows that its statement captured, read
// to the end: facts, no verdict. It never retries. The time is the server's.
func (q *Queue) Apply(ctx context.Context, i model.Intent) ([]model.Change, time.Time, error) {
	b, err := q.binding(ctx)
	if err != nil {
		return nil, time.Time{}, err
	}
	s, a, err := b.intent(i)
	if err != nil {
		return nil, time.Time{}, err
	}
	rows, err := q.db.run.run(ctx, s, a)
	if err != nil {
		return nil, time.Time{}, err
	}
	return q.decoder(b).changes(s.Op, rows)
}

func (b *binding) intent(i model.Intent) (Stmt, Args, error) {
	op, ok := actionOp(i)
	s, have := b.stmts[op]
	if !ok || !have {
		why := "no such act"
		if ok {
			why = b.absent[op].Error()
		}
		return Stmt{}, nil, &model.Fault{Class: model.FaultReshaped, Op: i.Action.String(), Text: why}
	}
	a, err := keyArgs(i.Key)
	if err != nil {
		return Stmt{}, nil, &model.Fault{Class: model.FaultTarget, Op: i.Action.String(), Text: err.Error()}
	}
	a["token"] = tokenValue(i.Seen.Token)
	a["action"] = model.GUIDValue(i.ActionID)
	a["actor"] = model.TextValue(i.Actor)
	a["reason"] = model.TextValue(i.Reason)
	a["state"] = b.mapping.States[i.Seen.State]
	a["by_s"] = model.IntValue(int64(i.By / time.Second))
	a["mark_ms"] = model.IntValue(i.Mark())
	return s, a, nil
}
