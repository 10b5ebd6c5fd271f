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
	if a.env.Off != "" && acting(action) {
		a.warn(a.env.Off)
		return nil
	}
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
		var before tea.Cmd
		if a.top().Subject().Queue != x.Queue {
			before = a.visit(x.Queue)
		}
		return tea.Batch(before, a.push(job.New(x)))
	case kit.Copy:
		return a.copy(copied{what: x.What, text: x.Text})
	case kit.Close:
		a.dialog = nil
	case kit.Say:
		a.said = x
	case kit.Kick:
		a.o.Feed.Kick(x.Queue)
		a.said = kit.Say{Tone: themes.Accent, Text: "polling now"}
	default:
		return a.ask(action)
	}
	return nil
}

// ask opens the dialogs of acts and carries out what they ask for.
func (a *App) ask(action kit.Action) tea.Cmd {
	switch x := action.(type) {
	case kit.Ask:
		a.ids++
		d, next := dialog.NewConfirm(a.area(), a.ids, x)
		a.dialog = d
		return a.do(next)
	case kit.AskWhy:
		d, next := dialog.NewWhy(x)
		a.dialog = d
		return a.do(next)
	case kit.AskBulk:
		return a.askBulk(x)
	case kit.SendBulk:
		return a.carry(x)
	case kit.StopBulk:
		if stop := a.runs[x.ID]; stop != nil {
			stop()
		}
	case kit.ShowResult:
		a.dialog = dialog.NewResult(x.Set, x.Result)
		a.o.Feed.Kick(x.Set.Queue)
	case kit.ShowReceipt:
		a.ids++
		a.dialog = dialog.NewReceipt(a.ids, x.Receipt)
		a.o.Feed.Kick(x.Receipt.Intent.Queue)
	default:
		return a.call(action)
	}
	return nil
}

// acting reports whether an action needs the world as it is now.
func acting(action kit.Action) bool {
	switch action.(type) {
	case kit.Ask, kit.AskBulk, kit.AskWhy, kit.Kick, kit.DoTrick, kit.CopyStatement:
		return true
	}
	return false
}

func (a *App) push(s kit.Screen, next kit.Action) tea.Cmd {
	a.stack = append(a.stack, s)
	return tea.Batch(a.do(next), a.tell(kit.News{}))
}

// call turns what takes time into a command that brings an answer.
func (a *App) call(action kit.Action) tea.Cmd {
	if a.env.Past {
		return nil // only what was seen can be shown
	}
	switch x := action.(type) {
	case kit.ReadJob:
		return a.within(readBudget, a.o.Details != nil, func(ctx context.Context) tea.Msg { return a.readJob(ctx, x) })
	case kit.ReadPayload:
		return a.within(readBudget, a.o.Details != nil, func(ctx context.Context) tea.Msg { return a.readPayload(ctx, x) })
	case kit.ReadWhy:
		return a.within(readBudget, a.o.Details != nil, func(ctx context.Context) tea.Msg { return a.readWhy(ctx, x) })
	case kit.MakePlan:
		return a.within(readBudget, a.o.Desk != nil, func(ctx context.Context) tea.Msg {
			p, err := a.o.Desk.Plan(ctx, x.Ask.Queue, actions.Ask{Action: x.Ask.Action, Row: x.Ask.Job, At: x.Ask.At, Reason: x.Reason, By: x.By, Far: x.Far})
			return kit.Planned{ID: x.ID, Reason: x.Reason, By: x.By, Far: x.Far, Plan: p, Err: err}
		})
	case kit.MakePreview:
		return a.within(readBudget, a.o.Desk != nil, func(ctx context.Context) tea.Msg {
			p, err := a.o.Desk.Preview(ctx, x.Set)
			return kit.Previewed{ID: x.ID, Preview: p, Err: err}
		})
	case kit.Send:
		return a.within(actBudget, a.o.Desk != nil, func(ctx context.Context) tea.Msg {
			return kit.Receipted{ID: x.ID, Receipt: a.o.Desk.Apply(ctx, x.Plan, x.Typed)}
		})
	case kit.CopyStatement:
		return a.within(readBudget, a.o.Desk != nil, func(ctx context.Context) tea.Msg { return a.planned(ctx, x.Ask) })
	case kit.DoTrick:
		return a.within(readBudget, a.o.Mischief != nil, func(ctx context.Context) tea.Msg {
			said, err := a.o.Mischief.Do(ctx, x.Queue, x.Name, x.Key)
			return kit.Tricked{Said: said, Err: err, Tricks: a.o.Mischief.Tricks(x.Queue)}
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

// readPayload reads a payload and, where that is wanted, keeps it.
func (a *App) readPayload(ctx context.Context, x kit.ReadPayload) tea.Msg {
	r := kit.PayloadRead{Queue: x.Queue, Key: x.Key}
	if r.Payload, r.Err = a.o.Details.Payload(ctx, x.Queue, x.Key, x.Limit); r.Err == nil && a.o.Keep != nil {
		r.KeptErr = a.o.Keep(x.Queue, x.Key, r.Payload)
		r.Kept = r.KeptErr == nil
	}
	return r
}

// answer takes what a command of the root has brought; ok is false when it is
// nothing of the kind.
func (a *App) answer(msg tea.Msg) (cmd tea.Cmd, ok bool) {
	switch msg := msg.(type) {
	case played:
		return a.roll(msg), true
	case saved:
		a.saved(msg)
	case copied:
		return a.copy(msg), true
	case found:
		return a.found(msg), true
	case noticed:
		a.said = kit.Say{Tone: themes.Accent, Text: string(msg)}
		return a.notice(), true
	case moved:
		return tea.Batch(a.tell(kit.Moved{ID: msg.id, Progress: msg.progress}), listenRun(msg.id, msg.from)), true
	case kit.Answer:
		if e, ended := msg.(kit.Ended); ended {
			delete(a.runs, e.ID)
		}
		return a.tell(msg), true
	default:
		return nil, false
	}
	return nil, true
}

// rang says that the bell rang.
type rang struct{}

// noticed is something to be said that nobody asked for.
type noticed string

// notice waits for the next one.
func (a *App) notice() tea.Cmd {
	if a.o.Notices == nil {
		return nil
	}
	from, done := a.o.Notices, a.o.Context.Done()
	return func() tea.Msg {
		select {
		case s, open := <-from:
			if open {
				return noticed(s)
			}
		case <-done:
		}
		return nil
	}
}

// tick is this process's time, while ages are counted up.
type tick time.Time

// listen waits for the next ring.
func (a *App) listen() tea.Cmd {
	bell, done := a.o.Feed.Bell(), a.o.Context.Done()
	if bell == nil {
		return nil // nothing new ever comes
	}
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
	if !a.env.Frozen && !a.env.Past {
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
