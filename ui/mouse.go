package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/ui/kit"
)

// wheelRows is how far one notch of the wheel goes.
const wheelRows = 3

// wheel is the mouse's wheel: it does what the arrows do.
func (a *App) wheel(m tea.Mouse) tea.Cmd {
	key := "down"
	switch m.Button {
	case tea.MouseWheelUp:
		key = "up"
	case tea.MouseWheelDown:
	default:
		return nil
	}
	if a.palette.open || a.dialog == nil && a.top().Subject().Typing {
		return nil
	}
	var cmds []tea.Cmd
	for range wheelRows {
		cmds = append(cmds, a.hand(keyPress(key)))
	}
	return tea.Batch(cmds...)
}

// click is the left button: on a key of the footer it presses it, on a screen it
// chooses what is there. On a dialog it does nothing: what is sent is chosen by keys.
func (a *App) click(m tea.Mouse) tea.Cmd {
	if m.Button != tea.MouseLeft || a.palette.open || a.width < leastWidth || a.height < leastHeight {
		return nil
	}
	if m.Y >= a.height-a.covered() {
		a.said = kit.Say{}
		return nil
	}
	if m.Y == a.height-1 {
		if key := a.keyAt(m.X); key != "" {
			return a.key(keyPress(key))
		}
		return nil
	}
	if e := a.area(); a.dialog == nil && m.Y >= 1 && m.Y <= e.Height {
		return a.do(a.top().Update(e, kit.Click{X: m.X, Y: m.Y - 1}))
	}
	return nil
}

// keyAt is the key that stands in a cell of the footer, empty where none does. Of
// a label that names several keys it is the one that was pointed at.
func (a *App) keyAt(x int) string {
	parts, keys := a.footing()
	for _, p := range kit.Places(parts, a.width) {
		b := keys[p.Index]
		if x < p.At || x >= p.At+p.Width || len(b.Keys()) == 0 {
			continue
		}
		names := strings.Fields(b.Label(a.o.ASCII))
		if len(names) != len(b.Keys()) {
			return b.Keys()[0]
		}
		for i, n := range names {
			if p.At += text.Width(n) + 1; x < p.At {
				return b.Keys()[i]
			}
		}
		return b.Keys()[0]
	}
	return ""
}
