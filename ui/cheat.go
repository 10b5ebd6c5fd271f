package ui

import (
	"slices"
	"time"

	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/poller"
	"github.com/leasetop/leasetop/ui/dialog"
	"github.com/leasetop/leasetop/ui/kit"
	"github.com/leasetop/leasetop/ui/screens/job"
	"github.com/leasetop/leasetop/ui/screens/queue"
	"github.com/leasetop/leasetop/ui/screens/queues"
)

// Entry is a line of the cheat sheet: a key, or a command with its argument.
type Entry struct{ Name, Does string }

// Sheet is a part of the cheat sheet.
type Sheet struct {
	Title   string
	Entries []Entry
}

// CheatSheet lists every key and every command, made from the bindings themselves.
func CheatSheet() []Sheet {
	a := newApp(Options{
		Feed: nothing{}, Past: nothing{}, Save: func(string) error { return nil }, Every: func(time.Duration) {},
	})
	e := a.area()
	page, _ := job.New(kit.OpenJob{})
	out := []Sheet{
		{"On every screen", entries(a.everywhere(), []kit.Binding{copying, back})},
		{"The list of queues", entries(queues.New().Keys(e))},
		{"A queue", entries(queue.New("").Keys(e), queue.GroupKeys())},
		{"A job", entries(page.Keys(e))},
		{"An act that is asked about", entries(dialog.AskKeys())},
		{"Looking back", entries([]kit.Binding{toNow, walk, stride})},
		{"A recording", entries([]kit.Binding{play, walk, pace, stride, toEnds})},
		{"The training queue", entries([]kit.Binding{tricks})},
		{"While a command is typed", entries([]kit.Binding{runIt, complete, former, closeIt})},
	}
	commands := Sheet{Title: "Commands beside the names of the keys"}
	for _, o := range a.spoken() {
		name := ":" + o.name
		if o.arg != "" {
			name += " " + o.arg
		}
		commands.Entries = append(commands.Entries, Entry{name, o.does})
	}
	return append(out, commands)
}

// entries are bindings as lines, each once.
func entries(lists ...[]kit.Binding) []Entry {
	var out []Entry
	for _, b := range slices.Concat(lists...) {
		if x := (Entry{b.Help().Key, b.Help().Desc}); !slices.Contains(out, x) {
			out = append(out, x)
		}
	}
	return out
}

// nothing is a feed and a past in which nothing was ever seen.
type nothing struct{ noPast }

func (nothing) Bell() <-chan struct{} { return nil }
func (nothing) Board() *model.Board   { return nil }
func (nothing) Want(poller.Want)      {}
func (nothing) Kick(string)           {}
