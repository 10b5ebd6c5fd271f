package ui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/leasetop/leasetop/actions"
	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/themes"
	"github.com/leasetop/leasetop/ui/dialog"
	"github.com/leasetop/leasetop/ui/kit"
	"github.com/leasetop/leasetop/ui/screens/job"
	"github.com/leasetop/leasetop/ui/screens/queue"
)

// historyRows is how many events of a job are read.
const historyRows = 50

// do carries out what a screen or a dialog asked for. Commands are made here and
// nowhere else.
func (a *App) do(action kit.Action) tea.Cmd {
	switch x := action.(type) {
	case kit.Many:
		var cmds []tea.Cmd
		for _, one := range x {
			cmds = append(cmds, a.do(one))
		}
		return tea.Batch(cmds...)
	case kit.Back:
		if len(a.stack) > 1 {
			a.stack = a.stack[:len(a.stack)-1]
		}
		return a.tell(kit.News{})
	case kit.OpenQueue:
		return a.push(queue.New(x.Queue), nil)
	case kit.OpenJob:
		return a.push(job.New(x))
	case kit.Close:
		a.dialog = nil
	case kit.Say:
		a.said = x
	case kit.Kick:
		a.o.Feed.Kick(x.Queue)
		a.said = kit.Say{Tone: themes.Accent, Text: "polling now"}
	case kit.Ask:
		a.ids++
		d, next := dialog.NewConfirm(a.area(), a.ids, x)
		a.dialog = d
		return a.do(next)
	case kit.ShowReceipt:
		a.ids++
		a.dialog = dialog.NewReceipt(a.ids, x.Receipt)
		a.o.Feed.Kick(x.Receipt.Intent.Queue)
	default:
		return a.call(action)
	}
	return nil
}

func (a *App) push(s kit.Screen, next kit.Action) tea.Cmd {
	a.stack = append(a.stack, s)
	return tea.Batch(a.do(next), a.tell(kit.News{}))
}

// call turns what takes time into a command that brings an answer.
func (a *App) call(action kit.Action) tea.Cmd {
	switch x := action.(type) {
	case kit.ReadJob:
		return a.within(readBudget, a.o.Details != nil, func(ctx context.Context) tea.Msg { return a.readJob(ctx, x) })
	case kit.ReadPayload:
		return a.within(readBudget, a.o.Details != nil, func(ctx context.Context) tea.Msg {
			p, err := a.o.Details.Payload(ctx, x.Queue, x.Key, x.Limit)
			return kit.PayloadRead{Queue: x.Queue, Key: x.Key, Payload: p, Err: err}
		})
	case kit.MakePlan:
		return a.within(readBudget, a.o.Desk != nil, func(ctx context.Context) tea.Msg {
			p, err := a.o.Desk.Plan(ctx, x.Ask.Queue, actions.Ask{Action: x.Ask.Action, Row: x.Ask.Job, At: x.Ask.At, Reason: x.Reason})
			return kit.Planned{ID: x.ID, Reason: x.Reason, Plan: p, Err: err}
		})
	case kit.Send:
		return a.within(actBudget, a.o.Desk != nil, func(ctx context.Context) tea.Msg {
			return kit.Receipted{ID: x.ID, Receipt: a.o.Desk.Apply(ctx, x.Plan, x.Typed)}
		})
	case kit.LookAgain:
		return a.within(readBudget, a.o.Desk != nil, func(ctx context.Context) tea.Msg {
			return kit.Receipted{ID: x.ID, Receipt: a.o.Desk.Resolve(ctx, x.Receipt)}
		})
	}
	return nil
}

// within runs a call on its own goroutine with a deadline.
func (a *App) within(budget time.Duration, can bool, call func(context.Context) tea.Msg) tea.Cmd {
	if !can {
		return nil
	}
	parent := a.o.Context
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(parent, budget)
		defer cancel()
		return call(ctx)
	}
}

func (a *App) readJob(ctx context.Context, x kit.ReadJob) tea.Msg {
	r := kit.JobRead{Queue: x.Queue, Key: x.Key}
	if r.Job, r.At, r.Err = a.o.Details.Inspect(ctx, x.Queue, x.Key); r.Err != nil {
		return r
	}
	if s := a.o.Feed.Board().Queue(x.Queue); s != nil && s.Mapping != nil && !s.Mapping.History.IsZero() {
		r.Events, _, r.EventsErr = a.o.Details.History(ctx, x.Queue, x.Key, historyRows)
	}
	return r
}

// rang says that the bell rang.
type rang struct{}

// tick is this process's time, while ages are counted up.
type tick time.Time

// listen waits for the next ring.
func (a *App) listen() tea.Cmd {
	bell, done := a.o.Feed.Bell(), a.o.Context.Done()
	return func() tea.Msg {
		select {
		case _, open := <-bell:
			if open {
				return rang{}
			}
		case <-done:
		}
		return nil
	}
}

// rang takes the newest board. A frozen picture stays; dialogs see the newest.
func (a *App) rang() tea.Cmd {
	a.env.Live = a.o.Feed.Board()
	if !a.env.Frozen {
		a.env.Board = a.env.Live
		if s := a.subject(); s != nil && s.Watch.Health == model.Live {
			a.cost.take(s.Cost.Took)
		}
	}
	return tea.Batch(a.listen(), a.tell(kit.News{}))
}

func (a *App) tick(t tick) {
	a.ticking = false
	a.env.Now = time.Time(t)
}
