package scratch

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/leasetop/leasetop/internal/drill"
	"github.com/leasetop/leasetop/internal/profile"
	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqlite"
	"github.com/leasetop/leasetop/model"
)

// The leases that scenes wait for: where the clock is ours it costs nothing.
const (
	clockedLease = time.Minute
	waitedLease  = 1500 * time.Millisecond
)

// The two ways of locking, as reports say them.
const (
	LockingReal     = "real"
	LockingEmulated = "emulated"
)

// OpFit is the operation of the fault that says that nothing can be claimed at a place.
const OpFit = "scratch"

// Place is where scratch tables are made.
type Place struct {
	// Open opens the place once more, as another process would. now is the queue's
	// clock, for an engine that takes its time from its user; others ignore it.
	Open   func(now func() time.Time) (*store.DB, error)
	Schema string // of the tables; empty: the server's own default
	Clock  bool   // the engine takes its time from its user
}

// Lab makes scratch queues at one place. It is safe for use by several goroutines.
type Lab struct {
	place  Place
	host   string // where this process's id counts
	dir    string // of temporary files; empty: tables at a place
	engine drill.Engine

	mu   sync.Mutex
	made int
}

// Embedded is a lab of temporary files on this machine.
func Embedded(ctx context.Context) (*Lab, error) {
	host := hostOf(machine())
	dir, err := os.MkdirTemp("", folderOf(host))
	if err != nil {
		return nil, fmt.Errorf("the scratch queue: %w", err)
	}
	l := &Lab{dir: dir, host: host, engine: drill.Engine{Locking: LockingEmulated, Lease: clockedLease, Clock: true}}
	if err := l.probe(ctx); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return l, nil
}

// On is a lab at a place.
func On(ctx context.Context, p Place) (*Lab, error) {
	l := &Lab{place: p, host: hostOf(machine()), engine: drill.Engine{Locking: LockingReal, Lease: waitedLease, Clock: p.Clock}}
	if p.Clock {
		l.engine.Locking, l.engine.Lease = LockingEmulated, clockedLease
	}
	if err := l.probe(ctx); err != nil {
		return nil, err
	}
	return l, nil
}

// probe makes one queue to see whether it can be made, and whether workers can
// work there.
func (l *Lab) probe(ctx context.Context) error {
	b, err := l.make(ctx, drill.Order{Name: "probe"})
	if err != nil {
		return err
	}
	caps, err := b.queues[0].Probe(ctx)
	if err == nil && !caps.Allows(model.CanWork).OK {
		v := caps.Allows(model.CanWork)
		err = &model.Fault{Class: model.FaultRefused, Op: OpFit, Text: v.Why, Cure: v.Fix}
	}
	l.engine.Name, l.engine.Version = caps.Engine, caps.Version
	return errors.Join(err, b.Drop(context.WithoutCancel(ctx)))
}

// Engine says what the queues stand on.
func (l *Lab) Engine() drill.Engine { return l.engine }

// Close removes the lab's temporary files. Queues must have been dropped.
func (l *Lab) Close() error {
	if l.dir == "" {
		return nil
	}
	return os.RemoveAll(l.dir)
}

// Make makes an empty queue.
func (l *Lab) Make(ctx context.Context, o drill.Order) (drill.Bench, error) {
	b, err := l.make(ctx, o)
	if err != nil {
		return nil, err
	}
	return b, nil
}

func (l *Lab) make(ctx context.Context, o drill.Order) (*bench, error) {
	m, err := profile.For(profile.Lease, o.Name, l.next(o.Name))
	if err != nil {
		return nil, err
	}
	b, err := l.bench(m, o)
	if err != nil {
		return nil, err
	}
	if err := b.open(ctx, l, m, o); err != nil {
		return nil, errors.Join(err, b.Drop(context.WithoutCancel(ctx)))
	}
	return b, nil
}

// bench is one scratch queue.
type bench struct {
	tables  []model.Table
	dir     string // of its own file; empty: tables at a place
	clock   *clock
	virtual bool
	again   func(now func() time.Time) (*store.DB, error)
	dbs     []*store.DB
	queues  []*store.Queue
}

// open opens the queue as often as was ordered, and makes its tables first.
func (b *bench) open(ctx context.Context, l *Lab, m model.Mapping, o drill.Order) error {
	open := l.place.Open
	if b.dir != "" {
		open = func(now func() time.Time) (*store.DB, error) {
			return sqlite.Open(sqlite.Options{Path: filepath.Join(b.dir, "queue.db"), Create: true, Now: now})
		}
	}
	b.again = open
	for i := range max(o.Processes, 1) {
		db, err := open(b.clock.now)
		if err != nil {
			return err
		}
		b.dbs = append(b.dbs, db)
		if i == 0 {
			if err := db.MakeSchema(ctx, &m); err != nil {
				return err
			}
		}
		q := db.Queue(m)
		if o.Flaw != "" {
			if q, err = db.Flawed(m, store.Flaw(o.Flaw)); err != nil {
				return err
			}
		}
		if _, err := q.Probe(ctx); err != nil {
			return err
		}
		b.queues = append(b.queues, q)
	}
	return nil
}

// Queue is the queue over the i-th connection.
func (b *bench) Queue(i int) drill.Queue { return leaseQueue{b.queues[i%len(b.queues)]} }

// Pass lets time pass.
func (b *bench) Pass(ctx context.Context, d time.Duration) error {
	if b.virtual {
		b.clock.pass(d)
		return nil
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Drop drops the tables and closes the connections.
func (b *bench) Drop(ctx context.Context) error {
	var errs []error
	if len(b.dbs) > 0 && b.dir == "" {
		errs = append(errs, b.dropTables(ctx))
	}
	for _, db := range b.dbs {
		errs = append(errs, db.Close())
	}
	if b.dir != "" {
		errs = append(errs, os.RemoveAll(b.dir))
	}
	return errors.Join(errs...)
}

// dropTables drops them over a connection of its own: a scene may have killed any
// of the others.
func (b *bench) dropTables(ctx context.Context) error {
	db, err := b.again(b.clock.now)
	if err != nil {
		return err
	}
	return errors.Join(db.DropScratch(ctx, b.tables...), db.Close())
}

// clock is this machine's time, or a moment, and what it was moved by.
type clock struct {
	from time.Time // zero: this machine's time

	mu  sync.Mutex
	off time.Duration
}

func newClock(o drill.Order) *clock {
	c := &clock{off: o.Skew}
	if o.Still {
		c.from = time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC) // a Monday morning, when stories begin
	}
	return c
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.from.IsZero() {
		return time.Now().Add(c.off)
	}
	return c.from.Add(c.off)
}

func (c *clock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.off += d
}
