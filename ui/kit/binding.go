package kit

import (
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/leasetop/leasetop/model"
)

// Binding is a key, its help, and why it is refused now if it is. Footer, help
// and the answer to the key all come from it.
type Binding struct {
	key.Binding
	Why   string // not empty: the key is dimmed, and pressing it says this
	Quiet bool   // in the help, not in the footer
}

// Bind makes a binding of keys separated by blanks, as Bubble Tea names them,
// the label that stands for them and what they do.
func Bind(keys, label, does string) Binding {
	return Binding{Binding: key.NewBinding(key.WithKeys(strings.Fields(keys)...), key.WithHelp(label, does))}
}

// Refused is the binding with the verdict that refuses it; an OK verdict changes
// nothing.
func (b Binding) Refused(v model.Verdict) Binding {
	if v.OK {
		return b
	}
	b.Why = v.Why
	if v.Fix != "" {
		b.Why += ": " + v.Fix
	}
	if b.Why == "" {
		b.Why = "not known to be possible yet"
	}
	return b
}

// Hushed is the binding without its place in the footer.
func (b Binding) Hushed() Binding {
	b.Quiet = true
	return b
}

// Pressed reports whether the message is a press of the binding's key.
func Pressed(msg tea.Msg, b Binding) bool {
	k, ok := msg.(tea.KeyPressMsg)
	return ok && key.Matches(k, b.Binding)
}

// Label is the key's name as it is drawn. Terminals without the glyphs get words.
func (b Binding) Label(ascii bool) string {
	if ascii {
		return worded.Replace(b.Help().Key)
	}
	return b.Help().Key
}

var worded = strings.NewReplacer("↵", "enter", "↑", "up", "↓", "down", "␣", "space", "⇥", "tab", "←", "left")
