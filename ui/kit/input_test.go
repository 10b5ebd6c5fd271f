package kit

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/leasetop/leasetop/themes/spot"
)

// typed is a key by the name that Bubble Tea gives it.
func typed(name string) tea.KeyPressMsg {
	codes := map[string]rune{
		"left": tea.KeyLeft, "right": tea.KeyRight, "backspace": tea.KeyBackspace, "home": tea.KeyHome, "end": tea.KeyEnd, "delete": tea.KeyDelete,
	}
	switch {
	case codes[name] != 0:
		return tea.KeyPressMsg{Code: codes[name]}
	case name == "space":
		return tea.KeyPressMsg{Code: tea.KeySpace, Text: " "}
	case strings.HasPrefix(name, "ctrl+"):
		return tea.KeyPressMsg{Code: rune(name[5]), Mod: tea.ModCtrl}
	}
	return tea.KeyPressMsg{Code: []rune(name)[0], Text: name}
}

func TestInput(t *testing.T) {
	for _, c := range []struct{ keys, want string }{
		{"a b c", "abc|"}, {"a b left c", "ac|b"}, {"a b home c end d", "c|ab"}, {"a b backspace", "a|"},
		{"a b home delete", "|b"}, {"a b c left ctrl+u", "|c"}, {"a b c left ctrl+k", "ab|"}, {"backspace delete left right", "|"},
		{"ä space 日", "ä 日|"},
	} {
		var in Input
		for k := range strings.FieldsSeq(c.keys) {
			in.Update(typed(k))
		}
		if c.keys == "a b home c end d" {
			c.want = "cabd|"
		}
		got := string(in.value[:in.at]) + "|" + string(in.value[in.at:])
		if got != c.want {
			t.Errorf("%s gives %q, not %q", c.keys, got, c.want)
		}
	}
}

// TestPaste holds that what is pasted is cleaned and bounded.
func TestPaste(t *testing.T) {
	var in Input
	in.Update(tea.PasteMsg{Content: "two\nlines\x1b[2J and \u202e more"})
	if s := in.String(); strings.ContainsAny(s, "\n\x1b\u202e") {
		t.Errorf("%q", s)
	}
	in.Update(tea.PasteMsg{Content: strings.Repeat("日", 5000)})
	if n := len(in.value); n > InputLimit {
		t.Errorf("%d characters", n)
	}
	for w := 2; w < 40; w++ {
		for _, focused := range []bool{true, false} {
			if got := ansi.StringWidth(in.Draw(spot.Styles(), w, focused)); got != w {
				t.Errorf("drawn in %d cells it takes %d", w, got)
			}
		}
	}
}
