package cli

import (
	"context"
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/leasetop/leasetop/actions"
	"github.com/leasetop/leasetop/internal/config"
	"github.com/leasetop/leasetop/internal/store/sqlite"
	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/poller"
	"github.com/leasetop/leasetop/ui"
)

// dashboard opens the configured queues, or the training queue when nothing is
// configured.
func (a *app) dashboard(ctx context.Context) (err error) {
	go warm()
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
	if err := h.readable(); err != nil {
		return err
	}
	return a.show(ctx, c, h, ui.Options{})
}

// warm has the widths of characters looked up for the first time. The library then
// fills two tables of a megabyte each, which takes as long as opening the queues: it
// is done beside that, and not before the first frame.
func warm() { ansi.StringWidthWc("─") }

// readable makes sure that files of this machine are what they were named for. A
// server is not waited for: the screen says how it goes. Nor is the engine: its
// first answer comes while the terminal is made ready.
func (h *house) readable() error {
	for i := range h.queues {
		r := &h.queues[i]
		if r.server.Target.Engine != config.EngineSQLite {
			continue
		}
		if err := sqlite.Readable(r.server.Target.Path); err != nil {
			return err
		}
	}
	return nil
}

// show runs the screen over the queues of a house until the user leaves it. Where
// no person can see a screen it prints one look, or records until it is told to
// stop.
func (a *app) show(ctx context.Context, c *config.Config, h *house, o ui.Options) (err error) {
	if !a.hasScreen() && a.record == "" {
		a.excuse()
		return a.printLook(look(ctx, h, model.ViewWorking, false), false)
	}
	j := newJournal(h)
	defer func() { err = errors.Join(err, j.close()) }()
	left := findLeftOver()
	o.Notice = left.text
	w := watch(h, c.Poll)
	if len(h.queues) == 1 { // its list is on the first screen: the first poll brings it
		w.poller.Want(poller.Want{Queue: h.queues[0].config.Mapping.Queue, View: model.ViewWorking})
	}
	rec, err := a.startRecording(w.tape, about(c, o.Training))
	if err != nil {
		return err
	}
	if rec != nil {
		defer func() { err = errors.Join(err, rec.Close()) }()
		o.Recording = rec.Err
	}
	watched, stop := context.WithCancel(ctx)
	ended := w.run(watched)
	desk := actions.New(h.desk(), j, actor())
	desk.KeepRuns(newRecords(h), w.calm.Look)
	settled := make(chan struct{})
	notices := make(chan string, len(left.acts))
	go func() {
		defer close(settled)
		left.settle(watched, h, desk, w.poller.Board, func(s string) { notices <- s })
	}()
	defer func() {
		stop()
		inHand, done := context.WithTimeout(context.WithoutCancel(ctx), patience)
		defer done()
		desk.Wait(inHand)
		<-settled
		<-ended
	}()

	if !a.hasScreen() {
		a.recordOnly(ctx, c)
		return nil
	}
	o.Context, o.Desk, o.Notices = watched, desk, notices
	return a.run(ctx, ui.New(a.screen(c, h, w, o)))
}

// screen completes the options of a screen with what it shows and how.
func (a *app) screen(c *config.Config, h *house, w watching, o ui.Options) ui.Options {
	o.Feed, o.History, o.Past, o.Every = w.poller, w.tape, w.tape, w.poller.Every
	o.Details, o.Finder = details(h.byName()), finder(h.byName())
	o.Save = func(path string) error {
		return w.tape.Save(path, about(c, o.Training))
	}
	if c.Payloads {
		o.Keep, o.Carried = w.tape.KeepPayload, w.tape.Payload
	}
	o.Production, o.Mark = h.production, h.color
	o.Version, o.Theme, o.Light, o.ASCII, o.NoMouse = built(), c.Theme, a.light(), c.ASCII, a.noMouse
	return o
}

// patience is how long the screen may take to leave when the process is told to
// stop; then it is ended without ceremony.
const patience = time.Second

// run runs the screen until the user leaves it or ctx ends. No input is named: keys
// come from the terminal even where standard input is a pipe.
func (a *app) run(ctx context.Context, root tea.Model) error {
	p := tea.NewProgram(root, tea.WithOutput(a.Out), tea.WithEnvironment(a.environment()), tea.WithFPS(ui.FPS), tea.WithoutSignalHandler())
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
