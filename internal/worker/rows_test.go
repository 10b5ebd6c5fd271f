package worker_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/leasetop/leasetop/internal/worker"
	"github.com/leasetop/leasetop/model"
)

// rowBox is a destructive queue in memory.
type rowBox struct {
	mu                         sync.Mutex
	ready, dead                []model.Key
	commit                     error // what a commit answers
	noDead                     error // what a burial answers
	abandoned, rolled, settled int
}

func box(n int) *rowBox {
	b := &rowBox{}
	for i := range int64(n) {
		b.ready = append(b.ready, model.KeyOf(model.IntValue(i)))
	}
	return b
}

func (b *rowBox) take(n int) []model.Claim {
	b.mu.Lock()
	defer b.mu.Unlock()
	n = min(n, len(b.ready))
	out := make([]model.Claim, n)
	for i := range out {
		out[i].Key = b.ready[i]
	}
	b.ready = append([]model.Key(nil), b.ready[n:]...)
	return out
}

func (b *rowBox) Dequeue(_ context.Context, n int) ([]model.Claim, error) { return b.take(n), nil }

func (b *rowBox) Bury(_ context.Context, k model.Key, _, _, _ string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.noDead == nil {
		b.dead = append(b.dead, k)
	}
	return b.noDead
}

func (b *rowBox) Return(_ context.Context, rows []model.Key) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ready = append(append([]model.Key(nil), rows...), b.ready...)
	return nil
}

func (b *rowBox) Hold(_ context.Context, _ string, n int) (worker.Batch, error) {
	if rows := b.take(n); len(rows) > 0 {
		return &rowBatch{b: b, rows: rows}, nil
	}
	return nil, nil
}

type rowBatch struct {
	b      *rowBox
	rows   []model.Claim
	buried []model.Key
}

func (t *rowBatch) Rows() []model.Claim { return t.rows }

func (t *rowBatch) Bury(_ context.Context, k model.Key, _, _, _ string) error {
	t.buried = append(t.buried, k)
	return t.b.noDead
}

func (t *rowBatch) Commit(context.Context) error {
	t.b.mu.Lock()
	defer t.b.mu.Unlock()
	t.b.settled++
	if t.b.commit == nil {
		t.b.dead = append(t.b.dead, t.buried...)
	}
	return t.b.commit
}

func (t *rowBatch) Rollback(ctx context.Context) error {
	t.b.mu.Lock()
	t.b.rolled++
	t.b.mu.Unlock()
	return t.back(ctx)
}

func (t *rowBatch) Abandon() {
	t.b.mu.Lock()
	t.b.abandoned++
	t.b.mu.Unlock()
	t.back(context.Background()) //nolint:errcheck // the box's never fails
}

func (t *rowBatch) back(ctx context.Context) error {
	keys := make([]model.Key, len(t.rows))
	for i, c := range t.rows {
		keys[i] = c.Key
	}
	return t.b.Return(ctx, keys)
}

// TestWhatBecomesOfARow runs one worker on a few rows and looks where each of them
// is at the end.
func TestWhatBecomesOfARow(t *testing.T) {
	unsure := &model.Fault{Class: model.FaultNetwork, Text: "the reply was lost", Unsure: true}
	fails := func(context.Context, model.Claim) error { return errors.New("no such article") }
	for name, c := range map[string]struct {
		box  *rowBox
		h    worker.Handler
		o    worker.RowOptions
		kind worker.Kind // that every row must have met
		n    int
		dead int
	}{
		"done":                       {box(3), nothing, worker.RowOptions{}, worker.EventCompleted, 3, 0},
		"done in a transaction":      {box(3), nothing, worker.RowOptions{Mode: model.Transaction, Batch: 2}, worker.EventCompleted, 3, 0},
		"failed":                     {box(3), fails, worker.RowOptions{Bury: true}, worker.EventFailed, 3, 3},
		"failed, no dead letters":    {box(3), fails, worker.RowOptions{}, worker.EventLost, 3, 0},
		"failed, the burial fails":   {&rowBox{ready: box(2).ready, noDead: errors.New("no")}, fails, worker.RowOptions{Bury: true}, worker.EventLost, 2, 0},
		"three tries":                {box(1), fails, worker.RowOptions{Mode: model.Transaction, Bury: true, Idle: time.Millisecond}, worker.EventFailed, 3, 1},
		"the commit's reply is lost": {&rowBox{ready: box(2).ready, commit: unsure}, nothing, worker.RowOptions{Mode: model.Transaction}, worker.EventUnsure, 2, 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				met := map[worker.Kind]int{}
				var mu sync.Mutex
				c.o.Events = func(e worker.Event) {
					mu.Lock()
					defer mu.Unlock()
					met[e.Kind]++
				}
				ctx, stop := context.WithTimeout(t.Context(), time.Minute)
				defer stop()
				if err := worker.NewRows(c.box, c.h, c.o).Run(ctx); err != nil {
					t.Fatal(err)
				}
				if met[c.kind] != c.n || len(c.box.dead) != c.dead || len(c.box.ready) != 0 {
					t.Errorf("%v, %d dead, %d ready; want %d %s, %d dead", met, len(c.box.dead), len(c.box.ready), c.n, c.kind, c.dead)
				}
			})
		})
	}
}

func nothing(context.Context, model.Claim) error { return nil }

// TestAStoppedWorkerGivesItsRowsBack stops one in the middle of a batch: what was
// not worked on is back in the queue, in both modes, and nothing is lost.
func TestAStoppedWorkerGivesItsRowsBack(t *testing.T) {
	for _, mode := range model.Modes() {
		t.Run(mode.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := box(5)
				slow := func(ctx context.Context, _ model.Claim) error {
					select {
					case <-time.After(10 * time.Second):
						return nil
					case <-ctx.Done():
						return context.Cause(ctx)
					}
				}
				lost := 0
				o := worker.RowOptions{Batch: 5, Mode: mode, Bury: true, Grace: -1, Events: func(e worker.Event) {
					if e.Kind == worker.EventLost {
						lost++
					}
				}}
				ctx, stop := context.WithTimeout(t.Context(), 15*time.Second)
				defer stop()
				if err := worker.NewRows(b, slow, o).Run(ctx); err != nil {
					t.Fatal(err)
				}
				want := 4 // by autocommit the first one is done
				if mode == model.Transaction {
					want = 5 // nothing was committed
				}
				if len(b.ready) != want || lost != 0 || len(b.dead) != 0 {
					t.Errorf("%d ready, %d lost, %d dead; want %d ready", len(b.ready), lost, len(b.dead), want)
				}
			})
		})
	}
}

// TestAKilledWorker is the same worker killed between DELETE and work: by
// autocommit its batch is lost, in a transaction it comes back.
func TestAKilledWorker(t *testing.T) {
	for _, mode := range model.Modes() {
		synctest.Test(t, func(t *testing.T) {
			b := box(3)
			lost, killed := 0, false
			h := worker.FaultyRows(nothing, func(model.Claim) worker.Fault {
				if killed {
					return worker.NoFault
				}
				killed = true
				return worker.Kill
			})
			ctx, stop := context.WithTimeout(t.Context(), time.Minute)
			defer stop()
			o := worker.RowOptions{Batch: 3, Mode: mode, Events: func(e worker.Event) {
				if e.Kind == worker.EventLost {
					lost++
				}
			}}
			if err := worker.NewRows(b, h, o).Run(ctx); err != nil {
				t.Fatal(err)
			}
			want := map[model.Mode]int{model.Autocommit: 3, model.Transaction: 0}[mode]
			if lost != want || b.abandoned != map[model.Mode]int{model.Transaction: 1}[mode] {
				t.Errorf("%s: %d lost, %d abandoned, want %d lost", mode, lost, b.abandoned, want)
			}
		})
	}
}

// TestRowTrainingShowsBothSides plays the training for a minute: rows are locked,
// killed workers' come back, and there is a dead letter.
func TestRowTrainingShowsBothSides(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := &trainingBox{rowBox: box(0)}
		m := &model.Mapping{Family: model.Destructive, Keys: []model.Column{{Name: "OrderID", Type: model.Int, Declared: "int"}}}
		ctx, stop := context.WithTimeout(t.Context(), time.Minute)
		defer stop()
		if err := (worker.RowTraining{Seed: 1, Mapping: m}).Run(ctx, b); err != nil {
			t.Fatal(err)
		}
		if b.abandoned == 0 || len(b.dead) == 0 || b.settled < 10 {
			t.Errorf("%d killed, %d dead, %d done", b.abandoned, len(b.dead), b.settled)
		}
	})
}

// TestRowTrainingEndsWithItsWorkers ends a training whose workers are refused, and
// takes it for no failure that it was told to stop before it had begun.
func TestRowTrainingEndsWithItsWorkers(t *testing.T) {
	m := &model.Mapping{Family: model.Destructive, Keys: []model.Column{{Name: "OrderID", Type: model.Int, Declared: "int"}}}
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithTimeout(t.Context(), time.Minute)
		defer stop()
		if err := (worker.RowTraining{Mapping: m}).Run(ctx, refusing{&trainingBox{rowBox: box(0)}}); err == nil || ctx.Err() != nil {
			t.Errorf("it ended with %v, and the minute with %v", err, ctx.Err())
		}
		over, stop := context.WithCancel(t.Context())
		stop()
		if err := (worker.RowTraining{Mapping: m}).Run(over, refusing{&trainingBox{rowBox: box(0)}}); err != nil {
			t.Errorf("told to stop at once: %v", err)
		}
	})
}

// refusing lets nobody in, and adds nothing once it was told to stop.
type refusing struct{ *trainingBox }

func (refusing) Hold(context.Context, string, int) (worker.Batch, error) {
	return nil, &model.Fault{Class: model.FaultLogin, Text: "the login failed"}
}

func (b refusing) Enqueue(ctx context.Context, jobs []model.NewJob) ([]model.Key, error) {
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return b.trainingBox.Enqueue(ctx, jobs)
}

type trainingBox struct {
	*rowBox
	n int64
}

func (b *trainingBox) Enqueue(_ context.Context, jobs []model.NewJob) ([]model.Key, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for range jobs {
		b.n++
		b.ready = append(b.ready, model.KeyOf(model.IntValue(b.n)))
	}
	return nil, nil
}
