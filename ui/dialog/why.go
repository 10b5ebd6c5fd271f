package dialog

import (
	tea "charm.land/bubbletea/v2"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/themes"
	"github.com/leasetop/leasetop/ui/kit"
)

// Why says why a job is not moving. It shows what one look found out, with the
// server's time of it, and looks again on a key: nothing moves under the reader.
type Why struct {
	ask           kit.AskWhy
	why           model.Why
	looking, done bool // a look is under way; one has come back
	place         kit.Pager
}

// NewWhy opens the dialog and begins to look.
func NewWhy(ask kit.AskWhy) (*Why, kit.Action) {
	w := &Why{ask: ask}
	return w, w.look()
}

func (w *Why) look() kit.Action {
	if w.looking {
		return nil
	}
	w.looking = true
	return kit.ReadWhy{Queue: w.ask.Queue, Key: w.ask.Key, Job: w.ask.Job}
}

// Keys implements kit.Dialog.
func (w *Why) Keys(e *kit.Env) []kit.Binding {
	keys := []kit.Binding{kit.Bind("esc enter q", "esc", "close"), kit.Bind("w R", "w", "look again")}
	return append(keys, w.page(e).Keys()...)
}

// Update implements kit.Dialog.
func (w *Why) Update(e *kit.Env, msg tea.Msg) kit.Action {
	switch msg := msg.(type) {
	case kit.WhyRead:
		if msg.Queue == w.ask.Queue && msg.Why.Key == w.ask.Key {
			w.why, w.looking, w.done = msg.Why, false, true
		}
	case tea.KeyPressMsg:
		switch msg.String() {
		case "w", "R":
			return w.look()
		case "esc", "enter", "q":
			return kit.Close{}
		}
		w.place.Press(w.page(e), msg.String())
	}
	return nil
}

// whyWidth is how wide the answer gets.
const whyWidth = 84

// View implements kit.Dialog.
func (w *Why) View(e *kit.Env) []string {
	if cramped(e) {
		return nil
	}
	body, below := w.place.Window(w.page(e))
	title := "why " + text.Cut(text.Clean(w.ask.Key.String()), 40)
	if full := title + " is where it is"; text.Width(full) <= widthOf(e, whyWidth)-6 {
		title = full
	}
	b := kit.Box{
		Edge: e.Edge, Title: kit.Spans{{Tone: themes.Strong, Text: title}},
		Right: kit.Spans{{Tone: themes.Dim, Text: w.state(e)}}, FootEnd: more(below),
	}
	return b.Draw(e.Styles, widthOf(e, whyWidth), indent(body))
}

func (w *Why) page(e *kit.Env) kit.Page { return paged(e, whyWidth, w.text) }

// state is what the job was at which time, in words that do not take the time of
// the look for the one at which it became that.
func (w *Why) state(e *kit.Env) string {
	switch {
	case w.looking:
		return "looking …"
	case w.why.Job == nil:
		return ""
	}
	return w.why.Job.State.String() + " as of " + e.Clock(w.why.At, true)
}

func (w *Why) text(e *kit.Env, width int) []string {
	st := e.Styles
	if !w.done {
		return []string{"", st.Of(themes.Dim).Render("asking the server about the row and its locks …"), ""}
	}
	out := []string{""}
	for _, r := range w.why.Reasons {
		out = append(append(out, reason(e, r, width)...), "")
	}
	if len(w.why.Reasons) == 0 && len(w.why.Unknown) == 0 {
		out = append(append(out, paragraphs(st.Of(themes.Plain), "nothing that leasetop knows of is in its way", width)...), "")
	}
	for _, s := range w.why.Unknown {
		out = append(out, hanging(st.Of(themes.Dim), "? ", "not known: "+text.Clean(s), width)...)
	}
	if len(w.why.Unknown) > 0 {
		out = append(out, "")
	}
	return out
}

// reason is one reason with what it rests on and what to do.
func reason(e *kit.Env, r model.Reason, width int) []string {
	st := e.Styles
	mark, tone := "· ", themes.Plain
	switch r.Severity {
	case model.Warn:
		mark, tone = "! ", themes.Warn
	case model.Bad:
		mark, tone = "! ", themes.Bad
	case model.Normal:
	}
	out := hanging(st.Of(tone), mark, text.Clean(r.Text), width)
	for _, s := range r.Evidence {
		out = append(out, hanging(st.Of(themes.Dim), "  ", text.Clean(s), width)...)
	}
	if r.Cure != "" {
		out = append(out, hanging(st.Of(themes.Accent), "→ ", text.Clean(r.Cure), width)...)
	}
	return out
}
