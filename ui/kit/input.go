package kit

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/themes"
)

// InputLimit bounds what can be typed or pasted, in characters; a reason has 2,000
// in the shipped history.
const InputLimit = 2000

// Input is one line of text being typed. The zero Input is empty.
type Input struct {
	value []rune
	at    int // the cursor, 0 to len(value)
}

// String is what was typed.
func (in *Input) String() string { return string(in.value) }

// Set replaces what was typed; the cursor stands behind it.
func (in *Input) Set(s string) {
	in.Clear()
	in.insert(s)
}

// Clear forgets what was typed.
func (in *Input) Clear() { in.value, in.at = nil, 0 }

// Update takes a key or a paste, and reports whether it was one for the input.
func (in *Input) Update(msg tea.Msg) bool {
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

func (in *Input) edit(key string) bool {
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

func (in *Input) insert(s string) {
	add := []rune(text.Clean(s))
	add = add[:min(len(add), InputLimit-len(in.value))]
	in.value = slices.Insert(in.value, in.at, add...)
	in.at += len(add)
}

// Draw is the input in exactly width cells, the cursor visible while focused.
func (in *Input) Draw(st *themes.Styles, width int, focused bool) string {
	var l Line
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
	return FitLine(l.String(), width)
}
