package ui

import (
	"github.com/leasetop/leasetop/themes"
	"github.com/leasetop/leasetop/ui/kit"
)

// footer lists the keys, as many as fit, or has the command that is being typed.
func (a *App) footer() string {
	if a.palette.open {
		return a.commandLine()
	}
	parts, _ := a.footing()
	version := kit.Rank{Rank: len(parts) + 1, Right: true, Spans: kit.Spans{{Tone: themes.Dim, Text: a.o.Version}}}
	return kit.Ranks(a.env.Styles, append(parts, version), a.width)
}

// footing are the parts of the footer and the key of each. Help and quit are always
// there, and the way back from a picture that is not of now.
func (a *App) footing() ([]kit.Rank, []kit.Binding) {
	var (
		parts []kit.Rank
		keys  []kit.Binding
	)
	rank := 1
	for _, b := range a.keys() {
		if b.Quiet || a.env.Off != "" && b.Why == a.env.Off {
			continue // what is off altogether only takes room; the help has it
		}
		key, does, r := themes.Accent, themes.Dim, rank
		if b.Why != "" {
			key, does = themes.Off, themes.Off
		}
		switch b.Help() {
		case help.Help(), quit.Help(), goOn.Help(), toNow.Help(), play.Help(), hold.Help():
			r = 0
		default:
			rank++
		}
		parts = append(parts, kit.Rank{Rank: r, Spans: kit.Spans{
			{Tone: key, Text: b.Label(a.o.ASCII)}, {Tone: does, Text: " " + b.Help().Desc},
		}})
		keys = append(keys, b)
	}
	return parts, keys
}

// keys are those that work now.
func (a *App) keys() []kit.Binding {
	switch {
	case a.dialog != nil:
		return a.dialog.Keys(a.area())
	case a.top().Subject().Typing:
		return a.top().Keys(a.area())
	}
	if a.env.Past { // there the keys of time are what is wanted
		return append(append(a.timeKeys(), a.top().Keys(a.area())...), a.besideTime()...)
	}
	return append(a.top().Keys(a.area()), a.everywhere()...)
}
