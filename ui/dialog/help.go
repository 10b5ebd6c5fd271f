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

// Help shows every key that works now, made from the bindings themselves, and what
// the screen's words mean.
type Help struct {
	sections []Section
	words    []kit.Word
	place    kit.Pager
}

// NewHelp opens the help.
func NewHelp(sections []Section, words []kit.Word) *Help {
	return &Help{sections: sections, words: words}
}

// Keys implements kit.Dialog.
func (h *Help) Keys(e *kit.Env) []kit.Binding {
	return append([]kit.Binding{kit.Bind("esc ? q enter", "esc", "close")}, h.page(e).Keys()...)
}

// Update implements kit.Dialog.
func (h *Help) Update(e *kit.Env, msg tea.Msg) kit.Action {
	k, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return nil
	}
	switch k.String() {
	case "esc", "?", "q", "enter":
		return kit.Close{}
	}
	h.place.Press(h.page(e), k.String())
	return nil
}

// The widths of the help, of the keys' names and the words in it, and from which it
// has two columns.
const (
	helpWidth, keyColumn, wordColumn = 76, 10, 12
	twoColumns                       = 64
)

// View implements kit.Dialog.
func (h *Help) View(e *kit.Env) []string {
	if cramped(e) {
		return nil
	}
	body, below := h.place.Window(h.page(e))
	b := kit.Box{Edge: e.Edge, Title: kit.Spans{{Tone: themes.Strong, Text: "help"}}, FootEnd: more(below)}
	return b.Draw(e.Styles, widthOf(e, helpWidth), indent(body))
}

func (h *Help) page(e *kit.Env) kit.Page { return paged(e, helpWidth, h.text) }

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
	if len(h.words) > 0 {
		out = append(append(out, ""), explained(e, h.words, width)...)
	}
	legend := "1,284 exact · ≥ 12 at least · 10k+ counting stopped there · ~48.2k estimated · – not known"
	out = append(out, "", st.Of(themes.Strong).Render("figures"))
	return append(out, paragraphs(st.Of(themes.Dim), legend, width)...)
}

// explained are the words of a screen, what they mean beside them.
func explained(e *kit.Env, words []kit.Word, width int) []string {
	st := e.Styles
	out := []string{st.Of(themes.Strong).Render("words")}
	for _, w := range words {
		for i, line := range kit.Wrap(w.Means, max(8, width-wordColumn)) {
			word := ""
			if i == 0 {
				word = w.Word
			}
			var l kit.Line
			l.Text(st.Of(themes.Plain), text.PadRight(word, wordColumn))
			l.Text(st.Of(themes.Dim), line)
			out = append(out, l.String())
		}
	}
	return out
}

func at(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return ""
}

// section is a group of keys. Keys that are not allowed now have the reason below,
// once where several in a row have the same.
func section(e *kit.Env, s Section, width int) []string {
	st := e.Styles
	out := []string{st.Of(themes.Strong).Render(text.Cut(s.Title, width))}
	for i, k := range s.Keys {
		key, does := themes.Accent, themes.Plain
		if k.Why != "" {
			key, does = themes.Off, themes.Off
		}
		var l kit.Line
		l.Text(st.Of(key), text.PadRight(k.Label(e.ASCII), keyColumn))
		l.Text(st.Of(does), text.Cut(k.Help().Desc, width-keyColumn))
		out = append(out, l.String())
		if k.Why != "" && (i+1 == len(s.Keys) || s.Keys[i+1].Why != k.Why) {
			for j, line := range kit.Wrap(text.Clean(k.Why), max(8, width-keyColumn-2)) {
				mark := "· " // set in, so that it is no key of its own
				if j > 0 {
					mark = "  "
				}
				out = append(out, strings.Repeat(" ", keyColumn)+st.Of(themes.Dim).Render(mark+line))
			}
		}
	}
	return out
}
