package cli

import (
	"context"
	"fmt"
	"io"
	"log/slog"

	"github.com/charmbracelet/x/term"

	"github.com/leasetop/leasetop/internal/worker"
)

// The forms of the log on standard error.
const (
	logJSON  = "json"
	logPlain = "plain"
)

// logger writes one line an event: JSON for programs, plain words for people.
func (a *app) logger(form string) (*slog.Logger, error) {
	if form == "" {
		form = logJSON
		if isTerminal(a.Err) {
			form = logPlain
		}
	}
	o := &slog.HandlerOptions{Level: slog.LevelDebug}
	switch form {
	case logJSON:
		return slog.New(slog.NewJSONHandler(a.Err, o)), nil
	case logPlain:
		return slog.New(slog.NewTextHandler(a.Err, o)), nil
	}
	return nil, usage("--log cannot be %q; write json or plain", form)
}

// events logs what workers and recovery do. What needs a person is a warning.
func events(l *slog.Logger) func(worker.Event) {
	return func(e worker.Event) {
		level := slog.LevelInfo
		switch e.Kind {
		case worker.EventTrouble, worker.EventUnsure, worker.EventLost, worker.EventLeft, worker.EventWaiting, worker.EventBraked:
			level = slog.LevelWarn
		case worker.EventClaimed, worker.EventCompleted, worker.EventFailed, worker.EventReleased,
			worker.EventConfirmed, worker.EventRecovered, worker.EventPromoted, worker.EventUnbraked:
		}
		l.LogAttrs(context.Background(), level, string(e.Kind), attrs(e)...)
	}
}

// attrs are the fields that belong to the event's kind; no payload is among them.
func attrs(e worker.Event) []slog.Attr {
	var out []slog.Attr
	add := func(ok bool, a slog.Attr) {
		if ok {
			out = append(out, a)
		}
	}
	add(e.Step != "", slog.String("step", string(e.Step)))
	add(e.Worker != "", slog.String("worker", e.Worker))
	add(!e.Key.IsZero(), slog.String("key", e.Key.String()))
	add(!e.Token.IsZero(), slog.String("token", e.Token.String()))
	add(e.Next != "", slog.String("next_token", e.Next))
	add(e.State != 0, slog.String("state", e.State.String()))
	add(e.Attempts.Known, slog.Int64("attempt", e.Attempts.N))
	add(e.Bound.Known, slog.Int64("max_attempts", e.Bound.N))
	add(e.N != 0, slog.Int("n", e.N))
	add(e.For != 0, slog.Int64("ms", e.For.Milliseconds()))
	add(e.Text != "", slog.String("text", e.Text))
	if e.Err != nil {
		out = append(out, slog.String("error", e.Err.Error()))
	}
	return out
}

// begin says to a person what a command now does until it is stopped. A program that
// reads the log is told by its lines.
func (a *app) begin(format string, args ...any) {
	if isTerminal(a.Err) {
		fmt.Fprintf(a.Err, "leasetop: "+format+"\n", args...)
	}
}

// isTerminal reports whether a person reads what is written there.
func isTerminal(w io.Writer) bool {
	f, ok := w.(interface{ Fd() uintptr })
	return ok && term.IsTerminal(f.Fd())
}
