package worker

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/leasetop/leasetop/model"
)

// Handler does a job's work. A nil error completes the job; any other fails the
// attempt with the error's text as its diagnostic, and so does a panic. The
// context ends with the cause ErrLost when the claim is gone or its lease can no
// longer be trusted: nothing is recorded then. It ends with the cause ErrDrain
// when the process has to stop: an error then gives the job back untouched.
type Handler func(ctx context.Context, c model.Claim) error

// ErrLost is the cause of a handler's context once the claim is gone. A handler
// that finds out by itself returns it, and nothing is recorded.
var ErrLost = errors.New("the claim is lost: another attempt may be running")

// ErrDrain is the cause of a handler's context once the grace of a drain is over.
var ErrDrain = errors.New("the worker is stopping")

// ErrUnable is what a handler returns that cannot work on any job. The job is given
// back untouched and the pool drains: going on would burn the attempts of every job.
var ErrUnable = errors.New("this worker cannot work")

// The defaults of Options.
const (
	DefaultIdle  = time.Second
	DefaultGrace = 30 * time.Second
	DefaultStop  = 5 * time.Second
)

// Options say how a pool works. The zero Options are one worker with the model's
// default lease and back-off.
type Options struct {
	Workers int      // how many jobs run at once; 0: one
	Names   []string // the workers' names, used in turn; empty: "worker-01" …
	Batch   int      // jobs a claim, worked on one after the other; 0: one

	Lease   time.Duration // 0: model.DefaultLease
	Beat    time.Duration // between heartbeats; 0: a third of the lease
	Margin  time.Duration // how long before its lease a worker fences itself; 0: a tenth of the lease
	Backoff model.Backoff // before a failed attempt is due again; zero: the model's default

	Idle  time.Duration // longest pause after an empty claim; 0: DefaultIdle
	Grace time.Duration // how long a drain lets work in hand end; 0: DefaultGrace, negative: not at all
	Stop  time.Duration // how long a cancelled handler is waited for; 0: DefaultStop

	Recover RecoverOptions // of the recovery that runs inside; its Lease, Backoff and Events default to the pool's
	Alone   bool           // no recovery inside: somebody else recovers

	Events func(Event) // called from many goroutines at once; must not block
}

func (o Options) filled() Options {
	o.Workers, o.Batch = max(o.Workers, 1), max(o.Batch, 1)
	o.Lease = or(o.Lease, model.DefaultLease)
	o.Beat = or(o.Beat, o.Lease/3)
	o.Margin = or(o.Margin, o.Lease/10)
	if o.Backoff == (model.Backoff{}) {
		o.Backoff = model.DefaultBackoff()
	}
	o.Idle = or(o.Idle, DefaultIdle)
	if o.Grace == 0 {
		o.Grace = DefaultGrace
	}
	o.Grace = max(o.Grace, 0)
	o.Stop = or(o.Stop, DefaultStop)
	o.Recover.Lease = or(o.Recover.Lease, o.Lease)
	if o.Recover.Backoff == (model.Backoff{}) {
		o.Recover.Backoff = o.Backoff
	}
	if o.Recover.Events == nil {
		o.Recover.Events = o.Events
	}
	return o
}

// name is the i-th worker's name.
func (o *Options) name(i int) string {
	if len(o.Names) > 0 {
		return o.Names[i%len(o.Names)]
	}
	return fmt.Sprintf("worker-%02d", i+1)
}

func or(d, otherwise time.Duration) time.Duration {
	if d > 0 {
		return d
	}
	return otherwise
}
