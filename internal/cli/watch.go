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
}

// watch makes the watching of a house; nothing is sent before its poller runs.
func watch(h *house, every time.Duration) watching {
	w := watching{tape: tape.New(tape.Options{Every: every})}
	found := diagnose.New()
	targets := make([]poller.Target, len(h.queues))
	for i := range h.queues {
		targets[i] = h.queues[i].target()
	}
	w.poller = poller.New(targets, poller.Options{Every: every, Enrich: func(s *model.Snapshot) {
		w.tape.Observe(s)
		found.Observe(s)
	}})
	return w
}

// target is the queue as the poller reads it.
func (r *room) target() poller.Target {
	return poller.Target{Queue: r.config.Mapping.Queue, Server: r.server.Name, Source: r.queue}
}

// desk is the queues as operators act on them.
func (h *house) desk() map[string]actions.Target {
	out := make(map[string]actions.Target, len(h.queues))
	for i := range h.queues {
		r := &h.queues[i]
		out[r.config.Mapping.Queue] = actions.Target{Store: r.queue, Control: r.control(), Production: !r.server.Dev}
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

// newJournal is this process's journal for the queues of a house.
func newJournal(h *house) *journal {
	servers := make(map[string]string, len(h.queues))
	for i := range h.queues {
		servers[h.queues[i].config.Mapping.Queue] = h.queues[i].server.Name
	}
	return &journal{dir: journalDir(), servers: servers, now: time.Now}
}
