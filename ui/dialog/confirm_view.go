package dialog

import (
	"fmt"
	"strings"
	"time"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/themes"
	"github.com/leasetop/leasetop/ui/kit"
)

// widest is how wide a dialog gets: longer lines are not read but searched.
const widest = 96

// View implements kit.Dialog.
func (c *Confirm) View(e *kit.Env) []string {
	page, foot := footed(e, c.text, c.foot)
	if page.Height == 0 {
		return nil
	}
	text, below := c.place.Window(page)
	b := kit.Box{Edge: e.Edge, Title: kit.Spans{{Tone: themes.Strong, Text: c.title()}}, FootEnd: more(below)}
	if c.drift != "" {
		b.Edge = themes.Bad
	}
	return b.Draw(e.Styles, widthOf(e, widest), indent(append(text, foot...)))
}

func (c *Confirm) title() string {
	if c.ask.Action.OnQueue() {
		return c.ask.Action.String() + " " + text.Cut(text.Clean(c.ask.Queue), 40)
	}
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
	if c.script {
		return append(out, c.scripted(e, width)...)
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
	if c.ask.Action.OnQueue() {
		return c.brakeRow(e, width)
	}
	j := c.ask.Job
	fact := func(label, value string, tone themes.Token) kit.Spans {
		return kit.Spans{{Tone: themes.Dim, Text: label + " "}, {Tone: tone, Text: value}}
	}
	who := []kit.Spans{{{Tone: themes.Dim, Text: "as shown at " + e.Clock(c.ask.At, true) + "  "}, {Tone: themes.Strong, Text: j.State.String()}}}
	if j.Worker != "" {
		label := "worker"
		if j.State != model.Working {
			label = "last held by"
		}
		who = append(who, fact(label, text.Cut(text.Clean(j.Worker), 24), themes.Plain))
	}
	if j.Attempts.Known {
		who = append(who, fact("try", attempts(j), themes.Plain))
	}
	what := []kit.Spans{fact("token", text.Clean(j.Token.String()), themes.Plain)}
	if j.State == model.Working || !j.Lease.IsZero() {
		what = append(what, fact("lease", leaseText(j, c.ask.At), leaseTone(j, c.ask.At)))
	}
	return append(append(flow(e, who, width), flow(e, what, width)...), "")
}

// flow sets facts one behind the other, in as many lines as they take. One that is
// wider than a line is broken rather than cut: a token without its end names nothing.
func flow(e *kit.Env, facts []kit.Spans, width int) []string {
	const apart = 2
	var (
		out  []string
		line kit.Line
	)
	end := func() {
		if line.Width() > 0 {
			out = append(out, line.String())
		}
		line = kit.Line{}
	}
	for _, f := range facts {
		if line.Width() > 0 && line.Width()+apart+f.Width() > width {
			end()
		}
		if f.Width() > width {
			for _, s := range f {
				out = append(out, paragraphs(e.Styles.Of(s.Tone), strings.TrimSpace(s.Text), width)...)
			}
			continue
		}
		if line.Width() > 0 {
			line.Blank(apart)
		}
		line.Spans(e.Styles, f, width)
	}
	end()
	return out
}

func leaseTone(j *model.Job, at time.Time) themes.Token {
	if j.Expired(at) {
		return themes.Bad
	}
	return themes.Plain
}

func leaseText(j *model.Job, at time.Time) string {
	left, ok := j.Left(at)
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
	return code(e, "the statement, sent once", c.plan.Statement, width)
}

// scripted is the statement ready to be run by somebody else.
func (c *Confirm) scripted(e *kit.Env, width int) []string {
	st := e.Styles
	if v := c.plan.Refusal; !v.OK {
		return paragraphs(st.Of(themes.Warn), "refused: "+text.Clean(v.Why), width)
	}
	if c.plan.Statement.Script == "" {
		return paragraphs(st.Of(themes.Warn), "This statement cannot be written as a script: a name of the table reads like a command of the tools that would run it.", width)
	}
	out := paragraphs(st.Of(themes.Dim), "The same statement with its values, for somebody else to run. It matches the row as it was shown, so that a late run changes nothing.", width)
	return append(append(out, ""), lines(e, strings.TrimRight(c.plan.Statement.Script, "\n"), width)...)
}

// foot is what always stays in view: the inputs, what stands in the way, and the
// buttons.
func (c *Confirm) foot(e *kit.Env, width int) []string {
	st := e.Styles
	out := append([]string{""}, c.fields(e, width)...)
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
	return append(out, c.buttons(st, verb(c.ask.Action), c.tone(), width))
}

// tone is the ink of the button that sends.
func (c *Confirm) tone() themes.Token {
	switch {
	case c.blocked() != "":
		return themes.Off
	case live(c.ask):
		return themes.Bad
	}
	return themes.Accent
}
