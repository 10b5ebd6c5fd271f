package dialog

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/themes"
	"github.com/leasetop/leasetop/ui/kit"
)

// Receipt shows what became of an act. While nobody knows, it can look again.
type Receipt struct {
	id      int
	receipt model.Receipt
	looking bool
	place   kit.Pager
}

// NewReceipt opens a receipt. id names the dialog in the answers.
func NewReceipt(id int, r model.Receipt) *Receipt { return &Receipt{id: id, receipt: r} }

var again = kit.Bind("u", "u", "look again")

// Keys implements kit.Dialog.
func (r *Receipt) Keys(e *kit.Env) []kit.Binding {
	keys := []kit.Binding{kit.Bind("esc enter", "esc", "close")}
	if !r.receipt.Resolved() {
		keys = append(keys, again)
	}
	return append(keys, r.page(e).Keys()...)
}

// Update implements kit.Dialog.
func (r *Receipt) Update(e *kit.Env, msg tea.Msg) kit.Action {
	switch msg := msg.(type) {
	case kit.Receipted:
		if msg.ID == r.id {
			r.receipt, r.looking = msg.Receipt, false
		}
	case tea.KeyPressMsg:
		return r.press(e, msg)
	}
	return nil
}

func (r *Receipt) press(e *kit.Env, msg tea.KeyPressMsg) kit.Action {
	switch msg.String() {
	case "esc", "enter", "q":
		return kit.Close{}
	case "u":
		if !r.receipt.Resolved() && !r.looking {
			r.looking = true
			return kit.LookAgain{ID: r.id, Receipt: r.receipt}
		}
	}
	r.place.Press(r.page(e), msg.String())
	return nil
}

// outcome is the mark, the word and the ink of an outcome.
func outcome(o model.Outcome) (mark, word string, tone themes.Token) {
	switch o {
	case model.Applied:
		return "✓", "APPLIED", themes.Accent
	case model.Changed:
		return "≠", "CHANGED", themes.Warn
	case model.Gone:
		return "∅", "GONE", themes.Warn
	case model.Refused:
		return "✕", "REFUSED", themes.Warn
	case model.OutcomeUnknown:
	}
	return "?", "UNKNOWN", themes.Bad
}

// View implements kit.Dialog.
func (r *Receipt) View(e *kit.Env) []string {
	if cramped(e) {
		return nil
	}
	body, below := r.place.Window(r.page(e))
	_, _, tone := outcome(r.receipt.Outcome)
	edge := tone
	if r.receipt.Outcome == model.Applied {
		edge = e.Edge
	}
	b := kit.Box{
		Edge: edge, Title: kit.Spans{{Tone: themes.Strong, Text: "receipt"}},
		Right: kit.Spans{{Tone: themes.Dim, Text: text.Clean(r.receipt.Intent.Queue)}}, FootEnd: more(below),
	}
	return b.Draw(e.Styles, widthOf(e, widest), indent(body))
}

func (r *Receipt) page(e *kit.Env) kit.Page { return paged(e, widest, r.text) }

func (r *Receipt) text(e *kit.Env, width int) []string {
	st := e.Styles
	mark, word, tone := outcome(r.receipt.Outcome)
	var head kit.Line
	head.Text(st.Of(tone), mark+" "+word)
	what := "   " + named(r.receipt.Intent.Action, r.receipt.Intent.Key, width)
	head.Text(st.Of(themes.Strong), text.Cut(what, width-head.Width()))
	out := []string{"", head.String(), ""}
	message := text.Clean(r.receipt.Message)
	if message != "" {
		out = append(out, paragraphs(st.Of(themes.Plain), message, width)...)
	}
	if f := r.receipt.Fault; f != nil && !strings.Contains(message, text.Clean(f.Error())) { // said once is enough
		out = append(out, paragraphs(st.Of(themes.Warn), text.Clean(f.Error()), width)...)
	}
	if r.receipt.Holder != "" {
		out = append(out, paragraphs(st.Of(themes.Strong), "held now by "+text.Clean(r.receipt.Holder), width)...)
	}
	switch {
	case r.looking:
		out = append(out, st.Of(themes.Accent).Render("looking again …"))
	case !r.receipt.Resolved():
		out = append(out, paragraphs(st.Of(themes.Bad), "It is not known whether this was done. Do not send it a second time: u looks again.", width)...)
	}
	out = append(out, r.change(e, width)...)
	return append(out, r.traces(e, width)...)
}

// change is before → after, or the row as it was shown where nothing is known of
// it now.
func (r *Receipt) change(e *kit.Env, width int) []string {
	b, a := r.receipt.Before, r.receipt.After
	if b == nil && a == nil {
		return nil
	}
	rows := [][3]string{{"state", stateOf(b), stateOf(a)}, {"token", tokenOf(b), tokenOf(a)}}
	if from, to := leaseOf(e, b), leaseOf(e, a); from != none || to != none && a != nil {
		rows = append(rows, [3]string{"lease", from, to})
	}
	if a != nil && b != nil && triesOf(a) != triesOf(b) {
		rows = append(rows, [3]string{"tries", triesOf(b), triesOf(a)})
	}
	if a == nil {
		return r.shown(e, rows, width)
	}
	half := 0
	for _, row := range rows {
		if row[1] != row[2] {
			half = max(half, text.Width(row[1]))
		}
	}
	out := []string{""}
	for _, row := range rows {
		var l kit.Line
		l.Text(e.Styles.Of(themes.Dim), text.PadRight(row[0], 7))
		l.Text(e.Styles.Of(themes.Plain), text.Cut(row[1], width-l.Width()))
		if row[1] == row[2] {
			l.Text(e.Styles.Of(themes.Dim), text.Cut("  as before", width-l.Width()))
			out = append(out, l.String())
			continue
		}
		if width >= 7+half+3+text.Width(row[2]) {
			l.To(7 + half)
		} else {
			out = append(out, l.String())
			l = kit.Line{}
			l.Blank(4)
		}
		l.Text(e.Styles.Of(themes.Dim), " → ")
		l.Text(e.Styles.Of(themes.Strong), text.Cut(row[2], width-l.Width()))
		out = append(out, l.String())
	}
	return out
}

// shown is the row as it was shown.
func (r *Receipt) shown(e *kit.Env, rows [][3]string, width int) []string {
	out := []string{"", e.Styles.Of(themes.Dim).Render("the row as it was shown")}
	for _, row := range rows {
		var l kit.Line
		l.Text(e.Styles.Of(themes.Dim), text.PadRight(row[0], 7))
		l.Text(e.Styles.Of(themes.Plain), text.Cut(row[1], width-l.Width()))
		out = append(out, l.String())
	}
	return out
}

func stateOf(j *model.Job) string {
	if j == nil {
		return text.Unknown
	}
	return j.State.String()
}

func tokenOf(j *model.Job) string {
	if j == nil {
		return text.Unknown
	}
	return text.Clean(j.Token.String())
}

// none is a lease that there is not.
const none = "none"

func leaseOf(e *kit.Env, j *model.Job) string {
	switch {
	case j == nil:
		return text.Unknown
	case j.Lease.IsZero():
		return none
	case j.Lease.At.IsZero():
		return text.Clean(j.Lease.Raw.String())
	}
	return e.Stamp(j.Lease.At)
}

func triesOf(j *model.Job) string {
	if !j.Attempts.Known {
		return text.Unknown
	}
	return attempts(j)
}

// traces are what finds the act again: its id and the server's time.
func (r *Receipt) traces(e *kit.Env, width int) []string {
	s := "action " + text.Clean(r.receipt.Intent.ActionID)
	if !r.receipt.At.IsZero() {
		s += " · " + e.Clock(r.receipt.At, true)
	}
	out := []string{""}
	if why := r.receipt.Intent.Reason; why != "" {
		out = append(out, hanging(e.Styles.Of(themes.Dim), "reason ", text.Clean(why), width)...)
	}
	return append(out, e.Styles.Of(themes.Dim).Render(text.Cut(s, width)))
}
