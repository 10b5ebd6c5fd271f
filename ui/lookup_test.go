package ui

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/ui/dialog"
	"github.com/leasetop/leasetop/ui/internal/fixture"
)

// places is a store of several servers: two that hang until the call's time is over,
// and others that answer after a second.
type places struct {
	hangs map[string]bool
	job   string // the queue that has the job
	asked chan string
}

func (p places) look(ctx context.Context, queue string) ([]*model.Job, bool, time.Time, error) {
	p.asked <- queue
	if p.hangs[queue] {
		time.Sleep(2 * time.Second) // the store's own deadline
		return nil, false, time.Time{}, &model.Fault{Class: model.FaultHung, Text: "no answer within 2s"}
	}
	time.Sleep(time.Second)
	if queue == p.job {
		return fixture.Jobs()[:1], true, fixture.Now(), ctx.Err()
	}
	return nil, true, fixture.Now(), ctx.Err()
}

func (p places) FindOperation(ctx context.Context, q, _ string) ([]*model.Job, bool, time.Time, error) {
	return p.look(ctx, q)
}

func (p places) FindWorker(ctx context.Context, q, _ string) ([]*model.Job, bool, time.Time, error) {
	return p.look(ctx, q)
}

// TestALookUpWaitsForNoDeadServer looks through thirteen queues on four servers, of
// which one is known to be down and one hangs with all its ten: the job on another
// is found in the time that one hung call takes, and what was not looked at is said.
func TestALookUpWaitsForNoDeadServer(t *testing.T) {
	for _, c := range []struct{ job, want string }{
		{"orders", "› orders › 10421"},
		{"nowhere", "operation 1B4E: no job has it in the queues that answer"},
	} {
		t.Run(c.job, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := places{hangs: map[string]bool{}, job: c.job, asked: make(chan string, 100)}
				queue := func(name, server string, h model.Health) *model.Snapshot {
					s := fixture.Snapshot()
					s.Queue, s.Server, s.Watch.Health = name, server, h
					return s
				}
				board := []*model.Snapshot{queue("down", "gone", model.Down)}
				for i := range 10 {
					board = append(board, queue(fmt.Sprintf("hung-%d", i), "hung", model.Stale))
					p.hangs[board[len(board)-1].Queue] = true
				}
				board = append(board, queue("billing", "other", model.Live), queue("orders", "prod", model.Live))
				r := newRig(120, 30, func(o *Options) { o.Finder = p }, board...)
				r.details.job = fixture.Jobs()[0]
				began := time.Now()
				r.say("op 1B4E")
				if took := time.Since(began); took > 3*time.Second {
					t.Errorf("it took %v", took)
				}
				r.expect(t, c.want, "not looked at: hung-0, hung-1, hung-2, hung-3 and 7 more", "within 2s)")
				close(p.asked)
				hung := 0
				for q := range p.asked {
					if q == "down" {
						t.Error("a queue that is down was asked")
					}
					if p.hangs[q] {
						hung++
					}
				}
				if hung != 1 {
					t.Errorf("the hung server was asked %d times", hung)
				}
			})
		})
	}
}

// TestALookUpCoversNothing has an answer come while something else is done: a dialog
// that waits for its receipt stays, what is typed stays, and the past has no row of
// now.
func TestALookUpCoversNothing(t *testing.T) {
	row := fixture.Jobs()[0]
	one := found{what: "operation 1B4E", rows: []dialog.Match{{Queue: "orders", Job: row, At: fixture.Now()}}, whole: true}
	two := found{what: "worker pick-07", rows: []dialog.Match{one.rows[0], one.rows[0]}, whole: true}
	for _, c := range []struct {
		name  string
		begin func(*rig)
		stays string
	}{
		{"a confirmation", func(r *rig) { r.press("r") }, "reclaim job 10421"},
		{"a command", func(r *rig) { r.press(":", "j", "o") }, ":jo"},
		{"a filter", func(r *rig) { r.press("/", "p") }, "/ p"},
		{"the past", func(r *rig) { r.press("[") }, "THE PAST"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRig(120, 30, func(o *Options) { o.Past = &past{to: fixture.Now()} }, fixture.Snapshot())
			c.begin(r)
			before, depth := r.dialog, len(r.stack)
			for _, f := range []found{one, two} {
				r.Update(f)
				r.expect(t, c.stays)
				if r.dialog != before || len(r.stack) != depth {
					t.Errorf("%s: it opened something", f.what)
				}
				if !strings.Contains(r.said.Text, f.what) {
					t.Errorf("said %q", r.said.Text)
				}
			}
		})
	}
}
