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

	recovery string // how expired rows are taken back, where that is not by `leasetop recover`
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

// dial makes the DB of a server.
func (a *app) dial(ctx context.Context, s config.Server) (*store.DB, error) {
	open, err := a.dialer(ctx, s)
	if err != nil {
		return nil, err
	}
	return open()
}

// dialer makes DBs of a server, each with connections of its own. The password is
// looked for and the user signed in only now, and once.
func (a *app) dialer(ctx context.Context, s config.Server) (func() (*store.DB, error), error) {
	target, err := s.Unlock(ctx, a.Getenv, a.asker())
	if err != nil {
		return nil, &exit{exitUsage, err}
	}
	switch target.Engine {
	case config.EngineSQLite:
		return func() (*store.DB, error) { return sqlite.Open(sqlite.Options{Path: target.Path}) }, nil
	case config.EngineSQLServer:
		id, err := sqlserver.SignIn(ctx, target.Reveal(), func(text string) { fmt.Fprintf(a.Err, "leasetop: %s\n", text) })
		if err != nil {
			return nil, err
		}
		return func() (*store.DB, error) {
			return sqlserver.Open(target.Reveal(), sqlserver.Options{Version: built(), Identity: id})
		}, nil
	}
	return nil, usage("server %s: it has no DSN", s.Name)
}

// one configures and opens the single queue that a command is about: the one that is
// named, or for the empty name the only one there is.
func (a *app) one(ctx context.Context, name string) (*house, *room, error) {
	names := []string{name}
	if name == "" {
		names = nil
	}
	c, err := a.configure(names...)
	if err != nil {
		return nil, nil, err
	}
	qs, err := pick(c, names)
	if err != nil {
		return nil, nil, err
	}
	if len(qs) > 1 {
		return nil, nil, severalQueues(c)
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

// sends refuses a command that changes something where nothing but prints is wanted.
func sends(s *config.Server, what string) error {
	if s.Print {
		return &exit{exitNot, fmt.Errorf("%s: nothing was sent: for %s acts are only printed, as --print-only or print_only: true says", what, s.Name)}
	}
	return nil
}

// ours refuses to touch a table that is somebody else's: only a table that
// leasetop made, or a server that is marked as no production, may be worked on by
// simulated workers.
func (r *room) ours(ctx context.Context, what string) error {
	if err := sends(&r.server, what); err != nil {
		return err
	}
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
	if err := sends(&r.server, what); err != nil {
		return err
	}
	caps, err := r.queue.Probe(ctx)
	if err != nil {
		return err
	}
	return allowed(&caps, what)
}

// allowed is the probe's word on work as an error. New jobs need no right but their
// own: a server on which nothing can be claimed safely takes them all the same.
func allowed(caps *model.Caps, what string) error {
	feature := model.CanWork
	if what == "enqueue" {
		feature = model.CanEnqueue
	}
	if v := caps.Allows(feature); !v.OK {
		return &exit{exitFailed, fmt.Errorf("%s: %s", what, report.Sentence(v))}
	}
	return nil
}
