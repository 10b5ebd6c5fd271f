package store

import (
	"context"
	"strings"
	"time"

	"github.com/leasetop/leasetop/internal/text"
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
	shown := s.show(a)
	values := make([]model.Value, len(s.Params))
	for n, p := range s.Params {
		values[n] = a.of(p)
	}
	if shown.Script, err = q.db.run.dialect.Script(s, values); err != nil {
		shown.Script = ""
	} else if s.Danger != "" { // sqlcmd would replace a "$(" even here
		shown.Script = "-- DANGER: " + strings.ReplaceAll(shown.Danger, "$(", "$ (") + "\n" + shown.Script
	}
	return shown, nil
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
	if s.Danger != "" {
		return nil, time.Time{}, &model.Fault{Class: model.FaultTarget, Op: string(s.Op), Text: "it is only printed, never sent: " + text.Clean(s.Danger)}
	}
	rows, err := q.db.run.run(ctx, s, a)
	if err != nil {
		return nil, time.Time{}, err
	}
	if b.mapping.IsDestructive() {
		return q.decoder(b).rowChanges(i, s.Op, rows)
	}
	return q.decoder(b).changes(s.Op, rows)
}

func (b *binding) intent(i model.Intent) (Stmt, Args, error) {
	if b.mapping.IsDestructive() {
		return b.rowIntent(i)
	}
	op, ok := actionOp(i, i.Seen.Token.IsZero())
	if !b.mapping.TellsClaims() { // a claim is told by its lease
		op, ok = actionOp(i, i.Seen.Lease.IsZero())
	}
	s, have := b.stmts[op]
	if !ok || !have {
		why := "no such act"
		if ok {
			why = b.why(op)
		}
		return Stmt{}, nil, &model.Fault{Class: model.FaultReshaped, Op: i.Action.String(), Text: why}
	}
	if i.Action.OnQueue() {
		return s, Args{"action": model.GUIDValue(i.ActionID), "actor": model.TextValue(i.Actor), "reason": model.TextValue(i.Reason)}, nil
	}
	a, err := keyArgs(i.Key)
	if err != nil {
		return Stmt{}, nil, &model.Fault{Class: model.FaultTarget, Op: i.Action.String(), Text: err.Error()}
	}
	a["token"] = tokenValue(i.Seen.Token)
	a["action"] = model.GUIDValue(i.ActionID)
	a["fence"] = tokenValue(b.mapping.Column(model.RoleToken).NewToken(i.ActionID))
	a["actor"] = model.TextValue(i.Actor)
	a["reason"] = model.TextValue(i.Reason)
	a["lease"] = i.Seen.Lease.Raw
	a["state"] = b.mapping.States[i.Seen.State]
	a["by_s"] = model.IntValue(int64(i.By / time.Second))
	a["mark_ms"] = model.IntValue(i.Mark())
	return s, a, nil
}
