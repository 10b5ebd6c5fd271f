package job

import (
	"fmt"
	"strings"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/themes"
	"github.com/leasetop/leasetop/ui/kit"
)

// history is the job's timeline, newest first.
func (s *Screen) history(e *kit.Env, width int) []string {
	st := e.Styles
	dim := func(t string) string { return st.Of(themes.Dim).Render(text.Cut(" "+t, width)) }
	out := []string{st.Of(themes.Strong).Render(text.Cut(" history", width))}
	switch {
	case s.mapping != nil && s.mapping.History.IsZero():
		return append(out, dim("the table keeps none"))
	case s.eventsErr != nil:
		return append(out, st.Of(themes.Warn).Render(text.Cut(" could not be read: "+text.Clean(s.eventsErr.Error()), width)))
	case !s.read && s.past:
		return append(out, dim("not read: this is the past"))
	case !s.read && s.err != nil:
		return append(out, dim("not read"))
	case !s.read:
		return append(out, dim("reading …"))
	case len(s.events) == 0 && s.gone:
		return append(out, dim("nothing is on record"))
	case len(s.events) == 0:
		return append(out, dim("nothing has ended yet"))
	}
	for _, ev := range s.events {
		if s.past && ev.At.After(s.at) {
			continue // it had not happened yet
		}
		out = append(out, event(e, ev, width)...)
	}
	if len(out) == 1 {
		return append(out, dim("nothing had ended yet"))
	}
	return out
}

// event is when and how an attempt ended or what an operator did, and below it
// why, if that was recorded.
func event(e *kit.Env, ev model.Event, width int) []string {
	st := e.Styles
	var l kit.Line
	tone := themes.Plain
	switch ev.Kind {
	case model.EventFailed, model.EventExpired, model.EventDeadLettered:
		tone = themes.Strong
	case model.EventCompleted, model.EventReleased, model.EventReclaimed, model.EventExtended, model.EventRequeued,
		model.EventBraked, model.EventUnbraked: // those are of the queue, not of a job
	}
	l.Text(st.Of(themes.Dim), " "+e.Clock(ev.At, true)+"  ")
	l.Text(st.Of(tone), text.PadRight(text.Clean(string(ev.Kind)), 14))
	if ev.Attempts.Known {
		l.Text(st.Of(themes.Dim), text.PadRight(fmt.Sprintf("try %d", ev.Attempts.N), 8))
	}
	who := ev.Worker
	if ev.Action != "" {
		who = "by " + ev.Actor
		if ev.Login != "" && ev.Login != ev.Actor {
			who += " (" + ev.Login + ")"
		}
	}
	who = text.Clean(who)
	beside := text.Width(who) <= width-l.Width()
	if beside {
		l.Text(st.Of(themes.Plain), who)
	}
	out := []string{kit.FitLine(l.String(), width)}
	if !beside {
		out = append(out, beneath(st.Of(themes.Plain), who, width)...)
	}
	if ev.Reason != "" {
		out = append(out, beneath(st.Of(themes.Dim), text.Clean(ev.Reason), width)...)
	}
	return out
}

// beneath is a text in the lines below an event.
func beneath(st themes.Style, s string, width int) []string {
	lead := 12 // below what happened
	for word := range strings.FieldsSeq(s) {
		if text.Width(word) > width-lead-1 {
			lead = 3 // rather than break an operation's id
		}
	}
	var out []string
	for _, line := range kit.Wrap(s, max(8, width-lead-1)) {
		out = append(out, strings.Repeat(" ", lead)+st.Render(line))
	}
	return out
}
