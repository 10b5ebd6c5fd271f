package worker_test

import (
	"context"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/leasetop/leasetop/internal/drill"
	"github.com/leasetop/leasetop/internal/profile"
	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqlite"
	"github.com/leasetop/leasetop/internal/worker"
	"github.com/leasetop/leasetop/model"
)

// The tests of this package run on the real embedded engine. Inside a bubble of
// testing/synctest its clock is virtual too, because the engine takes the time
// from time.Now.

// bench is one queue on a fresh file with everything that a test watches.
type bench struct {
	*store.Queue
	t      testing.TB
	db     *store.DB
	ledger drill.Ledger

	mu     sync.Mutex
	events []worker.Event
}

var _ worker.Queue = (*store.Queue)(nil)

func newBench(t testing.TB) *bench {
	return benchAt(t, filepath.Join(t.TempDir(), "queue.db"), profile.Lease)
}

// benchAt makes the shipped table and binds it by a profile: the document's five
// columns are among its own.
func benchAt(t testing.TB, path, prof string) *bench {
	t.Helper()
	db, err := sqlite.Open(sqlite.Options{Path: path, Create: true, Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	shipped, m := mapping(t, profile.Lease), mapping(t, prof)
	if err := db.MakeSchema(context.Background(), &shipped); err != nil {
		t.Fatal(err)
	}
	return &bench{Queue: db.Queue(m), t: t, db: db}
}

func mapping(t testing.TB, prof string) model.Mapping {
	t.Helper()
	m, err := profile.For(prof, "", model.Table{Name: "Orders"})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// note is the events hook.
func (b *bench) note(e worker.Event) {
	b.ledger.Note(e)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.events = append(b.events, e)
}

// of gives the events of a kind so far.
func (b *bench) of(k worker.Kind) (out []worker.Event) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, e := range b.events {
		if e.Kind == k {
			out = append(out, e)
		}
	}
	return out
}

func (b *bench) enqueue(n int, change ...func(*model.NewJob)) []model.Key {
	b.t.Helper()
	jobs := worker.Load{Seed: 1}.Jobs(n)
	for i := range jobs {
		for _, f := range change {
			f(&jobs[i])
		}
	}
	keys, err := b.Enqueue(context.Background(), jobs)
	if err != nil {
		b.t.Fatal(err)
	}
	if len(keys) != n {
		b.t.Fatalf("%d jobs enqueued, %d keys came back", n, len(keys))
	}
	return keys
}

func (b *bench) job(k model.Key) *model.Job {
	b.t.Helper()
	j, _, err := b.Inspect(context.Background(), k)
	if err != nil || j == nil {
		b.t.Fatalf("job %s: %v, %v", k, j, err)
	}
	return j
}

// check holds the run to the invariants.
func (b *bench) check(keys []model.Key) drill.Report {
	b.t.Helper()
	f, err := drill.Gather(context.Background(), b, keys)
	if err != nil {
		b.t.Fatal(err)
	}
	r := drill.Check(&b.ledger, f)
	if !r.OK() {
		b.t.Errorf("the guarantees do not hold:\n%s", r)
	}
	return r
}

// running is a pool that runs until stop.
type running struct {
	stop context.CancelFunc
	done chan error
}

func (b *bench) start(q worker.Queue, h worker.Handler, o worker.Options) *running {
	o.Events = b.note
	ctx, cancel := context.WithCancel(context.Background())
	r := &running{stop: cancel, done: make(chan error, 1)}
	go func() { r.done <- worker.New(q, h, o).Run(ctx) }()
	return r
}

// end stops the pool and gives what Run returned.
func (r *running) end() error {
	r.stop()
	return <-r.done
}

// ended waits until every one of n jobs is done or failed.
func (b *bench) ended(n int) {
	b.t.Helper()
	for range 10_000 {
		p, _, err := b.Pulse(context.Background(), model.PulseAsk{})
		if err != nil {
			b.t.Fatal(err)
		}
		if p.Ready.N+p.Scheduled.N+p.Working.N == 0 && int(p.Done.N+p.Failed.N) >= n {
			return
		}
		wait(100 * time.Millisecond)
	}
	b.t.Fatal("the queue does not come to its end")
}

// wait lets virtual time pass.
func wait(d time.Duration) { <-time.After(d) }

// tamper is a queue with some calls replaced.
type tamper struct {
	worker.Queue
	claim    func(ctx context.Context, token, worker string, n int, lease time.Duration) ([]model.Claim, error)
	beat     func(ctx context.Context, k model.Key, t model.Token, lease time.Duration) ([]model.Change, error)
	complete func(ctx context.Context, k model.Key, t model.Token) ([]model.Change, error)
	inspect  func(ctx context.Context, k model.Key) (*model.Job, time.Time, error)
	pulse    func(ctx context.Context, ask model.PulseAsk) (model.Pulse, time.Time, error)
	promote  func(ctx context.Context, limit int) ([]model.Change, error)
}

func (q *tamper) Claim(ctx context.Context, token, name string, n int, lease time.Duration) ([]model.Claim, error) {
	if q.claim != nil {
		return q.claim(ctx, token, name, n, lease)
	}
	return q.Queue.Claim(ctx, token, name, n, lease)
}

func (q *tamper) Heartbeat(ctx context.Context, k model.Key, t model.Token, lease time.Duration) ([]model.Change, error) {
	if q.beat != nil {
		return q.beat(ctx, k, t, lease)
	}
	return q.Queue.Heartbeat(ctx, k, t, lease)
}

func (q *tamper) Complete(ctx context.Context, k model.Key, t model.Token) ([]model.Change, error) {
	if q.complete != nil {
		return q.complete(ctx, k, t)
	}
	return q.Queue.Complete(ctx, k, t)
}

func (q *tamper) Inspect(ctx context.Context, k model.Key) (*model.Job, time.Time, error) {
	if q.inspect != nil {
		return q.inspect(ctx, k)
	}
	return q.Queue.Inspect(ctx, k)
}

func (q *tamper) Pulse(ctx context.Context, ask model.PulseAsk) (model.Pulse, time.Time, error) {
	if q.pulse != nil {
		return q.pulse(ctx, ask)
	}
	return q.Queue.Pulse(ctx, ask)
}

func (q *tamper) Promote(ctx context.Context, limit int) ([]model.Change, error) {
	if q.promote != nil {
		return q.promote(ctx, limit)
	}
	return q.Queue.Promote(ctx, limit)
}
