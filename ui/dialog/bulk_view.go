package dialog

import (
	"fmt"
	"strings"
	"time"

	"github.com/leasetop/leasetop/actions"
	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/themes"
	"github.com/leasetop/leasetop/ui/kit"
)

// View implements kit.Dialog.
func (b *Bulk) View(e *kit.Env) []string {
	page, foot := footed(e, b.text, b.foot)
	if page.Height == 0 {
		return nil
	}
	width := widthOf(e, widest)
	box := kit.Box{Edge: e.Edge, Title: kit.Spans{{Tone: themes.Strong, Text: manyNamed(b.set.Action, len(b.set.Rows))}}}
	box.Right = kit.Spans{{Tone: themes.Dim, Text: text.Clean(b.set.Queue)}}
	if b.stage == sending {
		return box.Draw(e.Styles, width, indent(b.running(e, width-4)))
	}
	lines, below := b.place.Window(page)
	box.FootEnd = more(below)
	return box.Draw(e.Styles, width, indent(append(lines, foot...)))
}

// manyNamed says an act on several jobs.
func manyNamed(a model.Action, n int) string {
	jobs := text.Plural(int64(n), "job", "jobs")
	if a == model.Grant {
		return "grant " + jobs + " one more attempt"
	}
	return a.String() + " " + jobs
}

// text is what is to be read before: the jobs, what will follow, the statement.
func (b *Bulk) text(e *kit.Env, width int) []string {
	st := e.Styles
	plain, dim := st.Of(themes.Plain), st.Of(themes.Dim)
	out := hanging(plain, "", fmt.Sprintf("%s, as shown at %s: these and no others, whatever joins the list later",
		text.Clean(b.set.What), e.Clock(b.set.At, true)), width)
	out = append(out, b.changed(e, width)...)
	if b.failed != nil {
		return append(out, paragraphs(st.Of(themes.Bad), "no preview: "+text.Clean(b.failed.Error()), width)...)
	}
	p := &b.preview
	if p.Total == 0 {
		return append(out, dim.Render("making the preview …"))
	}
	if v := p.Refusal; !v.OK {
		why := v.Why
		if v.Fix != "" {
			why += ": " + v.Fix
		}
		out = append(out, paragraphs(st.Of(themes.Warn), "refused: "+text.Clean(why), width)...)
		if !b.printed {
			return out
		}
	}
	if n := p.Total - p.Fit; n > 0 && p.Fit > 0 {
		out = append(out, paragraphs(st.Of(themes.Warn), fmt.Sprintf("%d of them would be refused, the first because %s", n, text.Clean(p.Unfit)), width)...)
	}
	if p.Wait != "" {
		out = append(out, paragraphs(st.Of(themes.Bad), fmt.Sprintf("It waits %s before it begins: %s", text.Exact(p.For), text.Clean(p.Wait)), width)...)
	}
	out = append(out, "", dim.Render("what will follow"))
	for _, s := range append(append([]string(nil), p.Effects...), b.course()...) {
		out = append(out, hanging(plain, "· ", text.Clean(s), width)...)
	}
	out = append(out, "")
	return append(out, code(e, "the statement, once for each job, with the values of the first", p.First.Statement, width)...)
}

// course says how the run goes.
func (b *Bulk) course() []string {
	long := "under a second"
	if d := pace(len(b.set.Rows)); d >= time.Second {
		long = text.Exact(d)
	}
	return []string{
		fmt.Sprintf("One statement a job, about %v a second: %s in all. Esc stops after the job in hand.",
			actions.DefaultPace, long),
		"Each job's receipt goes to a file; leasetop resume goes on with what was cut off.",
	}
}

// changed says how the jobs have changed since they were shown.
func (b *Bulk) changed(e *kit.Env, width int) []string {
	m := b.since
	if !m.Any() {
		s := "no newer list has been read yet"
		switch {
		case m.Same == len(b.set.Rows):
			s = "none has changed since"
		case m.Same > 0:
			s = fmt.Sprintf("none of the %d in the list that is read now has changed since", m.Same)
		}
		return paragraphs(e.Styles.Of(themes.Dim), s, width)
	}
	var parts []string
	for _, p := range []struct {
		n    int
		word string
	}{{m.Renewed, "renewed"}, {m.Other, "in another state or another claim's"}, {m.Left, "gone from the list"}, {m.Unseen, "not in the list that is read now"}} {
		if p.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", p.n, p.word))
		}
	}
	return paragraphs(e.Styles.Of(themes.Warn), "changed since: "+strings.Join(parts, ", ")+"; their statements will match nothing", width)
}

// foot is what always stays in view: the inputs, what stands in the way, and the
// buttons.
func (b *Bulk) foot(e *kit.Env, width int) []string {
	out := append([]string{""}, b.fields(e, width)...)
	out = append(out, hintLine(e.Styles, b.hint, width))
	tone := themes.Accent
	switch {
	case b.blocked() != "":
		tone = themes.Off
	case b.set.Action == model.Force || b.set.Action == model.DeadLetter:
		tone = themes.Bad
	}
	return append(out, b.buttons(e.Styles, b.word(), tone, width))
}

// running is how far the run has come.
func (b *Bulk) running(e *kit.Env, width int) []string {
	st, p := e.Styles, b.progress
	done := p.Tally.Total()
	figure := fmt.Sprintf(" %d of %d", done, p.Total)
	if p.Took >= time.Second && done > 0 { // before, it is the burst of the beginning
		figure += fmt.Sprintf("   %.1f/s", float64(done)/p.Took.Seconds())
	}
	var l kit.Line
	l.Spans(st, bar(done, p.Total, min(40, max(4, width-text.Width(figure)-2))), width)
	l.Text(st.Of(themes.Strong), text.Cut(figure, width-l.Width()))
	out := []string{"", l.String(), ""}
	l = kit.Line{}
	l.Spans(st, tally(p.Tally), width)
	out = append(out, l.String(), "")
	switch {
	case b.halting:
		out = append(out, paragraphs(st.Of(themes.Warn), "stopping after the job in hand …", width)...)
	case p.Waiting != "":
		out = append(out, paragraphs(st.Of(themes.Bad), fmt.Sprintf("nothing is sent yet, for another %s: %s", text.Exact(p.For.Round(time.Second)), text.Clean(p.Waiting)), width)...)
		out = append(out, paragraphs(st.Of(themes.Dim), "A full lease gives their workers the time to beat again.", width)...)
	case p.Looking:
		out = append(out, paragraphs(st.Of(themes.Warn), "a reply was lost: looking again before anything else is sent …", width)...)
	default:
		out = append(out, st.Of(themes.Accent).Render(text.Cut("sending, a job a statement …", width)))
	}
	return append(out, st.Of(themes.Dim).Render(text.Cut("esc stops after the job in hand", width)), "")
}

// bar is a bar of cells, filled as far as done.
func bar(done, total, cells int) kit.Spans {
	full := 0
	if total > 0 {
		full = done * cells / total
	}
	return kit.Spans{
		{Tone: themes.Border, Text: "▕"}, {Tone: themes.Accent, Text: strings.Repeat("▄", full)},
		{Tone: themes.Border, Text: strings.Repeat("░", cells-full) + "▏"},
	}
}

// tally is the counts by outcome, each with its mark; those that are zero only
// where the row is applied.
func tally(t actions.Tally) kit.Spans {
	var out kit.Spans
	for _, p := range []struct {
		n int
		o model.Outcome
	}{{t.Applied, model.Applied}, {t.Changed, model.Changed}, {t.Gone, model.Gone}, {t.Refused, model.Refused}, {t.Unknown, model.OutcomeUnknown}} {
		if p.n == 0 && p.o != model.Applied {
			continue
		}
		mark, _, tone := outcome(p.o)
		if len(out) > 0 {
			out = append(out, kit.Span{Tone: themes.Plain, Text: "   "})
		}
		if p.n == 0 { // a tick says that something was done
			mark, tone = " ", themes.Dim
		}
		out = append(out, kit.Span{Tone: tone, Text: fmt.Sprintf("%s %d %s", mark, p.n, p.o)})
	}
	return out
}
