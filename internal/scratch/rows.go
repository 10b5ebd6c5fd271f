package scratch

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/leasetop/leasetop/internal/drill"
	"github.com/leasetop/leasetop/internal/profile"
	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/model"
)

// MakeRows makes an empty destructive queue.
func (l *Lab) MakeRows(ctx context.Context, o drill.RowOrder) (drill.RowBench, error) {
	m, err := profile.For(profile.Destructive, o.Name, l.next(o.Name))
	if err != nil {
		return nil, err
	}
	m.Lane.Order = o.By
	b, err := l.bench(m, drill.Order{Flaw: o.Flaw, Still: o.Still, Processes: o.Processes})
	if err != nil {
		return nil, err
	}
	if err := b.open(ctx, l, m, drill.Order{Flaw: o.Flaw, Processes: o.Processes}); err != nil {
		return nil, errors.Join(err, b.Drop(context.WithoutCancel(ctx)))
	}
	return rowBench{b}, nil
}

// rowBench is one scratch destructive queue.
type rowBench struct{ *bench }

// Queue is the queue over the i-th connection.
func (b rowBench) Queue(i int) drill.RowQueue { return rowQueue{b.queues[i%len(b.queues)]} }

// Kill ends the i-th process: its connections, and with them its transaction or
// the beats of its session.
func (b rowBench) Kill(i int) error { return b.dbs[i%len(b.dbs)].Close() }

// Notice passes the time after which a silent session holds nothing any more. A
// server notices by itself that a connection is gone.
func (b rowBench) Notice(ctx context.Context) error {
	if !b.virtual {
		return nil
	}
	return b.Pass(ctx, store.HoldExpires+time.Second)
}

// rowQueue is a bound queue whose held rows are what the drill calls so.
type rowQueue struct{ *store.Queue }

// Hold takes rows and keeps them locked.
func (q rowQueue) Hold(ctx context.Context, session string, n int) (drill.Held, error) {
	h, err := q.Queue.Hold(ctx, session, n)
	if err != nil || h == nil {
		return nil, err
	}
	return h, nil
}

// next names the next queue of this process.
func (l *Lab) next(what string) model.Table {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.made++
	return l.table(l.made, what)
}

// bench is a queue that is not open yet, with a folder where it is a file.
func (l *Lab) bench(m model.Mapping, o drill.Order) (*bench, error) {
	b := &bench{tables: tablesOf(m), clock: newClock(o), virtual: l.engine.Clock}
	if l.dir == "" {
		return b, nil
	}
	b.dir = filepath.Join(l.dir, m.Table.Name)
	if err := os.Mkdir(b.dir, 0o700); err != nil {
		return nil, fmt.Errorf("the scratch queue: %w", err)
	}
	return b, nil
}

// tablesOf are all tables that a queue's schema can make, by their names: a
// destructive queue has a lock table beside it where row locks are emulated.
func tablesOf(m model.Mapping) []model.Table {
	if m.IsDestructive() {
		return []model.Table{m.Table, m.Lane.Dead, {Schema: m.Table.Schema, Name: m.Table.Name + "_Locks"}}
	}
	return []model.Table{m.Table, m.History, m.Brake}
}
