package store

import (
	"context"
	"time"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
)

// The operations of the brake, which stops the claims of a queue.
const (
	OpBrakeState   Op = "brake-state"
	OpBrake        Op = "brake"
	OpReleaseBrake Op = "release-brake"
)

// brakeColumns are the brake as it is: braked is NULL where there is no row of it.
func brakeColumns() []string {
	return []string{"braked", "brake_at", "brake_actor", "brake_login", "brake_reason"}
}

func brakeSpecs() []Spec {
	return []Spec{
		{Op: OpBrakeState, Kind: Watch, Keyless: true, Columns: brakeColumns()},
		// mine is 1 when this statement did it: its own row is in the history.
		{Op: OpBrake, Kind: Control, Keyless: true, Params: []string{"action", "actor", "reason"}, Columns: append(brakeColumns(), "mine")},
		{Op: OpReleaseBrake, Kind: Control, Keyless: true, Params: []string{"action", "actor", "reason"}, Columns: append(brakeColumns(), "mine")},
	}
}

// BrakeKey is what the history calls the queue itself: no job has this key.
func BrakeKey() model.Key { return model.KeyOf(model.IntValue(0)) }

// Brake reads the brake. Nil: there is no row that could be set.
func (q *Queue) Brake(ctx context.Context) (*model.Brake, time.Time, error) {
	_, b, at, err := q.braking(ctx, OpBrakeState, nil)
	return b, at, err
}

// ApplyBrake sends an act on the brake once. done is true when the statement found
// it the other way round and has its row in the history; now is the brake as it is
// then. After its answer no claim is under way that did not see it.
func (q *Queue) ApplyBrake(ctx context.Context, i model.Intent) (done bool, now *model.Brake, at time.Time, err error) {
	op := OpBrake
	if i.Action == model.FreeBrake {
		op = OpReleaseBrake
	}
	return q.braking(ctx, op, Args{
		"action": model.GUIDValue(i.ActionID), "actor": model.TextValue(i.Actor), "reason": model.TextValue(i.Reason),
	})
}

// BrakeEvent finds the history row of an act on the brake; nil: there is none.
func (q *Queue) BrakeEvent(ctx context.Context, action string) (*model.Event, error) {
	return q.Audit(ctx, BrakeKey(), action)
}

func (q *Queue) braking(ctx context.Context, op Op, a Args) (bool, *model.Brake, time.Time, error) {
	b, rows, err := q.run(ctx, op, a)
	if err != nil {
		return false, nil, time.Time{}, err
	}
	c := q.decoder(b)
	now, err := c.now(op, rows)
	if err != nil {
		return false, nil, now, err
	}
	return rows[0].Int("mine").N == 1, c.brake(rows[0]), now, nil
}

// brake reads the brake from any answer that has its columns.
func (c decoder) brake(r Row) *model.Brake {
	on := r.Int("braked")
	if !on.Known {
		return nil
	}
	return &model.Brake{
		On: on.N == 1, At: c.instant(r, "brake_at"), Actor: text.Clean(r.Text("brake_actor")),
		Login: text.Clean(r.Text("brake_login")), Reason: text.Clean(r.Text("brake_reason")),
	}
}

// braked is why a claim took nothing, nil when the brake is off.
func (c decoder) braked(r Row) error {
	b := c.brake(r)
	if b == nil || !b.On {
		return nil
	}
	return &model.Fault{
		Class: model.FaultBraked, Op: string(OpClaim), Text: "claims are stopped by the brake: " + b.Words(),
		Cure: "work goes on when it is released", Brake: b,
	}
}
