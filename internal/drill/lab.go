package drill

import (
	"context"
	"time"

	"github.com/leasetop/leasetop/internal/worker"
	"github.com/leasetop/leasetop/model"
)

// Queue is a scratch queue as the drill uses it. Beside what workers need it is
// read and acted on as an operator does.
type Queue interface {
	worker.Queue
	Reader
	// Page reads one list of jobs with the server's time.
	Page(ctx context.Context, v model.View) (model.Page, time.Time, error)
	// Apply sends an operator's act once and returns the rows that it captured.
	Apply(ctx context.Context, i model.Intent) ([]model.Change, time.Time, error)
	// ApplyBrake sends an act on the queue's brake once; done: it was the other way
	// round. After its answer no claim is under way that did not see it.
	ApplyBrake(ctx context.Context, i model.Intent) (done bool, now *model.Brake, at time.Time, err error)
	// PurgeDone removes up to n done rows that ended before a time of the server; the
	// next batch begins after last, while there may be more.
	PurgeDone(ctx context.Context, until time.Time, n int, after model.Number) (deleted int64, last model.Number, more bool, err error)
	// First reads the first n ready jobs in the order of claims, and holds nothing.
	First(ctx context.Context, n int) ([]*model.Job, error)
	// Take takes the row of a key whatever became of it since it was read: the second
	// half of a claim by select and update. Only a queue with that mistake has it.
	Take(ctx context.Context, k model.Key, token, worker string, lease time.Duration) ([]model.Claim, error)
}

// Lab makes scratch queues, each on tables of its own.
type Lab interface {
	// Engine says what the queues stand on.
	Engine() Engine
	// Make makes an empty lease queue. The caller drops it.
	Make(ctx context.Context, o Order) (Bench, error)
	// MakeRows makes an empty destructive queue. The caller drops it.
	MakeRows(ctx context.Context, o RowOrder) (RowBench, error)
}

// Engine is what the queues of a lab stand on.
type Engine struct {
	Name    string // "sqlite", "sqlserver"
	Version string // as the server says; empty: not known
	// Locking is "real" where the engine itself locks rows and skips locked ones, and
	// "emulated" where one writer at a time stands for that.
	Locking string
	// Lease is a lease that a scene can wait for: long where time can be made to
	// pass, short where it has to be waited for.
	Lease time.Duration
	// Clock is true where the lab sets the queue's clock.
	Clock bool
}

// Order is a scratch queue as a scene asks for it.
type Order struct {
	Name string        // of the scene: letters and hyphens
	Flaw string        // the known mistake in its statements; empty: none
	Skew time.Duration // of the queue's clock against this machine's, where the lab sets it

	// Still makes the queue's clock stand, from the same moment each time, where the lab
	// sets it: only Pass moves it.
	Still bool

	Processes int // connections of their own, as so many processes would have; 0: one
}

// Bench is one scratch queue.
type Bench interface {
	// Queue is the queue over the i-th of the ordered connections, as the i-th process
	// would have it; beyond their number they are used in turn.
	Queue(i int) Queue
	// Pass lets time pass for the queue: by its clock, or by waiting.
	Pass(ctx context.Context, d time.Duration) error
	// Drop drops the tables. It may be called with a context that outlives the drill.
	Drop(ctx context.Context) error
}
