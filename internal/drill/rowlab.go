package drill

import (
	"context"
	"time"

	"github.com/leasetop/leasetop/model"
)

// RowQueue is a scratch destructive queue: a dequeue deletes, and a row is its
// values. Its jobs are told apart by their payload's OrderID.
type RowQueue interface {
	// Enqueue adds rows; a payload is a JSON object of the columns, and a time that it
	// does not give is the server's now.
	Enqueue(ctx context.Context, jobs []model.NewJob) ([]model.Key, error)
	// Dequeue takes up to n rows for good: a crash loses them.
	Dequeue(ctx context.Context, n int) ([]model.Claim, error)
	// Hold takes up to n rows and keeps them locked until the work is done; nil: nothing
	// for me now. session is an id that nobody else uses.
	Hold(ctx context.Context, session string, n int) (Held, error)
	// Bury makes a dead letter of a row that Dequeue took.
	Bury(ctx context.Context, k model.Key, actionID, actor, reason string) error
	// Pulse reads the figures of the queue with the server's time.
	Pulse(ctx context.Context, ask model.PulseAsk) (model.Pulse, time.Time, error)
	// Page reads one list of rows with the server's time.
	Page(ctx context.Context, v model.View) (model.Page, time.Time, error)
	// Apply sends an operator's act once and returns the rows that it captured.
	Apply(ctx context.Context, i model.Intent) ([]model.Change, time.Time, error)
}

// Held is rows that a session has dequeued and keeps locked.
type Held interface {
	Rows() []model.Claim
	// Bury makes a dead letter of one of them, if Commit succeeds.
	Bury(ctx context.Context, k model.Key, actionID, actor, reason string) error
	Commit(ctx context.Context) error
	Rollback(ctx context.Context) error
}

// RowOrder is a scratch destructive queue as a scene asks for it.
type RowOrder struct {
	Name      string
	By        model.Order // in which rows are dequeued
	Flaw      string      // the known mistake in its statements; empty: none
	Still     bool        // as of Order
	Processes int         // as of Order
}

// RowBench is one scratch destructive queue.
type RowBench interface {
	// Queue is the queue over the i-th of the ordered connections.
	Queue(i int) RowQueue
	// Kill ends the i-th process as kill -9 does: no call over its connection succeeds
	// any more, and nobody says that it lives.
	Kill(i int) error
	// Notice lets the engine notice who was killed, so that it gives back what they
	// held. Where row locks are emulated that takes time, and whoever lives must not
	// hold anything meanwhile.
	Notice(ctx context.Context) error
	Pass(ctx context.Context, d time.Duration) error
	Drop(ctx context.Context) error
}
