package dialog

import (
	"fmt"
	"strings"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/themes"
	"github.com/leasetop/leasetop/ui/kit"
)

// widest is how wide a dialog gets: longer lines are not read but searched.
const widest = 96

// View implements kit.Dialog.
func (c *Confirm) View(e *kit.Env) []string {
	width := widthOf(e, widest)
	inner := width - 4
	if inner < 8 || e.Height < 5 {
		return nil
	}
	foot := c.foot(e, inner)
	foot = foot[max(0, len(foot)-e.Height+3):]
	text, below := scrolled(c.text(e, inner), &c.scroll, e.Height-2-len(foot))
	c.below = below
	body := indent(append(text, foot...))
	b := kit.Box{Edge: e.Edge, Title: kit.Spans{{Tone: themes.Strong, Text: c.title()}}}
	if c.drift != "" {
		b.Edge = themes.Bad
	}
	if below > c.scroll {
		b.FootEnd = more(below - c.scroll)
	}
	return b.Draw(e.Styles, width, body)
}

func (c *Confirm) title() string {
	return named(c.ask.Action, c.ask.Job.Key, 40)
}

// text is what is to be read before: the row, what will follow, the statement.
func (c *Confirm) text(e *kit.Env, width int) []string {
	st := e.Styles
	out := c.row(e, width)
	if c.failed != nil {
		return append(out, paragraphs(st.Of(themes.Bad), "no plan: "+text.Clean(c.failed.Error()), width)...)
	}
	if c.plan.Mapping == nil {
		return append(out, st.Of(themes.Dim).Render("making the plan …"))
	}
	if v := c.plan.Refusal; !v.OK {
		why := v.Why
		if v.Fix != "" {
			why += ": " + v.Fix
		}
		return append(out, paragraphs(st.Of(themes.Warn), "refused: "+text.Clean(why), width)...)
	}
	out = append(out, st.Of(themes.Dim).Render("what will follow"))
	for _, s := range c.plan.Effects {
		out = append(out, hanging(st.Of(themes.Plain), "· ", text.Clean(s), width)...)
	}
	return append(append(out, ""), c.statement(e, width)...)
}

// row is the row as it was shown.
func (c *Confirm) row(e *kit.Env, width int) []string {
	j := c.ask.Job
	facts := kit.Spans{
		{Tone: themes.Dim, Text: "as shown at " + e.Clock(c.ask.At, true) + "  "},
		{Tone: themes.Strong, Text: j.State.String()},
	}
	add := func(label, value string) {
		facts = append(facts, kit.Span{Tone: themes.Dim, Text: "  " + label + " "}, kit.Span{Tone: themes.Plain, Text: value})
	}
	if j.Worker != "" && j.State != model.Working {
		add("last held by", text.Cut(text.Clean(j.Worker), 24))
	} else if j.Worker != "" {
		add("worker", text.Cut(text.Clean(j.Worker), 24))
	}
	if j.Attempts.Known {
		add("try", attempts(j))
	}
	var l kit.Line
	l.Spans(e.Styles, facts, width)
	out := []string{l.String()}
	l = kit.Line{}
	l.Spans(e.Styles, kit.Spans{{Tone: themes.Dim, Text: "token "}, {Tone: themes.Plain, Text: text.Clean(j.Token.String())}}, width)
	if j.State != model.Working && j.Lease.IsZero() {
		return append(out, l.String(), "")
	}
	lease := kit.Spans{{Tone: themes.Dim, Text: "  lease "}, {Tone: leaseTone(j, c), Text: leaseText(j, c)}}
	if l.Width()+lease.Width() > width {
		out = append(out, l.String())
		l = kit.Line{}
		lease[0].Text = "lease "
	}
	l.Spans(e.Styles, lease, width-l.Width())
	return append(out, l.String(), "")
}

func leaseTone(j *model.Job, c *Confirm) themes.Token {
	if j.Expired(c.ask.At) {
		return themes.Bad
	}
	return themes.Plain
}

func leaseText(j *model.Job, c *Confirm) string {
	left, ok := j.Left(c.ask.At)
	switch {
	case !ok:
		return "none"
	case left < 0:
		return "expired " + text.Exact(-left) + " ago"
	}
	return "runs for " + text.Exact(left)
}

func attempts(j *model.Job) string {
	if j.MaxAttempts.Known {
		return fmt.Sprintf("%d of %d", j.Attempts.N, j.MaxAttempts.N)
	}
	return fmt.Sprint(j.Attempts.N)
}

// statement is exactly what would be sent, with its values.
func (c *Confirm) statement(e *kit.Env, width int) []string {
	st := e.Styles
	s := c.plan.Statement
	out := []string{st.Of(themes.Dim).Render(text.Cut("the statement, sent once", width))}
	code := st.Of(themes.Code)
	for line := range strings.SplitSeq(text.CleanBlock(s.Text, 1<<16), "\n") {
		for _, part := range kit.WrapCode(line, width-2, 2) {
			out = append(out, "  "+code.Render(part))
		}
	}
	for _, a := range s.Args {
		line := text.Clean(fmt.Sprintf("%s %s = %s", a.Name, a.Declared, a.Value))
		out = append(out, "  "+code.Render(text.Cut(line, width-2)))
	}
	return out
}

// foot is what always stays in view: the inputs, what stands in the way, and the
// buttons.
func (c *Confirm) foot(e *kit.Env, width int) []string {
	st := e.Styles
	out := []string{""}
	if c.plan.Confirm.Reason {
		out = append(out, field(st, "reason", &c.reason, width, c.focus == onReason))
	}
	if want := c.plan.Confirm.Type; want != "" {
		out = append(out, field(st, "type "+text.Cut(text.Clean(want), 24), &c.typed, width, c.focus == onTyped))
	}
	switch {
	case c.drift != "":
		return append(out, paragraphs(st.Of(themes.Bad), "changed while you were reading: "+text.Clean(c.drift), width)...)
	case c.stage == sending:
		return append(out, st.Of(themes.Accent).Render(text.Cut("sent: waiting for the answer …", width)), hintLine(st, c.hint, width))
	case c.hint != "":
		out = append(out, hintLine(st, c.hint, width))
	default:
		out = append(out, "")
	}
	return append(out, c.buttons(st))
}

func (c *Confirm) buttons(st *themes.Styles) string {
	var l kit.Line
	button(st, &l, "Cancel", c.focus == onCancel, themes.Plain)
	l.Blank(3)
	tone := themes.Accent
	switch {
	case c.blocked() != "":
		tone = themes.Off
	case live(c.ask):
		tone = themes.Bad
	}
	button(st, &l, verb(c.ask.Action), c.focus == onApply, tone)
	return l.String()
}

func button(st *themes.Styles, l *kit.Line, word string, focused bool, tone themes.Token) {
	if focused {
		l.Text(st.On(tone), "▸ "+word+" ")
		return
	}
	l.Text(st.Of(tone), "  "+word+" ")
}

func field(st *themes.Styles, label string, in *input, width int, focused bool) string {
	tone := themes.Dim
	if focused {
		tone = themes.Accent
	}
	var l kit.Line
	l.Text(st.Of(tone), text.Cut(label, width/2)+" ")
	l.Text(st.Of(themes.Border), "│")
	return l.String() + in.draw(st, width-l.Width(), focused)
}

func hintLine(st *themes.Styles, hint string, width int) string {
	return st.Of(themes.Warn).Render(text.Cut(text.Clean(hint), width))
}
