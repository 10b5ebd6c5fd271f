package job

import (
	"fmt"

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
	case !s.read && s.err != nil:
		return append(out, dim("not read"))
	case !s.read:
		return append(out, dim("reading …"))
	case len(s.events) == 0:
		return append(out, dim("nothing has ended yet"))
	}
	for _, ev := range s.events {
		out = append(out, event(e, ev, width)...)
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
		tone = themes.Warn
	case model.EventCompleted, model.EventReleased, model.EventReclaimed, model.EventExtended, model.EventRequeued:
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
	l.Text(st.Of(themes.Plain), text.Clean(who))
	out := []string{kit.FitLine(l.String(), width)}
	if ev.Reason != "" {
		for _, line := range kit.Wrap(text.Clean(ev.Reason), max(8, width-13)) {
			out = append(out, "            "+st.Of(themes.Dim).Render(line))
		}
	}
	return out
}
