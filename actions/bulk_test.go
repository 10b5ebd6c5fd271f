package actions

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/leasetop/leasetop/model"
)

// shelf is a table in memory whose acts do what their statements say, on virtual
// time. A test puts faults in their way.
type shelf struct {
	mu      sync.Mutex
	mapping model.Mapping
	jobs    map[model.Key]*model.Job
	acts    map[string]int          // how often each act took effect, by its id
	effects map[model.Key]int       // how often a row was changed
	sends   int                     // statements that arrived
	before  func(n int) error       // a fault before the n-th statement takes effect
	after   func(n int) error       // a fault after it
	read    func(k model.Key) error // a fault of a look
	stray   bool                    // statements say that they took another row
}

func newShelf(n int) *shelf {
	s := &shelf{jobs: map[model.Key]*model.Job{}, acts: map[string]int{}, effects: map[model.Key]int{}}
	s.mapping = model.Mapping{Queue: "orders", Family: model.Fenced, Lease: time.Minute, Keys: []model.Column{{Name: "JobId", Type: model.Int}}}
	for i := range n {
		s.put(expired(i))
	}
	return s
}

// expired is the i-th job, whose lease ran out.
func expired(i int) *model.Job {
	return &model.Job{
		Key: model.KeyOf(model.IntValue(int64(i))), State: model.Working, Worker: "pick-07",
		Token: model.TokenOf(model.GUIDValue(fmt.Sprintf("00000000-0000-4000-8000-%012d", i))),
		Lease: instant(time.Now().Add(-10 * time.Minute)),
	}
}

func instant(at time.Time) model.Instant {
	return model.Instant{At: at, Raw: model.TimeValue(at.Format(time.RFC3339Nano))}
}

func (s *shelf) put(j *model.Job) { s.jobs[j.Key] = j }

// list is all jobs, in the order of their numbers.
func (s *shelf) list() []*model.Job {
	out := make([]*model.Job, 0, len(s.jobs))
	for i := range len(s.jobs) {
		out = append(out, s.jobs[model.KeyOf(model.IntValue(int64(i)))])
	}
	return out
}

// renew is a heartbeat.
func (s *shelf) renew(i int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	j := *s.jobs[model.KeyOf(model.IntValue(int64(i)))]
	j.Lease = instant(time.Now().Add(time.Minute))
	s.jobs[j.Key] = &j
}

func (s *shelf) Mapping() *model.Mapping { return &s.mapping }

func (s *shelf) Caps() (model.Caps, bool) {
	return model.Caps{Can: map[model.Feature]model.Verdict{model.CanControl: model.Yes()}}, true
}

func (s *shelf) Inspect(_ context.Context, k model.Key) (*model.Job, time.Time, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.read != nil {
		if err := s.read(k); err != nil {
			return nil, time.Time{}, err
		}
	}
	return s.jobs[k], time.Now(), nil
}

func (s *shelf) Render(context.Context, model.Intent) (model.Statement, error) {
	return model.Statement{Text: "UPDATE"}, nil
}

func (s *shelf) Apply(_ context.Context, i model.Intent) ([]model.Change, time.Time, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sends++
	if s.before != nil {
		if err := s.before(s.sends); err != nil {
			return nil, time.Time{}, err
		}
	}
	c := s.change(i)
	if s.stray && len(c) > 0 {
		c[0].Key = model.KeyOf(model.IntValue(4711))
	}
	if s.after != nil {
		if err := s.after(s.sends); err != nil {
			return nil, time.Time{}, err
		}
	}
	return c, time.Now(), nil
}

func (s *shelf) change(i model.Intent) []model.Change {
	j := s.jobs[i.Key]
	if j == nil || j.State != i.Seen.State || j.Token != i.Seen.Token || i.Action == model.Reclaim && !j.Expired(time.Now()) {
		return nil
	}
	next := &model.Job{Key: j.Key, State: model.Ready, Token: model.TokenOf(model.GUIDValue(i.ActionID))}
	s.jobs[j.Key] = next
	s.acts[i.ActionID]++
	s.effects[j.Key]++
	return []model.Change{{Key: j.Key, OldState: j.State, NewState: next.State, OldToken: j.Token, NewToken: next.Token, OldLease: j.Lease}}
}

func (s *shelf) Audit(context.Context, model.Key, string) (*model.Event, error) { return nil, nil }
func (s *shelf) Remembered(context.Context) (time.Duration, error)              { return 0, nil }
func (s *shelf) History(context.Context, model.Key, int) ([]model.Event, time.Time, error) {
	return nil, time.Now(), nil
}

// file is a record in memory.
type file struct {
	mu    sync.Mutex
	sent  []model.Plan
	done  []model.Receipt
	ended []Result
	full  int // after how many lines nothing can be written; 0: never
	torn  int // the one line that cannot be written; 0: none
	lines int // that were to be written
}

func (f *file) write() error {
	if f.lines++; f.lines == f.torn || f.full > 0 && len(f.sent)+len(f.done) >= f.full {
		return fmt.Errorf("disk full")
	}
	return nil
}

func (f *file) Sent(p model.Plan, _ time.Time) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.write(); err != nil {
		return err
	}
	f.sent = append(f.sent, p)
	return nil
}

func (f *file) Done(r model.Receipt) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.write(); err != nil {
		return err
	}
	f.done = append(f.done, r)
	return nil
}

func (f *file) Row(model.Key) {}

func (f *file) Place() string { return "receipts.jsonl" }

func (f *file) End(r Result) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.ended = append(f.ended, r)
	return nil
}

func (f *file) Begin(Set) (Record, error) { return f, nil }

// bulkDesk is a desk over a shelf.
func bulkDesk(s *shelf, f *file, t Target) *Desk {
	t.Store, t.Control = s, true
	d := New(map[string]Target{"orders": t}, f, "ops")
	d.KeepRuns(f, nil)
	return d
}

// again is the set with what the record knows of each row, as a resumed run has it.
func (f *file) again(s Set) Set {
	last := map[model.Key]model.Receipt{}
	for _, p := range f.sent {
		last[p.Intent.Key] = model.Receipt{Intent: p.Intent, Before: p.Row, Sent: time.Now()}
	}
	for _, r := range f.done {
		last[r.Intent.Key] = r
	}
	rows := append([]Row(nil), s.Rows...)
	for i := range rows {
		rows[i].Earlier = last[rows[i].Key]
	}
	s.Rows = rows
	return s
}
