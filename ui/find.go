package ui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/themes"
	"github.com/leasetop/leasetop/ui/dialog"
	"github.com/leasetop/leasetop/ui/kit"
)

// Finder looks jobs up otherwise than by their key. whole is false when more jobs
// may fit than were found.
type Finder interface {
	FindOperation(ctx context.Context, queue, id string) (jobs []*model.Job, whole bool, at time.Time, err error)
	FindWorker(ctx context.Context, queue, worker string) (jobs []*model.Job, whole bool, at time.Time, err error)
}

func (a *App) findOperation(id string) tea.Cmd {
	return a.find("operation", id, func(ctx context.Context, q string) ([]*model.Job, bool, time.Time, error) {
		return a.o.Finder.FindOperation(ctx, q, id)
	})
}

func (a *App) findWorker(name string) tea.Cmd {
	return a.find("worker", name, func(ctx context.Context, q string) ([]*model.Job, bool, time.Time, error) {
		return a.o.Finder.FindWorker(ctx, q, name)
	})
}

// find looks in the queue that is on the screen, or in all that answer.
func (a *App) find(what, word string, in lookIn) tea.Cmd {
	switch {
	case word == "":
		a.warn("which " + what + "?")
		return nil
	case a.env.Off != "":
		a.warn(a.env.Off)
		return nil
	case a.o.Finder == nil:
		a.warn("nothing can be looked up here")
		return nil
	}
	servers, silent := a.reach()
	a.said = kit.Say{Tone: themes.Accent, Text: "looking for " + what + " " + text.Cut(text.Clean(word), 40) + " …"}
	return a.within(readBudget, true, func(ctx context.Context) tea.Msg {
		f := lookup(ctx, servers, in)
		f.what = what + " " + word
		f.alone = len(servers) == 1 && len(servers[0]) == 1 && len(silent) == 0
		f.missed = append(f.missed, silent...)
		return f
	})
}

// found shows what a look-up brought: the job's page, or a choice where there are
// several. Queues that could not be looked at are named with either. What has been
// begun meanwhile is not covered: the receipt of an act would have nowhere to go.
func (a *App) found(f found) tea.Cmd {
	a.said = kit.Say{}
	switch {
	case a.env.Off != "":
		a.warn(f.what + ": " + a.env.Off)
		return nil
	case a.dialog != nil, a.palette.open, a.top().Subject().Typing:
		a.warn(f.what + ": " + text.Plural(int64(len(f.rows)), "job", "jobs") + " found while something else was begun; look again")
		return nil
	case len(f.rows) == 0:
		a.warn(f.nothing())
		return nil
	case len(f.rows) > 1:
		a.dialog = dialog.NewFound(f.what, f.rows, f.whole && len(f.missed) == 0)
	}
	if len(f.missed) > 0 {
		a.warn("not looked at: " + f.unseen())
	}
	if len(f.rows) > 1 {
		return nil
	}
	m := f.rows[0]
	return a.do(kit.OpenJob{Queue: m.Queue, Key: m.Job.Key, Job: m.Job, At: m.At})
}
