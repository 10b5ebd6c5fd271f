package cli

import (
	"context"
	"fmt"
	"time"

	"github.com/leasetop/leasetop/actions"
	"github.com/leasetop/leasetop/internal/diagnose"
	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/tape"
	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/poller"
)

// watching is the loops over queues and what they remember.
type watching struct {
	poller *poller.Poller
	tape   *tape.Tape
	calm   *actions.Calm
}

// watch makes the watching of a house; nothing is sent before its poller runs.
func watch(h *house, every time.Duration) watching {
	w := watching{tape: tape.New(tape.Options{Every: every}), calm: actions.NewCalm()}
	found := h.diagnosis()
	targets := make([]poller.Target, len(h.queues))
	for i := range h.queues {
		targets[i] = h.queues[i].target()
	}
	w.poller = poller.New(targets, poller.Options{Every: every, Enrich: func(s *model.Snapshot) {
		w.tape.Observe(s)
		found.Observe(s)
		w.calm.Observe(s)
		w.tape.Keep(s)
	}})
	return w
}

// diagnosis finds what is wrong with the queues of a house, each held to its own
// limits.
func (h *house) diagnosis() *diagnose.Watcher {
	found := diagnose.New()
	for i := range h.queues {
		r := &h.queues[i]
		found.Limit(r.config.Mapping.Queue, r.config.Limits)
		found.Recovery(r.config.Mapping.Queue, r.recovery)
	}
	return found
}

// run runs the loops until ctx ends; the channel closes when they have ended.
func (w watching) run(ctx context.Context) <-chan struct{} {
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		w.poller.Run(ctx) //nolint:errcheck // it ends with the context and has no error to tell
	}()
	return ended
}

// target is the queue as the poller reads it.
func (r *room) target() poller.Target {
	t := poller.Target{Queue: r.config.Mapping.Queue, Server: r.server.Name, Source: r.queue, Latency: r.queue.Latency}
	if !r.config.Mapping.IsDestructive() {
		t.Dirty = r.queue.Dirty
	}
	return t
}

// desk is the queues as operators act on them.
func (h *house) desk() map[string]actions.Target {
	out := make(map[string]actions.Target, len(h.queues))
	for i := range h.queues {
		r := &h.queues[i]
		out[r.config.Mapping.Queue] = actions.Target{Store: r.queue, Brakes: r.queue, Control: r.control(), Production: !r.server.Dev, PrintOnly: r.server.Print}
	}
	return out
}

// production reports whether a queue is on a server that is not marked dev.
func (h *house) production(queue string) bool {
	for i := range h.queues {
		if h.queues[i].config.Mapping.Queue == queue {
			return !h.queues[i].server.Dev
		}
	}
	return true
}

// color is the colour that a server was given.
func (h *house) color(server string) string {
	for i := range h.queues {
		if h.queues[i].server.Name == server {
			return h.queues[i].server.Color
		}
	}
	return ""
}

func (h *house) byName() map[string]*store.Queue {
	out := make(map[string]*store.Queue, len(h.queues))
	for i := range h.queues {
		out[h.queues[i].config.Mapping.Queue] = h.queues[i].queue
	}
	return out
}

// details reads single jobs of queues by name.
type details map[string]*store.Queue

func (d details) of(queue string) (*store.Queue, error) {
	q, ok := d[queue]
	if !ok {
		return nil, &model.Fault{Class: model.FaultTarget, Text: fmt.Sprintf("no queue %q is open", queue)}
	}
	return q, nil
}

// Inspect reads a job.
func (d details) Inspect(ctx context.Context, queue string, k model.Key) (*model.Job, time.Time, error) {
	q, err := d.of(queue)
	if err != nil {
		return nil, time.Time{}, err
	}
	return q.Inspect(ctx, k)
}

// Payload reads what a job carries.
func (d details) Payload(ctx context.Context, queue string, k model.Key, limit int) (model.Payload, error) {
	q, err := d.of(queue)
	if err != nil {
		return model.Payload{}, err
	}
	return q.Payload(ctx, k, limit)
}

// History reads what happened to a job, newest first.
func (d details) History(ctx context.Context, queue string, k model.Key, n int) ([]model.Event, time.Time, error) {
	q, err := d.of(queue)
	if err != nil {
		return nil, time.Time{}, err
	}
	return q.History(ctx, k, n)
}

// Page reads a list of a queue's jobs.
func (d details) Page(ctx context.Context, queue string, v model.View) (model.Page, time.Time, error) {
	q, err := d.of(queue)
	if err != nil {
		return model.Page{}, time.Time{}, err
	}
	return q.Page(ctx, v)
}

// Locks looks for locks on a job's row.
func (d details) Locks(ctx context.Context, queue string, k model.Key) (model.Locks, error) {
	q, err := d.of(queue)
	if err != nil {
		return model.Locks{}, err
	}
	return q.Locks(ctx, k)
}

// newJournal is this process's journal for the queues of a house.
func newJournal(h *house) *journal {
	servers := make(map[string]place, len(h.queues))
	for i := range h.queues {
		servers[h.queues[i].config.Mapping.Queue] = placeOf(&h.queues[i].server)
	}
	return &journal{dir: journalDir(), servers: servers, now: time.Now}
}
