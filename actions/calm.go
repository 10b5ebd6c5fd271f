package actions

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
)

// massFrom is how many leases must have run out within one lease's time before they
// count as many.
const massFrom = 10

// maxStep is a step of the server's clock beyond which it is no drift.
const maxStep = time.Second

// Calm remembers what happened to queues that makes leases run out under living
// workers: an outage, a restart, a step of the clock, many leases at once. One full
// lease after it the workers have beaten again or are gone. It is safe for use by
// several goroutines.
type Calm struct {
	mu     sync.Mutex
	queues map[string]*quiet
}

// quiet is what is remembered of one queue.
type quiet struct {
	got, at time.Time // of the last good look: this process's time and the server's
	took    time.Duration
	epoch   string
	last    *model.Snapshot

	why   string
	until time.Time // this process's time
}

// NewCalm makes a guard that has seen nothing.
func NewCalm() *Calm { return &Calm{queues: map[string]*quiet{}} }

// Observe takes a look at a queue. Looks that failed say by their absence how long
// the server was away.
func (c *Calm) Observe(s *model.Snapshot) {
	if s.Pulse.Err != nil || !s.Pulse.Known() || s.Mapping == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	q := c.queues[s.Queue]
	if q == nil {
		q = &quiet{}
		c.queues[s.Queue] = q
	}
	if s.Pulse.At.Equal(q.at) {
		q.last = s
		return
	}
	lease := s.Mapping.UsualLease()
	if why := q.shaken(s, lease); why != "" {
		q.why, q.until = why, s.Pulse.Got.Add(lease)
	}
	q.got, q.at, q.took, q.epoch, q.last = s.Pulse.Got, s.Pulse.At, s.Pulse.Took, s.Pulse.Data.Enqueued.Epoch, s
}

// shaken says what happened between the last look and this one, if anything did.
func (q *quiet) shaken(s *model.Snapshot, lease time.Duration) string {
	if q.got.IsZero() {
		return ""
	}
	own := s.Pulse.Got.Sub(q.got)
	step := s.Pulse.At.Sub(q.at) - own
	epoch := s.Pulse.Data.Enqueued.Epoch
	switch {
	case epoch != "" && q.epoch != "" && epoch != q.epoch:
		return "the server was restarted or the table replaced"
	case step.Abs() > maxStep+s.Pulse.Took+q.took:
		return fmt.Sprintf("the server's clock stepped by %v", step.Round(time.Millisecond))
	case own > lease*3/5 && own > 3*s.Watch.Every:
		return fmt.Sprintf("the server could not be reached for %s, so no worker could beat", text.Exact(own))
	}
	return ""
}

// Look is the Guard of what was observed.
func (c *Calm) Look(_ context.Context, queue string) (why string, wait time.Duration, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	q := c.queues[queue]
	if q == nil {
		return "", 0, nil
	}
	if wait = time.Until(q.until); q.why != "" && wait > 0 {
		return q.why, wait, nil
	}
	if p := &q.last.Page; p.Err == nil && p.Data.View == model.ViewWorking {
		why, wait = Mass(p.Data.Jobs, q.last.Pulse.Data.Working.N, p.At, q.last.Mapping.UsualLease())
	}
	return why, wait, nil
}

// Mass says that many leases ran out within one lease's time before the server's
// now, over half of all working jobs, and how long it is until a full lease has
// passed since the last of them: until then their workers may come back.
// all is how many are working, of which the list may have a part.
func Mass(working []*model.Job, all int64, now time.Time, lease time.Duration) (why string, wait time.Duration) {
	fresh, listed := int64(0), int64(0)
	for _, j := range working {
		if j.State != model.Working {
			continue
		}
		listed++
		left, ok := j.Left(now)
		if ok && left < 0 && -left <= lease {
			fresh++
			wait = max(wait, lease+left)
		}
	}
	all = max(all, listed)
	if fresh < massFrom || 2*fresh <= all {
		return "", 0
	}
	return fmt.Sprintf("%d of %d leases ran out within %s: their workers may be alive and cut off", fresh, all, text.Exact(lease)), (wait + time.Second - 1).Truncate(time.Second)
}
