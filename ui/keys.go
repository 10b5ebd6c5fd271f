package ui

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/themes"
	"github.com/leasetop/leasetop/ui/dialog"
	"github.com/leasetop/leasetop/ui/kit"
)

// The keys that work on every screen.
var (
	back   = kit.Bind("esc", "esc", "back")
	freeze = kit.Bind("p", "p", "freeze")
	goOn   = kit.Bind("p", "p", "go on")
	poll   = kit.Bind("R", "R", "poll now").Hushed()
	zone   = kit.Bind("z", "z", "UTC or local time").Hushed()
	paint  = kit.Bind("t", "t", "next theme").Hushed()
	help   = kit.Bind("?", "?", "help")
	quit   = kit.Bind("q ctrl+c", "q", "quit")
	stop   = kit.Bind("ctrl+z", "ctrl+z", "to the shell").Hushed()
	tricks = kit.Bind("F", "F", "what if: faults")
)

// everywhere lists the keys of the root that work now.
func (a *App) everywhere() []kit.Binding {
	p := freeze
	if a.env.Frozen {
		p = goOn
	}
	again := poll
	if a.env.Past {
		return append(a.timeKeys(), a.besideTime()...)
	}
	if s := a.subject(); s != nil && s.Watch.Health != model.Live {
		again.Quiet = false // there is a reason to press it
	}
	keys := append(append(a.out(), a.mischief()...), p, again)
	keys = append(append(keys, a.timeKeys()...), a.copies()...)
	return append(keys, command, help, quit, zone, paint, stop)
}

// besideTime lists the keys of the root that work in the past, but for those of time.
func (a *App) besideTime() []kit.Binding {
	return append(append(a.out(), a.copies()...), command, help, quit, zone, paint, stop)
}

// out is the way back to the screen before.
func (a *App) out() []kit.Binding {
	taken := takes(a.top().Keys(a.area()), tea.KeyPressMsg{Code: tea.KeyEscape})
	if len(a.stack) > 1 && !taken && (!a.env.Past || a.o.Replay) {
		return []kit.Binding{back}
	}
	return nil
}

// mischief is the trainer's key, where there is a menu.
func (a *App) mischief() []kit.Binding {
	if a.o.Mischief == nil {
		return nil
	}
	return []kit.Binding{tricks}
}

// held is the job that the screen's keys are about, the zero key where there is none
// or nobody holds it by a lease.
func (a *App) held() model.Key {
	c, ok := a.top().(kit.Chooser)
	if !ok {
		return model.Key{}
	}
	j, s := c.Chosen(a.area()).Job, a.subject()
	if j != nil && j.State == model.Working && s != nil && s.Mapping != nil && !s.Mapping.IsDestructive() {
		return j.Key
	}
	return model.Key{}
}

// key routes a key: to the dialog if one is open, to the root if it is one of its
// own, else to the screen.
func (a *App) key(msg tea.KeyPressMsg) tea.Cmd {
	read := a.said.Text != ""
	a.said = kit.Say{}
	switch {
	case msg.String() == "ctrl+c":
		return tea.Quit
	case read && msg.String() == "esc" && a.dialog == nil && !a.palette.open && !a.top().Subject().Typing:
		return nil // what was said is what is left first
	case kit.Pressed(msg, stop):
		return tea.Suspend
	case a.palette.open:
		return a.command(msg)
	case a.dialog != nil, a.top().Subject().Typing:
		return a.hand(msg)
	case kit.Pressed(msg, quit):
		return tea.Quit
	}
	if cmd, ok := a.timeKey(msg); ok {
		return cmd
	}
	switch {
	case kit.Pressed(msg, back) && !takes(a.top().Keys(a.area()), msg):
		return a.do(kit.Back{})
	case kit.Pressed(msg, copying):
		return a.askCopy()
	case kit.Pressed(msg, command):
		a.palette.begin()
		return nil
	case kit.Pressed(msg, help):
		a.dialog = a.explain()
		return nil
	}
	if a.o.Mischief != nil && kit.Pressed(msg, tricks) {
		a.askTrick()
		return nil
	}
	if cmd, ok := a.setting(msg); ok {
		return cmd
	}
	return a.hand(msg)
}

// askTrick opens the menu of faults of the queue that is shown or chosen.
func (a *App) askTrick() {
	if a.env.Past {
		a.warn(offPast)
		return
	}
	queue := a.top().Subject().Queue
	if list, ok := a.top().(kit.Lister); ok {
		queue = list.Listed()
	}
	if queue == "" {
		queue = a.o.First
	}
	a.dialog = dialog.NewTricks(queue, a.o.Mischief.Tricks(queue), a.held())
}

// setting is a key that changes how things are shown.
func (a *App) setting(msg tea.KeyPressMsg) (tea.Cmd, bool) {
	switch {
	case kit.Pressed(msg, freeze):
		a.env.Frozen = !a.env.Frozen
		if a.env.Frozen && a.o.Past != nil {
			_, a.reel.froze = a.o.Past.Reach()
		}
		a.env.Board = a.env.Live
		return a.tell(kit.News{}), true
	case kit.Pressed(msg, zone):
		if a.env.Zone == time.UTC {
			a.env.Zone = time.Local
		} else {
			a.env.Zone = time.UTC
		}
		return a.tell(kit.News{}), true
	case kit.Pressed(msg, paint):
		all := themes.All()
		for i, t := range all {
			if t.Name == a.theme.Name {
				a.theme = all[(i+1)%len(all)]
				break
			}
		}
		a.said = kit.Say{Tone: themes.Accent, Text: "theme " + a.theme.Name}
		return a.restyle(), true
	}
	if kit.Pressed(msg, poll) && !takes(a.top().Keys(a.area()), msg) {
		return a.do(kit.Kick{Queue: a.top().Subject().Queue}), true
	}
	return nil, false
}

// takes reports whether a screen has a use of its own for a key.
func takes(keys []kit.Binding, msg tea.Msg) bool {
	for _, k := range keys {
		if kit.Pressed(msg, k) {
			return true
		}
	}
	return false
}

// explain is the help of the screen on top.
func (a *App) explain() kit.Dialog {
	var words []kit.Word
	if x, ok := a.top().(kit.Explainer); ok {
		words = x.Words(a.area())
	}
	own, every := a.top().Keys(a.area()), a.everywhere()
	if a.env.Past { // the keys of time come before those of the screen
		own = besides(own, every)
	} else {
		every = besides(every, own)
	}
	return dialog.NewHelp([]dialog.Section{{Title: "this screen", Keys: own}, {Title: "everywhere", Keys: every}}, words)
}

// besides are the keys that do not stand among others already, which take them first.
func besides(keys, others []kit.Binding) []kit.Binding {
	return slices.DeleteFunc(slices.Clone(keys), func(k kit.Binding) bool {
		return slices.ContainsFunc(others, func(o kit.Binding) bool { return o.Help().Key == k.Help().Key })
	})
}
