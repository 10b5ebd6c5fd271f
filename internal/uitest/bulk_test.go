package uitest_test

import (
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/leasetop/leasetop/actions"
	"github.com/leasetop/leasetop/internal/uitest"
	"github.com/leasetop/leasetop/model"
)

// records keeps the receipts of acts on several jobs in memory.
type records struct {
	mu   sync.Mutex
	sets []actions.Set
	journal
	ends []actions.Result
}

func (r *records) Begin(s actions.Set) (actions.Record, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sets = append(r.sets, s)
	return r, nil
}

func (r *records) Place() string { return "/state/leasetop/bulk/20261130T120431-reclaim-1.jsonl" }

func (r *records) Row(model.Key) {}

func (r *records) End(res actions.Result) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ends = append(r.ends, res)
	return nil
}

// crowd is a story in which so many leases ran out at once.
func crowd(t *testing.T, n int, size [2]int, prepare func(*world), story func(*uitest.Session, *world, []model.Claim)) {
	t.Helper()
	var (
		w    *world
		dead []model.Claim
	)
	uitest.Run(t, uitest.Options{Width: size[0], Height: size[1], Token: token, Model: func(s *uitest.Session) tea.Model {
		w = newWorld(s.T)
		if prepare != nil {
			prepare(w)
		}
		w.enqueue(n + 30)
		dead = w.claim("pick-07", n, lease+300*time.Millisecond) // a whole second is either side of a tick
		return w.watch()
	}}, func(s *uitest.Session) {
		s.Wait(lease + 12*time.Second + half)
		story(s, w, dead)
	})
}

// TestBulkOf412 is the design's own case: 412 are marked, three workers come back
// and 20 more leases run out while the dialog is open. The run waits out the mass
// expiry first, and says why.
func TestBulkOf412(t *testing.T) {
	t.Parallel()
	crowd(t, 412, [2]int{120, 40}, nil, func(s *uitest.Session, w *world, dead []model.Claim) {
		s.Expect("EXPIRED 412")
		s.Press("A", "r")
		s.Expect("reclaim 412 jobs", "what will follow", "412 of 412 leases ran out", "Reclaim 412")
		late := w.claim("pick-08", 20, time.Second)
		for i := range 3 {
			if c, err := w.Heartbeat(w.ctx, dead[100*i].Key, dead[100*i].Token, time.Hour); err != nil || len(c) != 1 {
				t.Fatalf("the heartbeat: %v %v", c, err)
			}
		}
		s.UntilShown(3*time.Second, "changed since: 3 renewed")
		s.Press("enter")
		if n := len(w.runs.sets); n != 0 {
			t.Fatalf("Enter on the default began %d runs", n)
		}
		s.Press("tab", "enter")
		s.UntilShown(time.Second, "nothing is sent yet, for another")
		s.UntilShown(lease, "sending, a job a statement")
		s.UntilShown(lease, "200 of 412")
		s.UntilShown(time.Minute, "409 applied")
		s.Expect("3 changed", "the lease still runs for")
		s.Press("esc")
		if n := len(w.runs.sent); n != 412 {
			t.Errorf("%d statements were sent", n)
		}
		for i, c := range dead {
			want := model.Ready
			if i < 300 && i%100 == 0 {
				want = model.Working
			}
			if j := w.job(c.Key); j.State != want {
				t.Errorf("job %s is %s", c.Key, j.State)
			}
		}
		for _, c := range late {
			if j := w.job(c.Key); j.Token != c.Token || j.State != model.Working {
				t.Errorf("job %s, which ran out later, was touched: %s", c.Key, j.State)
			}
		}
	})
}

// TestBulkStops has esc end the run after the job in hand, and the result say how
// to go on.
func TestBulkStops(t *testing.T) {
	t.Parallel()
	crowd(t, 40, [2]int{80, 24}, nil, func(s *uitest.Session, w *world, _ []model.Claim) {
		s.Wait(lease) // the mass expiry is over
		s.Press("A", "r")
		s.Wait(2 * time.Second)
		s.Golden("bulk-preview-80x24")
		s.Press("tab", "enter")
		s.UntilShown(time.Second, "10 of 40")
		s.Press("esc")
		s.UntilShown(2*time.Second, "stopped on request")
		s.Expect("30 jobs left", "leasetop resume")
		if n := len(w.runs.sent); n != 10 {
			t.Errorf("%d statements were sent", n)
		}
		if len(w.runs.ends) != 1 || w.runs.ends[0].Left != 30 {
			t.Errorf("the record: %+v", w.runs.ends)
		}
	})
}

// TestBulkInProduction wants the queue's name and a reason.
func TestBulkInProduction(t *testing.T) {
	t.Parallel()
	crowd(t, 5, [2]int{80, 24}, func(w *world) { w.target.Production = true }, func(s *uitest.Session, w *world, _ []model.Claim) {
		s.Press("A", "r", "shift+tab", "enter")
		s.Expect("a reason is wanted first")
		s.Press("esc", "A", "A", "r")
		s.Type("carrier is back")
		s.Press("tab")
		s.Type("order")
		s.Press("tab", "enter")
		s.Expect("type orders first")
		s.Wait(2 * time.Second)
		s.Golden("bulk-production-80x24")
		s.Press("shift+tab")
		s.Type("s")
		s.Press("tab", "enter")
		s.UntilShown(2*time.Second, "5 applied")
		if got := w.runs.sent[0].Intent.Reason; got != "carrier is back" {
			t.Errorf("the reason is %q", got)
		}
	})
}

// TestTwoTerminalsWithTheSameBulk has two operators send the same set: each job is
// applied for exactly one of them.
func TestTwoTerminalsWithTheSameBulk(t *testing.T) {
	t.Parallel()
	crowd(t, 8, [2]int{100, 30}, nil, func(s *uitest.Session, w *world, dead []model.Claim) {
		var jobs []*model.Job
		for _, c := range dead {
			jobs = append(jobs, w.job(c.Key))
		}
		s.Press("A", "r", "tab")
		w.gate.close() // the first terminal does not see what the second does
		set := actions.Freeze(queueName, model.Reclaim, jobs[:5], time.Now(), "marked")
		other := w.desk.Run(w.ctx, set, actions.RunOptions{Pace: -1})
		s.Press("enter")
		s.UntilShown(2*time.Second, "3 applied")
		s.Expect("5 changed")
		if other.Tally != (actions.Tally{Applied: 5}) {
			t.Errorf("the other terminal: %s", other.Tally)
		}
		for _, c := range dead {
			if j := w.job(c.Key); j.State != model.Ready || j.Attempts.N != 1 {
				t.Errorf("job %s is %s", c.Key, j.State)
			}
		}
	})
}
