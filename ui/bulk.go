package ui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"github.com/leasetop/leasetop/actions"
	"github.com/leasetop/leasetop/ui/dialog"
	"github.com/leasetop/leasetop/ui/kit"
)

// moved is how far a run has come, and where its next news comes from.
type moved struct {
	id       int
	progress actions.Progress
	from     <-chan actions.Progress
}

// askBulk opens the dialog of an act on several jobs.
func (a *App) askBulk(x kit.AskBulk) tea.Cmd {
	a.ids++
	d, next := dialog.NewBulk(a.area(), a.ids, x)
	a.dialog = d
	return a.do(next)
}

// carry carries a set out on its own goroutine. Its news come as they can be drawn:
// the newest stands for those before it.
func (a *App) carry(x kit.SendBulk) tea.Cmd {
	if a.o.Desk == nil {
		return nil
	}
	ctx, stop := context.WithCancel(a.o.Context)
	a.runs[x.ID] = stop
	news := make(chan actions.Progress, 1)
	desk := a.o.Desk
	return tea.Batch(func() tea.Msg {
		defer close(news)
		defer stop()
		return kit.Ended{ID: x.ID, Result: desk.Run(ctx, x.Set, actions.RunOptions{Typed: x.Typed, Progress: func(p actions.Progress) {
			select {
			case <-news:
			default:
			}
			news <- p // there is room: nobody else sends
		}})}
	}, listenRun(x.ID, news))
}

// listenRun waits for the next news of a run; none come after its end.
func listenRun(id int, from <-chan actions.Progress) tea.Cmd {
	return func() tea.Msg {
		if p, open := <-from; open {
			return moved{id: id, progress: p, from: from}
		}
		return nil
	}
}
