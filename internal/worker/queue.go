package worker

import (
	"context"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/leasetop/leasetop/model"
)

// Queue is what workers need of a bound queue. Every method is one statement in
// one round trip. What comes back are facts: rows as the statement changed them.
// None of them retries.
type Queue interface {
	// Claim takes up to n ready jobs for lease, all with the caller's new token. None
	// means "nothing for me now".
	Claim(ctx context.Context, token, worker string, n int, lease time.Duration) ([]model.Claim, error)
	// Heartbeat sets a later lease if the token still holds the job.
	Heartbeat(ctx context.Context, k model.Key, t model.Token, lease time.Duration) ([]model.Change, error)
	// Complete ends the job as done if the token still holds it; the row keeps it.
	Complete(ctx context.Context, k model.Key, t model.Token) ([]model.Change, error)
	// Fail ends the attempt: due again after delay, or failed at the bound. next
	// replaces the token.
	Fail(ctx context.Context, k model.Key, t model.Token, next string, delay time.Duration, diagnostic string) ([]model.Change, error)
	// Release gives the job back untouched. next replaces the token.
	Release(ctx context.Context, k model.Key, t model.Token, next string) ([]model.Change, error)
	// Recover takes back up to limit rows whose lease ended at least grace ago.
	Recover(ctx context.Context, next string, limit int, grace time.Duration, w model.Backoff, jitterPct int) ([]model.Change, error)
	// Promote makes up to limit scheduled rows ready that are due.
	Promote(ctx context.Context, limit int) ([]model.Change, error)
	// Inspect reads one job with the server's time; nil: there is no such row.
	Inspect(ctx context.Context, k model.Key) (*model.Job, time.Time, error)
	// Pulse reads the figures of the queue with the server's time.
	Pulse(ctx context.Context, ask model.PulseAsk) (model.Pulse, time.Time, error)
	// Enqueue adds jobs and returns their keys in the same order.
	Enqueue(ctx context.Context, jobs []model.NewJob) ([]model.Key, error)
}

// newToken makes a token that nobody has used: upper case, as the server prints it.
func newToken() string { return strings.ToUpper(uuid.NewString()) }
