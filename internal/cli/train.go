package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/leasetop/leasetop/internal/config"
	"github.com/leasetop/leasetop/internal/profile"
	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqlite"
	"github.com/leasetop/leasetop/internal/worker"
	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/ui"
	"github.com/leasetop/leasetop/ui/kit"
)

// trainingQueue names the training queue and its table.
const trainingQueue = "training"

// trainingRows names the destructive queue that is played beside it.
const trainingRows = "shipping"

// trainingPoll is how often the training queue is looked at: leases of seconds
// want a look a second.
const trainingPoll = time.Second

// firstLook is how long the workers play before one look is printed, where there
// is no terminal for a screen.
const firstLook = 2 * time.Second

// training opens the training queue whatever is configured.
func (a *app) training() *cobra.Command {
	var f lessonFlags
	cmd := &cobra.Command{
		Use:   "train [LESSON]",
		Short: "Open the training queue: a real queue with simulated workers, and a menu of faults; or take a lesson",
		Long: "train plays a queue on this machine that goes with the process, whatever is configured. F opens\n" +
			"a menu to answer \"what if\": kill or stall a worker, lose a reply, send poison or a killer, flood\n" +
			"the queue, stop recovery, set the server's clock.\n\n" +
			"With a LESSON, by its number or name, or as \"lessons\" for the menu of them, it plays that instead, on a\n" +
			"scratch queue of its own: step by step, first the half that goes wrong with a common mistake, then the\n" +
			"one that does not. With --auto it plays without a person, prints the story and ends with 0 only if both\n" +
			"halves came out as they are told. With --dsn it plays on scratch tables of a development server.",
		Example: "  leasetop train\n" +
			"  leasetop train lessons\n" +
			"  leasetop train 3\n" +
			"  leasetop train 3 --auto --pace 3s",
		Args: atMostOne, ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case f.list:
				return a.listLessons()
			case len(args) > 0 && args[0] == allLessons && !a.hasScreen():
				return a.listLessons()
			case len(args) > 0 && !f.auto && a.hasScreen():
				return a.classroom(cmd.Context(), args[0])
			case len(args) > 0:
				return a.playLesson(cmd.Context(), args[0], f)
			case f.auto:
				return usage("--auto plays a lesson: name one; leasetop train --list names them")
			}
			c, err := a.settings()
			if err != nil {
				return err
			}
			return a.train(cmd.Context(), c)
		},
	}
	a.screenFlags(cmd)
	a.recordFlag(cmd)
	fs := cmd.Flags()
	fs.BoolVar(&f.auto, "auto", false, "play the lesson without a person and print its story")
	fs.BoolVar(&f.list, "list", false, "name the lessons, and end")
	fs.DurationVar(&f.pace, "pace", 0, "wait so long after each step of a lesson, for a reader")
	fs.BoolVar(&f.sql, "sql", false, "print the T-SQL of each step of a lesson")
	fs.BoolVar(&f.notes, "notes", false, "print the presenter's notes of a lesson")
	return cmd
}

// train plays the training queue: a private temporary file with simulated workers
// that goes with the process.
func (a *app) train(ctx context.Context, c *config.Config) (err error) {
	dir, err := os.MkdirTemp("", "leasetop-training-")
	if err != nil {
		return fmt.Errorf("the training queue: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	tricks := &worker.Mischief{}
	h, err := trainingHouse(ctx, filepath.Join(dir, "training.db"), tricks.Now)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, h.close()) }()

	ctx, stop := context.WithCancelCause(ctx)
	played := make(chan error, 2)
	go func() {
		rows := h.queues[1].queue
		err := worker.RowTraining{Seed: uint64(time.Now().UnixNano()), Mapping: rows.Mapping(), Mischief: tricks}.Run(ctx, rowQueue{rows})
		if err != nil {
			stop(err)
		}
		played <- err
	}()
	go func() {
		err := worker.Training{Seed: uint64(time.Now().UnixNano()), Mischief: tricks}.Run(ctx, h.queues[0].queue)
		if err != nil {
			stop(err)
		}
		played <- err
	}()
	defer func() { stop(nil); err = errors.Join(err, <-played, <-played) }()

	if !a.flagged(c) {
		c.Poll = trainingPoll
	}
	if !a.hasScreen() {
		fmt.Fprintln(a.Out, "This is a training queue with simulated workers. In a terminal it is a screen.")
		warmedUp(ctx, h.queues[0].queue)
	}
	return a.show(ctx, c, h, ui.Options{Training: true, First: trainingQueue, Mischief: mischief{tricks}})
}

// flagged reports whether somebody said how often to look.
func (a *app) flagged(c *config.Config) bool { return c.Poll != config.DefaultPoll || a.poll != "" }

// warmedUp lets the workers play before one look, and waits until one of them has a job:
// on a machine that is short of breath they begin late.
func warmedUp(ctx context.Context, q *store.Queue) {
	waitFor(ctx, firstLook)
	for range 30 {
		if p, _, err := q.Pulse(ctx, model.PulseAsk{}); ctx.Err() != nil || err == nil && p.Working.N > 0 {
			return
		}
		waitFor(ctx, firstLook/4)
	}
}

func waitFor(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}

// mischief is the trainer's menu over the tricks of the workers.
type mischief struct{ *worker.Mischief }

// Tricks is the menu of one of the training queues as it is now.
func (m mischief) Tricks(queue string) []kit.Trick {
	var out []kit.Trick
	for _, t := range worker.Tricks() {
		one := kit.Trick{Name: string(t), Does: m.Does(t)}
		if queue == trainingRows {
			one.Does, one.Why = m.DoesRows(t)
		}
		out = append(out, one)
	}
	return out
}

// Do does a trick and says what it did.
func (m mischief) Do(ctx context.Context, queue, name string, k model.Key) (string, error) {
	if queue == trainingRows {
		return m.DoRows(ctx, worker.Trick(name))
	}
	return m.Mischief.Do(ctx, worker.Trick(name), k)
}

// trainingHouse makes the training queue's file and its table. now is its server's
// clock.
func trainingHouse(ctx context.Context, path string, now func() time.Time) (*house, error) {
	m, err := profile.For(profile.Lease, trainingQueue, model.Table{Name: trainingQueue})
	if err != nil {
		return nil, err
	}
	m.Lease = worker.TrainingLease
	db, err := sqlite.Open(sqlite.Options{Path: path, Create: true, Now: now})
	if err != nil {
		return nil, err
	}
	if err := db.MakeSchema(ctx, &m); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	rows, err := profile.For(profile.Destructive, trainingRows, model.Table{Name: trainingRows})
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	rows.Lane.Mode = model.Transaction
	if err := db.MakeSchema(ctx, &rows); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	s := config.Server{Name: trainingQueue, Target: config.Target{Engine: config.EngineSQLite, Path: path}, Dev: true}
	return &house{
		dbs: map[string]*store.DB{s.Name: db},
		queues: []room{
			{config: config.Queue{Server: s.Name, Mapping: m}, server: s, queue: db.Queue(m), recovery: "F and 7 let recovery go on"},
			{config: config.Queue{Server: s.Name, Mapping: rows}, server: s, queue: db.Queue(rows)},
		},
	}, nil
}
