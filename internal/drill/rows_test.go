package drill_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/leasetop/leasetop/internal/drill"
	"github.com/leasetop/leasetop/internal/profile"
	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqlite"
	"github.com/leasetop/leasetop/internal/worker"
	"github.com/leasetop/leasetop/model"
)

// rowQueue is a destructive queue as workers take rows from it.
type rowQueue struct{ *store.Queue }

func (q rowQueue) Hold(ctx context.Context, session string, n int) (worker.Batch, error) {
	h, err := q.Queue.Hold(ctx, session, n)
	if err != nil || h == nil {
		return nil, err
	}
	return h, nil
}

// newRows makes a queue of n rows and opens it as several processes would.
func newRows(t *testing.T, order model.Order, n, processes int) []rowQueue {
	t.Helper()
	m, err := profile.For(profile.Destructive, "rows", model.Table{Name: "Rows"})
	if err != nil {
		t.Fatal(err)
	}
	m.Lane.Order = order
	path := filepath.Join(t.TempDir(), "rows.db")
	var out []rowQueue
	for range processes {
		db, err := sqlite.Open(sqlite.Options{Path: path, Create: true})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { db.Close() })
		if err := db.MakeSchema(t.Context(), &m); err != nil {
			t.Fatal(err)
		}
		out = append(out, rowQueue{db.Queue(m)})
	}
	for made := 0; made < n; {
		jobs := make([]model.NewJob, min(5000, n-made))
		for i := range jobs {
			jobs[i].Payload = fmt.Sprintf(`{"QDateTime": %d, "CustomerID": 1, "OrderID": %d}`, 1_700_000_000_000+made+i, made+i)
		}
		if _, err := out[0].Enqueue(t.Context(), jobs); err != nil {
			t.Fatal(err)
		}
		made += len(jobs)
	}
	return out
}

func tables(t *testing.T, q rowQueue) (ready, dead int) {
	t.Helper()
	p, _, err := q.Pulse(t.Context(), model.PulseAsk{})
	if err != nil {
		t.Fatal(err)
	}
	return int(p.Ready.N), int(p.Failed.N)
}

// TestRowsAreConserved runs workers that are killed, fail and are stopped, in both
// modes: inserted = done + ready + dead + lost, and only autocommit loses.
func TestRowsAreConserved(t *testing.T) {
	for _, mode := range model.Modes() {
		for _, batch := range []int{1, 5} {
			t.Run(fmt.Sprintf("%s, batches of %d", mode, batch), func(t *testing.T) {
				t.Parallel()
				const rows = 120
				q := newRows(t, model.FIFO, rows, 1)[0]
				var l drill.RowLedger
				var n atomic.Int64
				ctx, stop := context.WithCancel(t.Context())
				defer stop()
				handler := worker.FaultyRows(func(context.Context, model.Claim) error { return nil }, func(model.Claim) worker.Fault {
					i := n.Add(1)
					if i == 1 { // from the first row on, however long that one takes
						time.AfterFunc(1500*time.Millisecond, stop)
					}
					switch i % 17 {
					case 3:
						return worker.Kill
					case 8:
						return worker.Poison
					}
					return worker.NoFault
				})
				o := worker.RowOptions{Workers: 4, Batch: batch, Mode: mode, Bury: true, Tries: 2, Idle: 20 * time.Millisecond, Events: l.Note}
				if err := worker.NewRows(q, handler, o).Run(ctx); err != nil {
					t.Fatal(err)
				}
				ready, dead := tables(t, q)
				r := drill.Conservation(&l, drill.RowFacts{Inserted: rows, Ready: ready, Dead: dead, Mode: mode})
				if !r.OK {
					t.Errorf("%s: %s", r.Figure, r.Text)
				}
				if mode == model.Autocommit && ready+dead == rows {
					t.Error("nothing was worked on")
				}
				t.Log(r.Figure)
			})
		}
	}
}

// TestConservationSees holds that a row too few and a row too many are both seen.
func TestConservationSees(t *testing.T) {
	key, token := model.KeyOf(model.IntValue(1)), model.TokenOf(model.TextValue("a"))
	for name, c := range map[string]struct {
		events []worker.Event
		facts  drill.RowFacts
	}{
		"one vanished":          {nil, drill.RowFacts{Inserted: 2, Ready: 1}},
		"one twice":             {[]worker.Event{{Kind: worker.EventClaimed, Key: key, Token: token}, {Kind: worker.EventCompleted, Key: key, Token: token}}, drill.RowFacts{Inserted: 1, Ready: 1}},
		"lost in a transaction": {[]worker.Event{{Kind: worker.EventClaimed, Key: key, Token: token}, {Kind: worker.EventLost, Key: key, Token: token}}, drill.RowFacts{Inserted: 1, Mode: model.Transaction}},
		"an end of nothing":     {[]worker.Event{{Kind: worker.EventCompleted, Key: key, Token: token}}, drill.RowFacts{}},
		"never ended":           {[]worker.Event{{Kind: worker.EventClaimed, Key: key, Token: token}}, drill.RowFacts{Inserted: 1, Ready: 1}},
	} {
		var l drill.RowLedger
		for _, e := range c.events {
			l.Note(e)
		}
		if r := drill.Conservation(&l, c.facts); r.OK {
			t.Errorf("%s: not seen: %s", name, r.Figure)
		}
	}
}

// TestEachRowToExactlyOneProcess is many dequeuers over several openings of one
// file: what went in came out, each row once.
func TestEachRowToExactlyOneProcess(t *testing.T) {
	for _, batch := range []int{1, 50} {
		t.Run(fmt.Sprintf("batches of %d", batch), func(t *testing.T) {
			rows := dequeuedOne
			if batch > 1 {
				rows = dequeuedMany
			}
			queues := newRows(t, model.FIFO, rows, 4)
			var (
				mu   sync.Mutex
				seen = make(map[string]int, rows)
				wg   sync.WaitGroup
			)
			for i := range 64 {
				wg.Go(func() {
					for {
						c, err := queues[i%len(queues)].Dequeue(t.Context(), batch)
						var f *model.Fault
						if errors.As(err, &f) && f.Class != model.FaultOther && !f.Unsure {
							continue
						}
						if err != nil {
							t.Error(err)
							return
						}
						if len(c) == 0 {
							return
						}
						mu.Lock()
						for _, one := range c {
							seen[one.Key.Values()[2].Text]++
						}
						mu.Unlock()
					}
				})
			}
			wg.Wait()
			if len(seen) != rows {
				t.Errorf("%d of %d rows came out", len(seen), rows)
			}
			for id, n := range seen {
				if n != 1 {
					t.Errorf("row %s came out %d times", id, n)
				}
			}
		})
	}
}

// TestOrderOfASingleConsumer holds the three orders.
func TestOrderOfASingleConsumer(t *testing.T) {
	for _, order := range model.Orders() {
		t.Run(order.String(), func(t *testing.T) {
			t.Parallel()
			const rows = 100
			q := newRows(t, order, rows, 1)[0]
			var got []int64
			for {
				c, err := q.Dequeue(t.Context(), 7)
				if err != nil {
					t.Fatal(err)
				}
				if len(c) == 0 {
					break
				}
				for _, one := range c {
					n, _ := one.Key.Values()[2].Int()
					got = append(got, n)
				}
			}
			if len(got) != rows {
				t.Fatalf("%d rows came out of %d", len(got), rows)
			}
			for i := range got[1:] {
				up := got[i+1] > got[i]
				if order == model.FIFO && !up || order == model.LIFO && up {
					t.Fatalf("%s: %d came before %d", order, got[i], got[i+1])
				}
			}
		})
	}
}
