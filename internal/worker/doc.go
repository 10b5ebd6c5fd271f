// Package worker runs a lease queue: claim, heartbeat, work, then complete, fail
// or release; recovery of what others left behind; a load generator; and faults
// as decorators, for drills and for the training queue.
//
// The parts, and how they are wired:
//
//	New(q Queue, h Handler, o Options) *Pool           // workers of one process
//	(*Pool).Run(ctx context.Context) error             // until ctx ends, then drains
//	NewRecoverer(q Queue, o RecoverOptions) *Recoverer // inside every pool, or alone
//	(*Recoverer).Run(ctx context.Context) error        // `leasetop recover`
//	(*Recoverer).Once(ctx context.Context) (Recovery, error) // `leasetop recover --once`
//	Simulate.Handle                                    // a Handler that only takes time
//	NewExec(o ExecOptions) (*Exec, error)              // a Handler that runs a command for each job
//	Load.Run(ctx context.Context, q Queue) error       // enqueues until ctx ends
//	Faulty(q Queue, f Faults) Queue                    // a queue that loses replies and beats
//	FaultyHandler(h Handler, f Faults) Handler         // a handler that hangs, stalls, fails
//	Training{Seed, Events}.Run(ctx context.Context, q Queue) error // the training queue
//
// What happens is told to Options.Events, for logs, counters and the ledger of a
// drill. A store's bound queue satisfies Queue.
//
// A lease cannot stop a worker: a job runs at least once. The token is what keeps
// a late worker from ending somebody else's attempt, and the operation id is what
// makes a repeated effect harmless. A worker therefore fences itself: past its own
// deadline, or once it learns that its claim is gone, the handler's context ends
// with the cause ErrLost and nothing is completed.
package worker
