package dialog

import (
	tea "charm.land/bubbletea/v2"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/themes"
	"github.com/leasetop/leasetop/ui/kit"
)

// Section is a group of keys in the help.
type Section struct {
	Title string
	Keys  []kit.Binding
}

// Help shows every key that works now, made from the bindings themselves.
type Help struct {
	sections      []Section
	scroll, below int
}

// NewHelp opens the help.
func NewHelp(sections []Section) *Help { return &Help{sections: sections} }

// Keys implements kit.Dialog.
func (h *Help) Keys(*kit.Env) []kit.Binding {
	keys := []kit.Binding{kit.Bind("esc ? q enter", "esc", "close")}
	if h.below > 0 {
		keys = append([]kit.Binding{kit.Bind("up down k j", "↑↓", "read on")}, keys...)
	}
	return keys
}

// Update implements kit.Dialog.
func (h *Help) Update(_ *kit.Env, msg tea.Msg) kit.Action {
	k, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return nil
	}
	switch k.String() {
	case "up", "k":
		h.scroll = max(0, h.scroll-1)
	case "down", "j":
		h.scroll = min(h.scroll+1, h.below)
	case "esc", "?", "q", "enter":
		return kit.Close{}
	}
	return nil
}

// keyColumn is the width of the keys' names in the help.
const keyColumn = 14

// View implements kit.Dialog.
func (h *Help) View(e *kit.Env) []string {
	width := min(e.Width, 72)
	if width < 12 || e.Height < 4 {
		return nil
	}
	body, below := scrolled(h.text(e, width-4), &h.scroll, e.Height-2)
	h.below = below
	b := kit.Box{Edge: e.Edge, Title: kit.Spans{{Tone: themes.Strong, Text: "help"}}, Foot: keyLine(e, h.Keys(e))}
	return b.Draw(e.Styles, width, indent(body))
}

func (h *Help) text(e *kit.Env, width int) []string {
	st := e.Styles
	var out []string
	for _, s := range h.sections {
		out = append(out, st.Of(themes.Strong).Render(text.Cut(s.Title, width)))
		for _, k := range s.Keys {
			tone, does := themes.Plain, k.Help().Desc
			if k.Why != "" {
				tone, does = themes.Off, does+" – not now: "+k.Why
			}
			var l kit.Line
			l.Text(st.Of(themes.Accent), text.PadRight(k.Label(e.ASCII), keyColumn))
			l.Text(st.Of(tone), text.Cut(does, width-keyColumn))
			out = append(out, l.String())
		}
		out = append(out, "")
	}
	legend := "1,284 exact · ≥ 12 at least · 10k+ counting stopped there · ~48.2k estimated · – not known"
	out = append(out, st.Of(themes.Strong).Render("figures"))
	return append(out, paragraphs(st.Of(themes.Dim), legend, width)...)
}
