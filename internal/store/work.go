package store

import (
	"context"
	"time"

	"github.com/leasetop/leasetop/model"
)

// Enqueue adds jobs in one statement and returns their keys in the same order.
func (q *Queue) Enqueue(ctx context.Context, jobs []model.NewJob) ([]model.Key, error) {
	if q.wanted.IsDestructive() {
		return q.put(ctx, jobs)
	}
	type row struct {
		Payload     string `json:"payload"`
		Priority    *int64 `json:"priority,omitempty"`
		MaxAttempts *int64 `json:"max_attempts,omitempty"`
		DelayMs     int64  `json:"delay_ms,omitempty"`
		Operation   string `json:"operation,omitempty"`
	}
	rows := make([]row, len(jobs))
	for i, j := range jobs {
		rows[i] = row{j.Payload, pointer(j.Priority), pointer(j.MaxAttempts), j.Delay.Milliseconds(), j.Operation}
	}
	b, answer, err := q.array(ctx, OpEnqueue, rows)
	if err != nil {
		return nil, err
	}
	c := q.decoder(b)
	var keys []model.Key
	for _, r := range answer {
		if present(r) {
			keys = append(keys, c.key(r))
		}
	}
	return keys, nil
}

func pointer(n model.Number) *int64 {
	if !n.Known {
		return nil
	}
	return &n.N
}

// Claim takes up to n ready jobs in one statement, all with the caller's new
// token. None means "nothing for me now", never that the queue is empty. After
// an Unsure fault rows may carry the token: they come back when their lease ends.
// While the queue's brake is on nothing is claimed, and the fault names it.
func (q *Queue) Claim(ctx context.Context, token, worker string, n int, lease time.Duration) ([]model.Claim, error) {
	if err := q.lookForBrake(ctx); err != nil {
		return nil, err
	}
	b, rows, err := q.run(ctx, OpClaim, Args{
		"token": model.GUIDValue(token), "worker": model.TextValue(worker),
		"n": model.IntValue(int64(n)), "lease_ms": model.IntValue(lease.Milliseconds()),
	})
	if err != nil {
		return nil, err
	}
	c := q.decoder(b)
	claims := c.claims(rows, lease)
	if len(claims) == 0 && len(rows) > 0 {
		return nil, c.braked(rows[0])
	}
	return claims, nil
}

func (c decoder) claims(rows []Row, lease time.Duration) []model.Claim {
	var claims []model.Claim
	for _, r := range rows {
		if !present(r) {
			continue
		}
		claims = append(claims, model.Claim{
			Key: c.key(r), Token: c.token(r, "token"), Payload: r.Text("payload"), Operation: r.Text("operation"),
			Attempts: r.Int("attempts"), MaxAttempts: r.Int("max_attempts"), Lease: c.instant(r, "lease"), Granted: lease,
		})
	}
	return claims
}

// LookAnew is how often a worker whose table has no brake looks whether it was
// given one, which its claims would have to read.
const LookAnew = time.Minute

// lookForBrake probes again where the profile has a brake and the table had none:
// it may have been made since.
func (q *Queue) lookForBrake(ctx context.Context) error {
	b := q.bound.Load()
	if b == nil || q.wanted.Brake.IsZero() || !b.mapping.Brake.IsZero() || time.Since(b.made) < LookAnew {
		return nil
	}
	_, err := q.probe(ctx)
	return err
}

// Heartbeat sets a later lease on the job if the token still holds it; it never
// shortens one. No change means that it does not, or no longer.
func (q *Queue) Heartbeat(ctx context.Context, k model.Key, t model.Token, lease time.Duration) ([]model.Change, error) {
	return q.step(ctx, OpHeartbeat, k, Args{"token": tokenValue(t), "lease_ms": model.IntValue(lease.Milliseconds())})
}

// Complete ends the job as done if the token still holds it; the done row keeps
// the token.
func (q *Queue) Complete(ctx context.Context, k model.Key, t model.Token) ([]model.Change, error) {
	return q.step(ctx, OpComplete, k, Args{"token": tokenValue(t)})
}

// Fail ends the attempt if the token still holds the job: scheduled again after
// delay, or failed at the bound. next replaces the token.
func (q *Queue) Fail(ctx context.Context, k model.Key, t model.Token, next string, delay time.Duration, diagnostic string) ([]model.Change, error) {
	return q.step(ctx, OpFail, k, Args{
		"token": tokenValue(t), "new_token": model.GUIDValue(next),
		"delay_ms": model.IntValue(delay.Milliseconds()), "error": model.TextValue(diagnostic),
	})
}

// Release gives the job back untouched, its attempt not counted, if the token
// still holds it. next replaces the token.
func (q *Queue) Release(ctx context.Context, k model.Key, t model.Token, next string) ([]model.Change, error) {
	return q.step(ctx, OpRelease, k, Args{"token": tokenValue(t), "new_token": model.GUIDValue(next)})
}

func (q *Queue) step(ctx context.Context, op Op, k model.Key, a Args) ([]model.Change, error) {
	b, rows, err := q.keyed(ctx, op, k, a)
	if err != nil {
		return nil, err
	}
	changes, _, err := q.decoder(b).changes(op, rows)
	return changes, err
}

// Recover takes back up to limit working rows whose lease ended at least grace
// ago: to scheduled with back-off, or to failed at the bound. next replaces their
// tokens. It is safe from many places at once. jitterPct scales the back-off.
func (q *Queue) Recover(ctx context.Context, next string, limit int, grace time.Duration, w model.Backoff, jitterPct int) ([]model.Change, error) {
	return q.batch(ctx, OpRecover, Args{
		"new_token": model.GUIDValue(next), "limit": model.IntValue(int64(limit)), "grace_ms": model.IntValue(grace.Milliseconds()),
		"base_ms": model.IntValue(w.Base.Milliseconds()), "max_ms": model.IntValue(w.Max.Milliseconds()), "jitter_pct": model.IntValue(int64(jitterPct)),
	})
}

// Promote makes up to limit scheduled rows ready that are due.
func (q *Queue) Promote(ctx context.Context, limit int) ([]model.Change, error) {
	return q.batch(ctx, OpPromote, Args{"limit": model.IntValue(int64(limit))})
}

func (q *Queue) batch(ctx context.Context, op Op, a Args) ([]model.Change, error) {
	b, rows, err := q.run(ctx, op, a)
	if err != nil {
		return nil, err
	}
	changes, _, err := q.decoder(b).changes(op, rows)
	return changes, err
}
