package ui

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/leasetop/leasetop/actions"
	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/themes"
	"github.com/leasetop/leasetop/ui/dialog"
	"github.com/leasetop/leasetop/ui/kit"
)

var copying = kit.Bind("y", "y", "copy").Hushed()

// copies is the key that copies, where there is a job to copy of.
func (a *App) copies() []kit.Binding {
	screen, ok := a.top().(kit.Chooser)
	if !ok {
		return nil
	}
	b := copying
	switch c := screen.Chosen(a.area()); {
	case c.Job == nil && c.None != "":
		b = b.Refused(model.No(c.None, ""))
	case c.Job == nil:
		b = b.Refused(model.No("no job is chosen", "↑ and ↓ choose one"))
	}
	return []kit.Binding{b}
}

// askCopy opens the choice of what to copy.
func (a *App) askCopy() tea.Cmd {
	for _, b := range a.copies() {
		if b.Why != "" {
			return a.do(kit.Refuse(b))
		}
		if screen, ok := a.top().(kit.Chooser); ok {
			a.dialog = dialog.NewCopy(screen.Chosen(a.area()))
		}
	}
	return nil
}

// copied is a text that goes to the clipboard, or why there is none.
type copied struct {
	what, text string
	err        error
}

// copy puts a text on the clipboard of the terminal, wherever that is: it works
// over SSH, and in tmux with set-clipboard on.
func (a *App) copy(c copied) tea.Cmd {
	if c.err != nil {
		a.warn("not copied: " + c.err.Error())
		return nil
	}
	said := "copied " + c.what
	if !strings.Contains(c.text, "\n") {
		said += ": " + c.text
	}
	a.said = kit.Say{Tone: themes.Accent, Text: said}
	return tea.SetClipboard(c.text)
}

// planned makes the statement of an act as text.
func (a *App) planned(ctx context.Context, ask kit.Ask) copied {
	p, err := a.o.Desk.Plan(ctx, ask.Queue, actions.Ask{Action: ask.Action, Row: ask.Job, At: ask.At})
	return copied{what: "the statement of " + ask.Action.String(), text: kit.StatementText(p.Statement), err: err}
}
