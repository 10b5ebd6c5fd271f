package lessons

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/leasetop/leasetop/internal/drill/lesson"
	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/themes"
	"github.com/leasetop/leasetop/ui/kit"
)

// tableRows is how many rows of the table are shown at most.
func (a *App) tableRows() int {
	if a.env.Height < 26 {
		return 4
	}
	return 8
}

// table is the queue's table as it is now; what the last step changed is marked.
func (a *App) table() []string {
	st := a.env.Styles
	out := []string{st.Of(themes.Dim).Render(columns("   "+strings.ToUpper(a.stage.Noun()), "STATE", "TRY", "TOKEN", "LEASE", "WORKER", "WHAT"))}
	rows, most := a.stage.Table, a.tableRows()
	for i, r := range rows {
		if i == most-1 && len(rows) > most {
			out = append(out, st.Of(themes.Dim).Render(fmt.Sprintf("   and %d more", len(rows)-i)))
			break
		}
		note, tone := r.What, themes.Plain
		if r.Error != "" {
			note = r.Error
		}
		switch {
		case r.Locked:
			note, tone = "locked by another session", themes.Warn
		case r.Expired:
			note, tone = "expired", themes.Warn
		case r.State == "done":
			tone = themes.Dim
		case r.State == "failed":
			tone = themes.Bad
		}
		mark := "   "
		if r.Changed {
			mark = " • "
		}
		line := columns(mark+strconv.Itoa(r.Job), r.State, r.Attempts, r.Token, r.Left, r.Worker, text.Clean(note))
		out = append(out, st.Of(tone).Render(text.Cut(line, a.width)))
	}
	for range min(a.most, most) - len(rows) { // rows that are gone keep their room, so that nothing moves
		out = append(out, "")
	}
	if a.stage.Sum != "" {
		out = append(out, st.Of(themes.Strong).Render(text.Cut("   "+a.stage.Sum, a.width)))
	}
	return out
}

// columns lays a row out; the last has the rest.
func columns(job, state, try, token, lease, worker, note string) string {
	return text.PadRight(job, 8) + text.PadRight(state, 13) + text.PadRight(try, 5) + text.PadRight(token, 7) +
		text.PadLeft(lease, 6) + "  " + text.PadRight(worker, 11) + note
}

// speech gathers wrapped lines.
type speech struct {
	app   *App
	width int
	lines []string
}

func (s *speech) say(t themes.Token, mark, words string) {
	if words == "" {
		return
	}
	for i, line := range kit.Wrap(text.Clean(words), max(8, s.width-text.Width(mark))) {
		if i > 0 {
			mark = strings.Repeat(" ", text.Width(mark))
		}
		s.lines = append(s.lines, " "+s.app.env.Styles.Of(t).Render(mark+line))
	}
}

// words are what happened, what comes, and at the end what it comes to.
func (a *App) words(width int) []string {
	s := a.stage
	out := &speech{app: a, width: min(width, 100)}
	if x := s.Answer; x != nil {
		if x.Right {
			out.say(themes.Accent, "✓ ", x.Question.Why)
		} else {
			out.say(themes.Warn, "✗ ", "You said: "+x.Question.Choices[x.Choice]+". "+x.Question.Why)
		}
	}
	out.say(themes.Plain, "", s.Said)
	if a.notes {
		out.say(themes.Dim, "note: ", s.Notes)
	}
	if !s.Over() {
		out.say(themes.Strong, "▸ next: ", s.Next)
		if q := s.Question; q != nil {
			out.say(themes.Accent, "? ", q.Text)
			out.lines = append(out.lines, a.choices(q, out.width)...)
		}
		return out.lines
	}
	v := s.Verdict
	if v.Holds {
		out.say(themes.Accent, "It holds: ", s.Claim)
	} else {
		out.say(themes.Bad, "It does NOT hold: ", s.Claim)
		out.say(themes.Bad, "  ", strings.Join(v.Faults, "; "))
	}
	for _, what := range v.Strange {
		out.say(themes.Warn, "not as the lesson says: ", what)
	}
	out.say(themes.Strong, "", v.Moral)
	return out.lines
}

// choices are the answers to a question; the one that was chosen is marked.
func (a *App) choices(q *lesson.Question, width int) []string {
	st := a.env.Styles
	var out []string
	var l kit.Line
	for i, c := range q.Choices {
		s := strconv.Itoa(i+1) + " " + c
		if l.Width() > 0 && l.Width()+text.Width(s)+3 > width {
			out, l = append(out, l.String()), kit.Line{}
		}
		l.Blank(3)
		if a.answer == i+1 {
			l.Text(st.On(themes.Strong), s)
		} else {
			l.Text(st.Of(themes.Plain), s)
		}
	}
	return append(out, l.String())
}
