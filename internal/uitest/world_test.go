package uitest_test

import (
	"cmp"
	"context"
	"fmt"
	"image/color"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/leasetop/leasetop/actions"
	"github.com/leasetop/leasetop/internal/diagnose"
	"github.com/leasetop/leasetop/internal/profile"
	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqlite"
	"github.com/leasetop/leasetop/internal/tape"
	"github.com/leasetop/leasetop/internal/worker"
	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/poller"
	"github.com/leasetop/leasetop/themes"
	"github.com/leasetop/leasetop/ui"
)

// queueName is the queue of the stories.
const queueName = "orders"

// lease is the usual lease of the stories.
const lease = 30 * time.Second

// world is a queue at work on virtual time: the real embedded engine on a file of
// its own, the real poller, tape, rules and desk. Whatever it starts ends with the
// story.
type world struct {
	*testing.T
	*store.Queue
	ctx    context.Context
	stop   context.CancelFunc
	all    sync.WaitGroup
	gate   *gate
	poller *poller.Poller
	tape   *tape.Tape
	desk   *actions.Desk
	target actions.Target

	training bool
	payloads bool   // those that are read are kept
	notice   string // what is said at the start
	notices  chan string
	theme    string // dark when empty
	notes    journal
	runs     records
	calm     *actions.Calm
	ids      atomic.Int64
}

// newWorld makes the world; the poller starts with watch.
func newWorld(t *testing.T) *world { return worldOf(t, profile.Lease, time.Second) }

// worldOf is a world whose table has the profile and is polled every so often.
func worldOf(t *testing.T, prof string, every time.Duration) *world {
	t.Helper()
	db, err := sqlite.Open(sqlite.Options{Path: filepath.Join(t.TempDir(), "orders.db"), Create: true})
	if err != nil {
		t.Fatal(err)
	}
	shipped := mapping(t, profile.Lease) // the bare columns are among its own
	if err := db.MakeSchema(t.Context(), &shipped); err != nil {
		t.Fatal(err)
	}
	return worldOn(t, db, mapping(t, prof), every)
}

// worldOn is a world whose queue is on a server that is open already.
func worldOn(t *testing.T, db *store.DB, m model.Mapping, every time.Duration) *world {
	t.Helper()
	w := &world{T: t, Queue: db.Queue(m)}
	w.ctx, w.stop = context.WithCancel(context.Background())
	t.Cleanup(func() {
		w.stop()
		w.gate.open()
		synctest.Wait() // calls that hung come back and find that nobody waits
		w.all.Wait()
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	w.gate = &gate{Queue: w.Queue}
	w.tape = tape.New(tape.Options{Every: every})
	w.calm = actions.NewCalm()
	rules := diagnose.New()
	w.poller = poller.New([]poller.Target{{Queue: queueName, Server: "file", Source: w.gate, Dirty: w.Dirty}}, poller.Options{
		Every: every, Jitter: func() float64 { return 0.5 },
		Enrich: func(s *model.Snapshot) {
			w.tape.Observe(s)
			rules.Observe(s)
			w.calm.Observe(s)
			w.tape.Keep(s)
		},
	})
	w.target = actions.Target{Store: w.Queue, Control: true}
	return w
}

func mapping(t *testing.T, prof string) model.Mapping {
	t.Helper()
	m, err := profile.For(prof, queueName, model.Table{Name: "Orders"})
	if err != nil {
		t.Fatal(err)
	}
	m.Lease = lease
	return m
}

// watch starts the poller and gives the program that shows what it sees.
func (w *world) watch() tea.Model {
	w.desk = actions.New(map[string]actions.Target{queueName: w.target}, &w.notes, "ops")
	w.desk.KeepRuns(&w.runs, w.calm.Look)
	w.all.Go(func() { _ = w.poller.Run(w.ctx) })
	o := ui.Options{
		Context: w.ctx, Feed: w.poller, History: w.tape, Desk: w.desk, Details: details{w.Queue}, Finder: details{w.Queue}, Past: w.tape, Save: w.save,
		Production: func(string) bool { return w.target.Production }, Training: w.training, Theme: cmp.Or(w.theme, "dark"), Version: "v0",
	}
	o.Notice, o.Notices = w.notice, w.notices
	if w.payloads {
		o.Keep, o.Carried = w.tape.KeepPayload, w.tape.Payload
	}
	return ui.New(o)
}

// save writes the hour to a file.
func (w *world) save(path string) error {
	return w.tape.Save(path, tape.About{Made: "v0", Payloads: w.payloads})
}

// details reads single jobs of the world's only queue.
type details struct{ *store.Queue }

func (d details) Inspect(ctx context.Context, _ string, k model.Key) (*model.Job, time.Time, error) {
	return d.Queue.Inspect(ctx, k)
}

func (d details) Payload(ctx context.Context, _ string, k model.Key, limit int) (model.Payload, error) {
	return d.Queue.Payload(ctx, k, limit)
}

func (d details) History(ctx context.Context, _ string, k model.Key, n int) ([]model.Event, time.Time, error) {
	return d.Queue.History(ctx, k, n)
}

func (d details) Page(ctx context.Context, _ string, v model.View) (model.Page, time.Time, error) {
	return d.Queue.Page(ctx, v)
}

func (d details) Locks(ctx context.Context, _ string, k model.Key) (model.Locks, error) {
	return d.Queue.Locks(ctx, k)
}

func (d details) FindOperation(ctx context.Context, _, id string) ([]*model.Job, bool, time.Time, error) {
	f, at, err := d.Queue.FindOperation(ctx, id)
	return f.Jobs, f.Whole, at, err
}

func (d details) FindWorker(ctx context.Context, _, worker string) ([]*model.Job, bool, time.Time, error) {
	f, at, err := d.Queue.FindWorker(ctx, worker)
	return f.Jobs, f.Whole, at, err
}

// token is what a colour of the dark theme stands for.
func token(c color.Color) string {
	theme, _ := themes.ByName("dark")
	r, g, b, _ := c.RGBA()
	hex := fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)
	for _, t := range themes.Tokens() {
		if ink := theme.Dark[t]; ink.Fore.Hex == hex || ink.Ground.Hex == hex {
			return t.String()
		}
	}
	return hex
}

// guid is an id that nobody has used, the same at every run; the first digits of
// two in a row differ.
func (w *world) guid() string {
	return fmt.Sprintf("%08X-A1B2-4C3D-9E8F-0123456789AB", uint32(w.ids.Add(1))*0x9E3779B1) //nolint:gosec // any bits serve
}

// enqueue adds jobs, the same at every run.
func (w *world) enqueue(n int, change ...func(*model.NewJob)) []model.Key {
	w.Helper()
	jobs := worker.Load{Seed: 1}.Jobs(n)
	for i := range jobs {
		jobs[i].Operation = w.guid()
		for _, f := range change {
			f(&jobs[i])
		}
	}
	keys, err := w.Enqueue(w.ctx, jobs)
	if err != nil || len(keys) != n {
		w.Fatalf("%d jobs enqueued, %d keys: %v", n, len(keys), err)
	}
	return keys
}

// claim takes n jobs by hand; nobody beats for them.
func (w *world) claim(name string, n int, d time.Duration) []model.Claim {
	w.Helper()
	claims, err := w.Claim(w.ctx, w.guid(), name, n, d)
	if err != nil || len(claims) != n {
		w.Fatalf("%d claims of %d: %v", len(claims), n, err)
	}
	return claims
}

// job is the row as it is now.
func (w *world) job(k model.Key) *model.Job {
	w.Helper()
	j, _, err := w.Inspect(w.ctx, k)
	if err != nil || j == nil {
		w.Fatalf("job %s: %v, %v", k, j, err)
	}
	return j
}

// work runs a pool until stop is called or the story ends.
func (w *world) work(h worker.Handler, o worker.Options) (stop func()) {
	ctx, cancel := context.WithCancel(w.ctx)
	if o.Lease == 0 {
		o.Lease = lease
	}
	o.Grace = -1
	w.all.Go(func() { _ = worker.New(w.Queue, h, o).Run(ctx) })
	return cancel
}
