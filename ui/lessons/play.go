package lessons

import (
	"context"
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/leasetop/leasetop/internal/drill/lesson"
	"github.com/leasetop/leasetop/ui/kit"
)

// played is what a call of the player brought. player is set by one that opened
// another half.
type played struct {
	player Player
	stage  lesson.Stage
	err    error
}

// dropped says that a scratch queue could not be dropped.
type dropped struct{ err error }

// beat is a tick of automatic play.
type beat struct{ nth int }

// stepBudget bounds one step: on a real server a lease has to be waited for.
const stepBudget = time.Minute

// call runs a call of the player on a goroutine of its own; while it runs, keys
// that would play something do nothing.
func (a *App) call(f func(context.Context, Player) error) tea.Cmd {
	if a.busy || a.player == nil {
		return nil
	}
	p := a.player
	return a.begin(func(ctx context.Context) played {
		err := f(ctx, p)
		return played{player: p, stage: p.Stage(), err: err}
	})
}

// open opens a half of the lesson under the cursor, in place of the one that is
// open.
func (a *App) open(w lesson.Which) tea.Cmd {
	if a.busy || a.at >= len(a.o.Lessons) {
		return nil
	}
	a.failed = nil
	l, before, openHalf := a.o.Lessons[a.at], a.player, a.o.Open
	return a.begin(func(ctx context.Context) played {
		if before != nil {
			if err := before.Close(context.WithoutCancel(ctx)); err != nil {
				return played{err: err}
			}
		}
		p, err := openHalf(ctx, l, w)
		if err != nil {
			return played{err: err}
		}
		return played{player: p, stage: p.Stage()}
	})
}

// begin makes the command of a call, of which there is one at a time.
func (a *App) begin(call func(context.Context) played) tea.Cmd {
	ctx, stop := context.WithTimeout(a.o.Context, stepBudget)
	a.busy, a.stop = true, stop
	return func() tea.Msg {
		defer stop()
		return call(ctx)
	}
}

// took takes what a call brought. After an error without a player there is none any
// more: the one before was closed.
func (a *App) took(m played) tea.Cmd {
	then := a.then
	a.busy, a.then = false, nil
	if then != nil {
		a.player = m.player
		return then()
	}
	a.failed = m.err
	if m.err != nil {
		a.auto = false
	}
	if m.player == nil {
		a.player, a.stage, a.pane = nil, nil, noPane
		return nil
	}
	if m.player != a.player {
		a.most = 0
	}
	a.player, a.stage = m.player, &m.stage
	a.most = max(a.most, len(m.stage.Table))
	a.answer, a.place = 0, kit.Pager{}
	return a.next()
}

// next arms the timer of automatic play. A question is waited for twice as long.
func (a *App) next() tea.Cmd {
	if !a.auto || a.stage == nil || a.player == nil {
		return nil
	}
	if a.stage.Over() && a.stage.Half == lesson.Good { // there it stops
		a.auto = false
		return nil
	}
	wait := speeds[a.speed]
	if a.stage.Over() || a.stage.Question != nil {
		wait *= 2
	}
	a.beats++
	nth := a.beats
	return tea.Tick(wait, func(time.Time) tea.Msg { return beat{nth} })
}

// beat plays on by itself: the steps, then the good half.
func (a *App) beat(b beat) tea.Cmd {
	if !a.auto || b.nth != a.beats || a.player == nil || a.stage == nil {
		return nil
	}
	switch {
	case !a.stage.Over():
		return a.forward()
	case a.stage.Half == lesson.Bad:
		return a.open(lesson.Good)
	}
	return nil
}

// forward plays the next step, with what was predicted for it.
func (a *App) forward() tea.Cmd {
	if a.stage == nil || a.stage.Over() {
		return nil
	}
	choice := a.answer - 1
	return a.call(func(ctx context.Context, p Player) error {
		if choice >= 0 {
			p.Answer(choice)
		}
		return p.Next(ctx)
	})
}

// leave goes back to the menu and drops the lesson's queue.
func (a *App) leave() tea.Cmd {
	a.stage, a.auto, a.pane, a.failed = nil, false, noPane, nil
	return a.after(a.drop)
}

// drop drops the queue of the half that is open.
func (a *App) drop() tea.Cmd {
	p, parent := a.player, a.o.Context
	a.player = nil
	if p == nil {
		return nil
	}
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(parent), stepBudget)
		defer cancel()
		if err := p.Close(ctx); err != nil && !errors.Is(err, context.Canceled) {
			return dropped{err}
		}
		return nil
	}
}

// leaveAll ends the program. Whoever opened the queues drops those that are left;
// asked twice, it waits for nothing.
func (a *App) leaveAll() tea.Cmd {
	if a.quits {
		return tea.Quit
	}
	a.quits = true
	return a.after(func() tea.Cmd { return tea.Quit })
}

// after does something once the call under way is over, which it is told to be:
// until it is, the player belongs to it.
func (a *App) after(then func() tea.Cmd) tea.Cmd {
	if !a.busy {
		return then()
	}
	a.stop()
	a.then = then
	return nil
}
