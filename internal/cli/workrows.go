package cli

import (
	"context"
	"log/slog"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/worker"
	"github.com/leasetop/leasetop/model"
)

// rowQueue is a destructive queue as workers take rows from it.
type rowQueue struct{ *store.Queue }

// Hold takes rows and keeps them locked.
func (q rowQueue) Hold(ctx context.Context, session string, n int) (worker.Batch, error) {
	h, err := q.Queue.Hold(ctx, session, n)
	if err != nil || h == nil {
		return nil, err
	}
	return h, nil
}

// modeOf is how rows are taken: as the flag says, else as the mapping does.
func (f *workFlags) modeOf(m *model.Mapping) (model.Mode, error) {
	if f.mode == "" {
		return m.Lane.Mode, nil
	}
	for _, mode := range model.Modes() {
		if mode.String() == f.mode {
			return mode, nil
		}
	}
	return model.ModeUnknown, usage("--mode cannot be %q; write autocommit or transaction", f.mode)
}

// runRowWork runs workers on a destructive queue.
func (a *app) runRowWork(ctx context.Context, r *room, f workFlags, log *slog.Logger) error {
	mode, err := f.modeOf(&r.config.Mapping)
	if err != nil {
		return err
	}
	switch c := f.chances; {
	case f.lease > 0:
		return usage("--lease: %s is a destructive queue, which has none", r.config.Mapping.Queue)
	case c.Stall+c.LoseReply+c.LoseBeat > 0:
		return usage("--fault: %s is a destructive queue, where kill, killer, poison and flaky are what can go wrong", r.config.Mapping.Queue)
	}
	h := worker.FaultyRows(worker.Simulate{Seed: f.seed, Mean: f.mean, Spread: 0.4}.Handle, f.chances.Of)
	if f.exec {
		x, err := a.newExec(r, f.argv)
		if err != nil {
			return err
		}
		h = x.Handle
		if err := r.works(ctx, "work"); err != nil {
			return err
		}
	} else if err := r.ours(ctx, "work"); err != nil {
		return err
	}
	caps, _ := r.queue.Caps()
	if mode == model.ModeUnknown {
		mode = model.Autocommit
	}
	a.beginWork(r, f.workers)
	log.Warn(mode.String(), "text", mode.Promise())
	bury := caps.Allows(model.CanBury)
	if !bury.OK {
		log.Warn("no dead letters", "text", bury.Why+": a row whose work fails is lost in autocommit and comes back without end in a transaction")
	}
	if mode == model.Transaction && caps.Emulated {
		log.Warn("emulated", "text", "this engine has no row locks: a lock table stands in for them")
	}
	return worker.NewRows(rowQueue{r.queue}, h, worker.RowOptions{
		Workers: f.workers, Names: workerNames(f.workers), Batch: f.batch, Mode: mode, Bury: bury.OK,
		Grace: f.grace, Events: events(log),
	}).Run(ctx)
}
