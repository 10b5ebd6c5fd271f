package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/leasetop/leasetop/actions"
	"github.com/leasetop/leasetop/internal/config"
	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/poller"
	"github.com/leasetop/leasetop/ui"
)

// dashboard opens the configured queues, or the training queue when nothing is
// configured.
func (a *app) dashboard(ctx context.Context) (err error) {
	c, err := a.configure()
	if err != nil {
		return err
	}
	if len(c.Queues) == 0 {
		if c.Named != "" {
			return usage("%s: it configures no queue", c.Named)
		}
		return a.train(ctx, c)
	}
	h, err := a.open(ctx, c, c.Queues)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, h.close()) }()
	if err := h.readable(ctx); err != nil {
		return err
	}
	return a.show(ctx, c, h, ui.Options{})
}

// readable makes sure that files of this machine are what they were named for. A
// server is not waited for: the screen says how it goes.
func (h *house) readable(ctx context.Context) error {
	for i := range h.queues {
		r := &h.queues[i]
		if r.server.Target.Engine != config.EngineSQLite {
			continue
		}
		if _, err := r.queue.Probe(ctx); err != nil && exitCode(err) == exitUsage {
			return err
		}
	}
	return nil
}

// show runs the screen over the queues of a house until the user leaves it. Where
// no person can see a screen it prints one look.
func (a *app) show(ctx context.Context, c *config.Config, h *house, o ui.Options) (err error) {
	if !isTerminal(a.Out) {
		return a.printLook(look(ctx, h), false)
	}
	j := newJournal(h)
	defer func() { err = errors.Join(err, j.close()) }()
	o.Notice = leftOver()
	w := watch(h, c.Poll)
	if len(h.queues) == 1 { // its list is on the first screen: the first poll brings it
		w.poller.Want(poller.Want{Queue: h.queues[0].config.Mapping.Queue, View: model.ViewWorking})
	}
	watched, stop := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		w.poller.Run(watched) //nolint:errcheck // it ends with the context and has no error to tell
	}()
	defer func() { stop(); <-ended }()

	o.Context, o.Feed, o.History, o.Details = watched, w.poller, w.tape, details(h.byName())
	o.Desk = actions.New(h.desk(), j, actor())
	o.Production = h.production
	o.Version, o.Theme, o.ASCII = built(), c.Theme, c.ASCII
	return a.run(ctx, ui.New(o))
}

// patience is how long the screen may take to leave when the process is told to
// stop; then it is ended without ceremony.
const patience = time.Second

// run runs the screen until the user leaves it or ctx ends. No input is named: keys
// come from the terminal even where standard input is a pipe.
func (a *app) run(ctx context.Context, root tea.Model) error {
	p := tea.NewProgram(root, tea.WithOutput(a.Out), tea.WithFPS(ui.FPS), tea.WithoutSignalHandler())
	defer context.AfterFunc(ctx, func() {
		p.Quit()
		time.AfterFunc(patience, p.Kill)
	})()
	_, err := p.Run()
	if ctx.Err() != nil {
		return nil // told to stop from outside: that is no failure
	}
	return err
}

// leftOver says which acts of earlier processes have no known outcome, in one line.
func leftOver() string {
	open, err := unresolved(journalDir(), time.Now(), actions.Settle)
	if err != nil {
		return fmt.Sprintf("the journal cannot be read: %v", err)
	}
	return describe(open)
}
