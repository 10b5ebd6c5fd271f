package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/leasetop/leasetop/internal/config"
	"github.com/leasetop/leasetop/internal/profile"
	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqlite"
	"github.com/leasetop/leasetop/internal/worker"
	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/ui"
)

// trainingQueue names the training queue and its table.
const trainingQueue = "training"

// trainingPoll is how often the training queue is looked at: leases of seconds
// want a look a second.
const trainingPoll = time.Second

// firstLook is how long the workers play before one look is printed, where there
// is no terminal for a screen.
const firstLook = 2 * time.Second

// train plays the training queue: a private temporary file with simulated workers
// that goes with the process.
func (a *app) train(ctx context.Context, c *config.Config) (err error) {
	dir, err := os.MkdirTemp("", "leasetop-training-")
	if err != nil {
		return fmt.Errorf("the training queue: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	h, err := trainingHouse(ctx, filepath.Join(dir, "training.db"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, h.close()) }()

	ctx, stop := context.WithCancelCause(ctx)
	played := make(chan error, 1)
	go func() {
		err := worker.Training{Seed: uint64(time.Now().UnixNano())}.Run(ctx, h.queues[0].queue)
		if err != nil {
			stop(err)
		}
		played <- err
	}()
	defer func() { stop(nil); err = errors.Join(err, <-played) }()

	if !a.flagged(c) {
		c.Poll = trainingPoll
	}
	if !isTerminal(a.Out) {
		fmt.Fprintln(a.Out, "Nothing is configured: this is a training queue with simulated workers. In a terminal it is a screen.")
		waitFor(ctx, firstLook)
	}
	return a.show(ctx, c, h, ui.Options{Training: true})
}

// flagged reports whether somebody said how often to look.
func (a *app) flagged(c *config.Config) bool { return c.Poll != config.DefaultPoll || a.poll != "" }

func waitFor(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}

// trainingHouse makes the training queue's file and its table.
func trainingHouse(ctx context.Context, path string) (*house, error) {
	m, err := profile.For(profile.Lease, trainingQueue, model.Table{Name: trainingQueue})
	if err != nil {
		return nil, err
	}
	m.Lease = worker.TrainingLease
	db, err := sqlite.Open(sqlite.Options{Path: path, Create: true})
	if err != nil {
		return nil, err
	}
	if err := db.MakeSchema(ctx, &m); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	s := config.Server{Name: trainingQueue, Target: config.Target{Engine: config.EngineSQLite, Path: path}, Dev: true}
	return &house{
		dbs:    map[string]*store.DB{s.Name: db},
		queues: []room{{config: config.Queue{Server: s.Name, Mapping: m}, server: s, queue: db.Queue(m)}},
	}, nil
}
