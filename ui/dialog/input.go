// Package dialog holds what lies over the screens: the confirmation of an act, its
// receipt, and the help. Each takes every key while it is open and answers with
// the actions of ui/kit.
package dialog

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/themes"
	"github.com/leasetop/leasetop/ui/kit"
)

// inputLimit bounds what can be typed or pasted, in characters; a reason has 2,000
// in the shipped history.
const inputLimit = 2000

// input is one line of text being typed.
type input struct {
	value []rune
	at    int // the cursor, 0 to len(value)
}

// String is what was typed.
func (in *input) String() string { return string(in.value) }

// update takes a key or a paste, and reports whether it was one for the input.
func (in *input) update(msg tea.Msg) bool {
	switch msg := msg.(type) {
	case tea.PasteMsg:
		in.insert(msg.Content)
		return true
	case tea.KeyPressMsg:
		if msg.Text != "" && msg.Mod&^tea.ModShift == 0 {
			in.insert(msg.Text)
			return true
		}
		return in.edit(msg.String())
	}
	return false
}

func (in *input) edit(key string) bool {
	switch key {
	case "backspace", "ctrl+h":
		if in.at > 0 {
			in.value = slices.Delete(in.value, in.at-1, in.at)
			in.at--
		}
	case "delete", "ctrl+d":
		if in.at < len(in.value) {
			in.value = slices.Delete(in.value, in.at, in.at+1)
		}
	case "left":
		in.at = max(0, in.at-1)
	case "right":
		in.at = min(len(in.value), in.at+1)
	case "home", "ctrl+a":
		in.at = 0
	case "end", "ctrl+e":
		in.at = len(in.value)
	case "ctrl+u":
		in.value, in.at = in.value[in.at:], 0
	case "ctrl+k":
		in.value = in.value[:in.at]
	default:
		return false
	}
	return true
}

func (in *input) insert(s string) {
	add := []rune(text.Clean(s))
	add = add[:min(len(add), inputLimit-len(in.value))]
	in.value = slices.Insert(in.value, in.at, add...)
	in.at += len(add)
}

// draw is the input in exactly width cells, the cursor visible while focused.
func (in *input) draw(st *themes.Styles, width int, focused bool) string {
	var l kit.Line
	room := width - 1 // the cursor may stand behind the text
	from := in.at
	for used := 0; from > 0; from-- {
		if used += text.Width(string(in.value[from-1])); used > room {
			break
		}
	}
	for i := from; i <= len(in.value) && l.Width() < room; i++ {
		glyph, s := " ", st.Of(themes.Plain)
		if i < len(in.value) {
			glyph = string(in.value[i])
		}
		if focused && i == in.at {
			s = st.On(themes.Strong)
		}
		l.Text(s, glyph)
	}
	if focused && in.at == len(in.value) && l.Width() == room {
		l.Put(st.On(themes.Strong), " ", 1)
	}
	l.To(width)
	return kit.FitLine(l.String(), width)
}
