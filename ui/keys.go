package ui

import (
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
)

// everywhere lists the keys of the root that work now.
func (a *App) everywhere() []kit.Binding {
	p := freeze
	if a.env.Frozen {
		p = goOn
	}
	again := poll
	if s := a.subject(); s != nil && s.Watch.Health != model.Live {
		again.Quiet = false // there is a reason to press it
	}
	keys := []kit.Binding{p, again, help, quit, zone, paint, stop}
	if len(a.stack) > 1 {
		keys = append([]kit.Binding{back}, keys...)
	}
	return keys
}

// key routes a key: to the dialog if one is open, to the root if it is one of its
// own, else to the screen.
func (a *App) key(msg tea.KeyPressMsg) tea.Cmd {
	a.said = kit.Say{}
	switch {
	case msg.String() == "ctrl+c":
		return tea.Quit
	case kit.Pressed(msg, stop):
		return tea.Suspend
	case a.dialog != nil:
		return a.hand(msg)
	case kit.Pressed(msg, quit):
		return tea.Quit
	case kit.Pressed(msg, back):
		return a.do(kit.Back{})
	case kit.Pressed(msg, help):
		a.dialog = dialog.NewHelp([]dialog.Section{
			{Title: "this screen", Keys: a.top().Keys(a.area())}, {Title: "everywhere", Keys: a.everywhere()},
		})
		return nil
	}
	if cmd, ok := a.setting(msg); ok {
		return cmd
	}
	return a.hand(msg)
}

// setting is a key that changes how things are shown.
func (a *App) setting(msg tea.KeyPressMsg) (tea.Cmd, bool) {
	switch {
	case kit.Pressed(msg, freeze):
		a.env.Frozen = !a.env.Frozen
		a.env.Board = a.env.Live
		return a.tell(kit.News{}), true
	case kit.Pressed(msg, zone):
		if a.env.Zone == time.UTC {
			a.env.Zone = time.Local
		} else {
			a.env.Zone = time.UTC
		}
		return nil, true
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
