package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/leasetop/leasetop/internal/config"
	"github.com/leasetop/leasetop/internal/report"
	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqlite"
	"github.com/leasetop/leasetop/internal/store/sqlserver"
	"github.com/leasetop/leasetop/model"
)

// house is the servers that a command uses, with their queues bound. Nothing is
// sent before the first call to a queue.
type house struct {
	dbs    map[string]*store.DB // by server
	queues []room
}

// room is one bound queue and what its server allows.
type room struct {
	config config.Queue
	server config.Server
	queue  *store.Queue
}

// control says whether operators' acts are switched on: a file of one's own needs
// no switch.
func (r *room) control() bool {
	return r.server.Control || r.server.Target.Engine == config.EngineSQLite
}

// open binds queues to their servers, each server opened once.
func (a *app) open(ctx context.Context, c *config.Config, queues []config.Queue) (*house, error) {
	h := &house{dbs: map[string]*store.DB{}}
	for _, q := range queues {
		s := c.Server(q)
		db, ok := h.dbs[s.Name]
		if !ok {
			var err error
			if db, err = a.dial(ctx, s); err != nil {
				return nil, errors.Join(err, h.close())
			}
			h.dbs[s.Name] = db
		}
		h.queues = append(h.queues, room{config: q, server: s, queue: db.Queue(q.Mapping)})
	}
	return h, nil
}

// dial makes the DB of a server. The password is looked for only now.
func (a *app) dial(ctx context.Context, s config.Server) (*store.DB, error) {
	target, err := s.Unlock(ctx, a.Getenv)
	if err != nil {
		return nil, &exit{exitUsage, err}
	}
	switch target.Engine {
	case config.EngineSQLite:
		return sqlite.Open(sqlite.Options{Path: target.Path})
	case config.EngineSQLServer:
		return sqlserver.Open(target.Reveal(), sqlserver.Options{Version: built()})
	}
	return nil, usage("server %s: it has no DSN", s.Name)
}

// one configures and opens the single queue that a command is about.
func (a *app) one(ctx context.Context, name string) (*house, *room, error) {
	c, err := a.configure(name)
	if err != nil {
		return nil, nil, err
	}
	qs, err := pick(c, []string{name})
	if err != nil {
		return nil, nil, err
	}
	h, err := a.open(ctx, c, qs)
	if err != nil {
		return nil, nil, err
	}
	return h, &h.queues[0], nil
}

// close ends every connection.
func (h *house) close() error {
	var errs []error
	for _, db := range h.dbs {
		errs = append(errs, db.Close())
	}
	return errors.Join(errs...)
}

// ours refuses to touch a table that is somebody else's: only a table that
// leasetop made, or a server that is marked as no production, may be worked on by
// simulated workers.
func (r *room) ours(ctx context.Context, what string) error {
	caps, err := r.queue.Probe(ctx)
	if err != nil {
		return err
	}
	if !caps.Ours && !r.server.Dev {
		return &exit{exitFailed, fmt.Errorf("%s: %s is not a table that leasetop made, and its server is not marked as a development server; "+
			"leasetop schema --apply makes a table, --dev or dev: true marks a server", what, r.config.Mapping.Table)}
	}
	return allowed(&caps, what)
}

// works refuses work that this queue does not allow. Real work needs no table of
// ours: to eat real jobs is what it is there for.
func (r *room) works(ctx context.Context, what string) error {
	caps, err := r.queue.Probe(ctx)
	if err != nil {
		return err
	}
	return allowed(&caps, what)
}

// allowed is the probe's word on work as an error.
func allowed(caps *model.Caps, what string) error {
	if v := caps.Allows(model.CanWork); !v.OK {
		return &exit{exitFailed, fmt.Errorf("%s: %s", what, report.Sentence(v))}
	}
	return nil
}
