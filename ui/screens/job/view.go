package job

import (
	"fmt"
	"strings"
	"time"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/themes"
	"github.com/leasetop/leasetop/ui/kit"
)

// wide is the width from which the history stands beside the columns.
const wide = 110

// View implements kit.Screen.
func (s *Screen) View(e *kit.Env) []string {
	page, _ := s.page(e)
	window, below := s.place.Window(page)
	if n := len(window); below > 0 && n > 0 { // the last line in view makes room for the number of those below
		more := text.Plural(int64(below+1), "more line below", "more lines below")
		window[n-1] = e.Styles.Of(themes.Accent).Render(text.Cut(" ↓ "+more, e.Width))
	}
	return window
}

// page is all that there is to read, and the line from which it is the payload.
func (s *Screen) page(e *kit.Env) (p kit.Page, payload int) {
	out := []string{s.headline(e), s.trouble(e)}
	if e.Width >= wide {
		left := e.Width * 11 / 20
		out = append(out, beside(s.columns(e, left-2), s.history(e, e.Width-left-1), left)...)
	} else {
		out = append(out, s.columns(e, min(e.Width, 76))...)
		out = append(append(out, ""), s.history(e, e.Width-1)...)
	}
	payload = len(out) + 1
	return kit.Page{Lines: append(append(out, ""), s.payloadLines(e)...), Height: e.Height}, payload
}

// jump goes to the payload, if there is something of it that cannot be seen.
func (s *Screen) jump(e *kit.Env) {
	page, payload := s.page(e)
	if _, below := s.place.Window(page); below > 0 {
		s.place.Go(page, payload)
	}
}

// beside sets two blocks next to each other.
func beside(a, b []string, left int) []string {
	out := make([]string, max(len(a), len(b)))
	for i := range out {
		var l, r string
		if i < len(a) {
			l = a[i]
		}
		if i < len(b) {
			r = b[i]
		}
		out[i] = kit.FitLine(l, left) + r
	}
	return out
}

// headline is the job in one line: its state, and what is remarkable about it.
func (s *Screen) headline(e *kit.Env) string {
	title := " " + text.Clean(s.key.String())
	if s.mapping.IsDestructive() {
		title = s.rowTitle()
	}
	ss := kit.Spans{{Tone: themes.Strong, Text: text.Cut(title, max(8, e.Width/2))}, {Tone: themes.Dim, Text: "  "}}
	ss = append(ss, s.state(e))
	var l kit.Line
	l.Spans(e.Styles, ss, e.Width)
	return l.String()
}

// state is what the job is, and what is remarkable about that.
func (s *Screen) state(e *kit.Env) kit.Span {
	j := s.job
	switch {
	case s.gone:
		return kit.Span{Tone: themes.Strong, Text: s.nowhere()}
	case j == nil && s.past:
		return kit.Span{Tone: themes.Dim, Text: "it was in no list that was watched then"}
	case j == nil && s.err != nil:
		return kit.Span{Tone: themes.Dim, Text: "not read"}
	case j == nil:
		return kit.Span{Tone: themes.Dim, Text: "reading …"}
	}
	left, leased := j.Left(s.at)
	switch {
	case j.Corrupt():
		return kit.Span{Tone: themes.Bad, Text: "working, but corrupt: without token or lease nothing can end it"}
	case j.Expired(s.at):
		return kit.Span{Tone: themes.Bad, Text: fmt.Sprintf("working, lease expired %s ago; its worker may be alive", text.Exact(-left))}
	case j.State == model.Working && leased:
		return kit.Span{Tone: themes.Plain, Text: fmt.Sprintf("working, leased for another %s", text.Exact(left))}
	case j.State == model.Ready && j.Exhausted():
		return kit.Span{Tone: themes.Bad, Text: "ready, but its tries are used up: nobody may claim it"}
	case j.State == model.Failed && !j.Ended.At.IsZero():
		return kit.Span{Tone: themes.Plain, Text: "dead letter, failed " + text.Exact(s.now(e).Sub(j.Ended.At)) + " ago"}
	}
	return kit.Span{Tone: themes.Plain, Text: j.State.String()}
}

// trouble says that the row could not be read anew; empty when it could.
func (s *Screen) trouble(e *kit.Env) string {
	if s.err == nil {
		return ""
	}
	what := " could not be read again: "
	if s.job == nil {
		what = " could not be read: "
	}
	return e.Styles.Of(themes.Warn).Render(text.Cut(what+text.Clean(s.err.Error()), e.Width))
}

// labelWidth is the width of the columns' names, and mostLines how long a value may be.
const labelWidth, mostLines = 16, 40

// columns are the mapped columns with their values, one a line.
func (s *Screen) columns(e *kit.Env, width int) []string {
	if s.mapping == nil || s.job == nil {
		return nil
	}
	var out []string
	line := func(label, value string, tone themes.Token, aside string) {
		room := max(8, width-labelWidth-1)
		for _, part := range kit.Wrap(text.Cut(value, room*mostLines), room) { // a token without its end names nothing
			var l kit.Line
			l.Text(e.Styles.Of(themes.Dim), " "+text.PadRight(text.Clean(label), labelWidth))
			l.Text(e.Styles.Of(tone), part)
			if room := width - l.Width() - 2; aside != "" && room > 4 {
				l.Text(e.Styles.Of(themes.Dim), "  "+text.Cut(aside, room))
			}
			out = append(out, l.String())
			label, aside = "", ""
		}
	}
	if s.mapping.IsDestructive() {
		s.rowLines(e, line)
		return out
	}
	for _, r := range model.Roles() {
		if !s.mapping.Has(r) || r == model.RolePayload {
			continue
		}
		value, tone, aside := s.value(e, r)
		line(s.mapping.Column(r).Name, value, tone, aside)
	}
	if !s.mapping.Has(model.RoleClaimed) && s.job.State == model.Working {
		line("held", text.ExactAge(s.job.Held), themes.Plain, "as watched: the table does not record it")
	}
	if s.job.State == model.Ready {
		line("waiting", text.ExactAge(s.job.Waiting), themes.Plain, "")
	}
	return out
}

// value is what a job has in a role.
func (s *Screen) value(e *kit.Env, r model.Role) (value string, tone themes.Token, aside string) {
	j := s.job
	switch r {
	case model.RoleKey:
		return text.Clean(j.Key.String()), themes.Strong, ""
	case model.RoleState:
		return j.State.String(), themes.Strong, "stored as " + text.Clean(j.RawState.String())
	case model.RoleToken:
		return text.Clean(j.Token.String()), themes.Plain, ""
	case model.RoleLease:
		return s.instant(e, j.Lease)
	case model.RoleEnqueued:
		return s.instant(e, j.Enqueued)
	case model.RoleAvailable:
		return s.instant(e, j.Available)
	case model.RoleClaimed:
		return s.instant(e, j.Claimed)
	case model.RoleHeartbeat:
		return s.instant(e, j.Beat)
	case model.RoleEnded:
		return s.instant(e, j.Ended)
	case model.RolePriority:
		return number(j.Priority)
	case model.RoleAttempts:
		return number(j.Attempts)
	case model.RoleMaxAttempts:
		return number(j.MaxAttempts)
	case model.RoleTotalClaims:
		return number(j.TotalClaims)
	case model.RoleWorker:
		return orNone(j.Worker)
	case model.RoleError:
		return orNone(j.Error)
	case model.RoleOperation:
		return orNone(j.Operation)
	case model.RolePayload:
	}
	return "", themes.Plain, ""
}

// instant is a time in full, and how far it lies from the server's now.
func (s *Screen) instant(e *kit.Env, i model.Instant) (value string, tone themes.Token, aside string) {
	switch {
	case i.IsZero():
		return "none", themes.Dim, ""
	case i.At.IsZero():
		return text.Clean(i.Raw.String()), themes.Plain, ""
	}
	d := s.now(e).Sub(i.At)
	if d < 0 {
		return e.Stamp(i.At), themes.Plain, "in " + text.Exact(-d)
	}
	return e.Stamp(i.At), themes.Plain, text.Exact(d) + " ago"
}

// now is the server's time of what is shown. A job that has ended is not read again
// with every poll, and yet what it did lies further back with each.
func (s *Screen) now(e *kit.Env) time.Time {
	if s.past || s.job == nil || s.job.State != model.Done && s.job.State != model.Failed {
		return s.at
	}
	if snap := e.Board.Queue(s.queue); snap != nil && snap.Now().After(s.at) {
		return snap.Now()
	}
	return s.at
}

func number(n model.Number) (value string, tone themes.Token, aside string) {
	if !n.Known {
		return "none", themes.Dim, ""
	}
	return text.Grouped(n.N), themes.Plain, ""
}

func orNone(s string) (value string, tone themes.Token, aside string) {
	if strings.TrimSpace(s) == "" {
		return "none", themes.Dim, ""
	}
	return text.Clean(s), themes.Plain, ""
}
