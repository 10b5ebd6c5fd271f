package dialog

import (
	"strings"

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
		keys = append(keys, kit.Bind("up down k j", "↑ ↓", "read on"))
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

// The widths of the help, of the keys' names in it, and from which it has two
// columns.
const (
	helpWidth, keyColumn = 76, 10
	twoColumns           = 64
)

// View implements kit.Dialog.
func (h *Help) View(e *kit.Env) []string {
	width := widthOf(e, helpWidth)
	if width < 12 || e.Height < 4 {
		return nil
	}
	body, below := scrolled(h.text(e, width-4), &h.scroll, e.Height-2)
	h.below = below
	b := kit.Box{Edge: e.Edge, Title: kit.Spans{{Tone: themes.Strong, Text: "help"}}}
	if below > h.scroll {
		b.FootEnd = more(below - h.scroll)
	}
	return b.Draw(e.Styles, width, indent(body))
}

func (h *Help) text(e *kit.Env, width int) []string {
	st := e.Styles
	var out []string
	if len(h.sections) == 2 && width >= twoColumns {
		half := width / 2
		a, b := section(e, h.sections[0], half-2), section(e, h.sections[1], width-half)
		for i := range max(len(a), len(b)) {
			out = append(out, kit.FitLine(at(a, i), half)+at(b, i))
		}
	} else {
		for _, s := range h.sections {
			out = append(append(out, section(e, s, width)...), "")
		}
		out = out[:max(0, len(out)-1)]
	}
	legend := "1,284 exact · ≥ 12 at least · 10k+ counting stopped there · ~48.2k estimated · – not known"
	out = append(out, "", st.Of(themes.Strong).Render("figures"))
	return append(out, paragraphs(st.Of(themes.Dim), legend, width)...)
}

func at(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return ""
}

// section is a group of keys. A key that is not allowed now has the reason below.
func section(e *kit.Env, s Section, width int) []string {
	st := e.Styles
	out := []string{st.Of(themes.Strong).Render(text.Cut(s.Title, width))}
	for _, k := range s.Keys {
		key, does := themes.Accent, themes.Plain
		if k.Why != "" {
			key, does = themes.Off, themes.Off
		}
		var l kit.Line
		l.Text(st.Of(key), text.PadRight(k.Label(e.ASCII), keyColumn))
		l.Text(st.Of(does), text.Cut(k.Help().Desc, width-keyColumn))
		out = append(out, l.String())
		if k.Why != "" {
			for _, line := range kit.Wrap(text.Clean(k.Why), max(8, width-keyColumn)) {
				out = append(out, strings.Repeat(" ", keyColumn)+st.Of(themes.Dim).Render(line))
			}
		}
	}
	return out
}
