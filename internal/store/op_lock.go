package store

import (
	"context"
	"errors"
	"time"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
)

// The operations that look for locks. They are sent when a person asks about one
// job, and never by a poll.
const (
	OpLocked  Op = "locked"  // whether others pass over a row because it is locked
	OpHolders Op = "holders" // which sessions hold locks on a row, its page and its table
)

// lockSpecs are the operations that look for locks.
func lockSpecs() []Spec {
	return []Spec{
		// skipped: 1 when a reader that passes over locked rows does not see the row. key is NULL when there is
		// no such row. The statement waits for nothing: a lock that cannot be passed over is the engine's error.
		{Op: OpLocked, Kind: Watch, Keyed: true, Columns: []string{"skipped", "state"}},
		// limit: how many sessions at the most. A row without a session says only the time and optimized, 1 where
		// the engine locks transactions and not rows. level is row, page or table; held_ms since when the
		// session's transaction is open; busy whether running is being run.
		{Op: OpHolders, Kind: Watch, Keyed: true, Params: []string{"limit"}, Columns: []string{
			"optimized", "session", "level", "mode", "waiting", "ours", "program", "host", "login", "status",
			"held_ms", "blocker", "running", "busy",
		}},
	}
}

// HolderLimit is how many sessions are listed.
const HolderLimit = 50

// Locks looks for locks on a job's row. What could not be found out is said in the
// answer; the error is that of a call that hangs or has no connection.
func (q *Queue) Locks(ctx context.Context, k model.Key) (model.Locks, error) {
	var (
		l   model.Locks
		err error
	)
	l.Skipped, err = q.Locked(ctx, k)
	switch f := faultOf(err); {
	case f == nil:
	case f.Class == model.FaultRaced: // it waits for nothing
		l.Blocked = true
	case lasting(f):
		l.RowErr = f
	default:
		return l, f
	}
	l.Holders, l.Optimized, err = q.Holders(ctx, k)
	if f := faultOf(err); f != nil {
		if !lasting(f) && f.Class != model.FaultRaced {
			return l, f
		}
		l.HoldErr = f
	}
	if l.More = len(l.Holders) > HolderLimit; l.More {
		l.Holders = l.Holders[:HolderLimit]
	}
	return l, nil
}

// Locked reports whether readers that pass over locked rows pass over this one: 1
// or 0, not Known where there is no such row. A lock of a page or of the table,
// which nobody passes over, is a fault of the class FaultRaced.
func (q *Queue) Locked(ctx context.Context, k model.Key) (model.Number, error) {
	_, rows, err := q.keyed(ctx, OpLocked, k, nil)
	if err != nil || len(rows) == 0 {
		return model.Number{}, err
	}
	return rows[0].Int("skipped"), nil
}

// Holders lists the sessions with locks on a job's row, its page and its table, one
// more than HolderLimit at the most, and whether the engine locks transactions
// instead of rows, so that a writer is listed by its table alone.
func (q *Queue) Holders(ctx context.Context, k model.Key) (hs []model.Holder, optimized bool, err error) {
	_, rows, err := q.keyed(ctx, OpHolders, k, Args{"limit": model.IntValue(HolderLimit + 1)})
	hs, optimized = holders(rows)
	return hs, optimized, err
}

// faultOf is an error of the runner, nil for none.
func faultOf(err error) *model.Fault {
	var f *model.Fault
	if err != nil && !errors.As(err, &f) {
		f = &model.Fault{Text: text.Clean(err.Error())}
	}
	return f
}

// lasting reports whether a fault is the engine's last word on a question, so that
// the others are asked all the same.
func lasting(f *model.Fault) bool {
	switch f.Class {
	case model.FaultDenied, model.FaultReshaped, model.FaultRefused, model.FaultReadOnly, model.FaultBraked:
		return true
	case model.FaultOther:
		return f.Code != 0
	case model.FaultRaced, model.FaultBusy, model.FaultLogin, model.FaultNetwork, model.FaultHung, model.FaultTarget:
	}
	return false
}

func holders(rows []Row) (hs []model.Holder, optimized bool) {
	yes := func(n model.Number) bool { return n.Known && n.N == 1 }
	for _, r := range rows {
		optimized = optimized || yes(r.Int("optimized"))
		if !r.Int("session").Known {
			continue
		}
		h := model.Holder{
			Session: r.Int("session").N, Level: r.Text("level"), Mode: text.Clean(r.Text("mode")),
			Waiting: yes(r.Int("waiting")), Ours: yes(r.Int("ours")), Busy: yes(r.Int("busy")),
			Program: text.Clean(r.Text("program")), Host: text.Clean(r.Text("host")), Login: text.Clean(r.Text("login")),
			Status: text.Clean(r.Text("status")), Blocker: r.Int("blocker").N, Running: text.Clean(r.Text("running")),
		}
		if ms := r.Int("held_ms"); ms.Known {
			h.Held = model.Age{D: time.Duration(ms.N) * time.Millisecond, Trust: model.Exact}
		}
		hs = append(hs, h)
	}
	return hs, optimized
}
