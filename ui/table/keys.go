package table

import (
	tea "charm.land/bubbletea/v2"

	"github.com/leasetop/leasetop/ui/kit"
)

// Keys are the keys that move the cursor, for the help. They are those of Press.
func Keys() []kit.Binding {
	return []kit.Binding{
		kit.Bind("up down k j", "↑ ↓", "move").Hushed(),
		kit.Bind("pgup pgdown ctrl+b ctrl+f", "pgup pgdn", "move by screens").Hushed(),
		kit.Bind("home end g G", "home end", "first or last row").Hushed(),
	}
}

// Press moves the cursor if the message is one of its keys.
func (t *Table[K]) Press(src Source[K], msg tea.Msg) {
	k, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return
	}
	switch k.String() {
	case "up", "k":
		t.Move(src, -1)
	case "down", "j":
		t.Move(src, 1)
	case "pgup", "ctrl+b":
		t.Page(src, -1)
	case "pgdown", "ctrl+f":
		t.Page(src, 1)
	case "home", "g":
		t.First(src)
	case "end", "G":
		t.Last(src)
	}
}
