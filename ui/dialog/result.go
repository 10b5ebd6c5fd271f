package dialog

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/leasetop/leasetop/actions"
	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/themes"
	"github.com/leasetop/leasetop/ui/kit"
)

// Result shows how an act on several jobs ended: counts, and each job that it was
// not applied to with the reason.
type Result struct {
	set    actions.Set
	result actions.Result
	place  kit.Pager
}

// NewResult opens a result.
func NewResult(s actions.Set, r actions.Result) *Result { return &Result{set: s, result: r} }

// Keys implements kit.Dialog.
func (r *Result) Keys(e *kit.Env) []kit.Binding {
	return append([]kit.Binding{kit.Bind("esc enter", "esc", "close")}, r.page(e).Keys()...)
}

// Update implements kit.Dialog.
func (r *Result) Update(e *kit.Env, msg tea.Msg) kit.Action {
	k, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return nil
	}
	switch k.String() {
	case "esc", "enter", "q":
		return kit.Close{}
	}
	r.place.Press(r.page(e), k.String())
	return nil
}

// View implements kit.Dialog.
func (r *Result) View(e *kit.Env) []string {
	if cramped(e) {
		return nil
	}
	body, below := r.place.Window(r.page(e))
	b := kit.Box{
		Edge: e.Edge, Title: kit.Spans{{Tone: themes.Strong, Text: manyNamed(r.set.Action, r.result.Total)}},
		Right: kit.Spans{{Tone: themes.Dim, Text: text.Clean(r.set.Queue)}}, FootEnd: more(below),
	}
	switch {
	case r.result.Tally.Unknown > 0:
		b.Edge = themes.Bad
	case r.result.Tally.Applied < r.result.Total:
		b.Edge = themes.Warn
	}
	return b.Draw(e.Styles, widthOf(e, widest), indent(body))
}

func (r *Result) page(e *kit.Env) kit.Page { return paged(e, widest, r.text) }

func (r *Result) text(e *kit.Env, width int) []string {
	st, res := e.Styles, &r.result
	var head kit.Line
	head.Spans(st, tally(res.Tally), width)
	out := []string{"", head.String()}
	if res.Left > 0 {
		out = append(out, paragraphs(st.Of(themes.Warn), fmt.Sprintf("%s left: nothing was done about them", text.Plural(int64(res.Left), "job", "jobs")), width)...)
	}
	out = append(out, "")
	if res.Stopped != "" {
		out = append(out, paragraphs(st.Of(themes.Warn), "stopped: "+text.Clean(res.Stopped), width)...)
	}
	if res.Tally.Unknown > 0 {
		out = append(out, paragraphs(st.Of(themes.Bad), "Of what is unknown nobody can say whether it was done. Do not send it a second time: leasetop resume looks again.", width)...)
	}
	if res.Place != "" {
		out = append(out, hanging(st.Of(themes.Dim), "receipts: ", text.Clean(res.Place), width)...)
		if !res.Finished() {
			out = append(out, hanging(st.Of(themes.Plain), "to go on: ", "leasetop resume, with that file", width)...)
		}
	}
	if len(res.NotApplied) > 0 {
		out = append(out, "", st.Of(themes.Dim).Render("not applied to"))
	}
	for i := range res.NotApplied {
		got := &res.NotApplied[i]
		mark, _, _ := outcome(got.Outcome)
		why := strings.TrimPrefix(strings.TrimPrefix(text.Clean(got.Message), got.Outcome.String()+": "), "nothing was changed: ")
		out = append(out, hanging(st.Of(themes.Plain), mark+" ", text.Brief(got.Intent.Key.String())+"  "+got.Outcome.String()+": "+why, width)...)
	}
	return append(out, "")
}
