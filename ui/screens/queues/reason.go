package queues

import (
	"strconv"
	"strings"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/themes"
	"github.com/leasetop/leasetop/ui/kit"
)

// health is the worst there is to say about a queue, in words.
func (l *line) health() kit.Span {
	switch h := l.Watch.Health; h {
	case model.Down, model.Broken, model.Stale:
		t := strings.ToUpper(h.String())
		if f := l.Watch.Err; f != nil {
			t += ": " + text.Clean(happened(f))
		}
		tone := themes.Bad
		if h == model.Stale {
			tone = themes.Warn
		}
		return kit.Span{Tone: tone, Text: t}
	case model.Connecting:
		return kit.Span{Tone: themes.Dim, Text: "connecting"}
	case model.Live:
	}
	if len(l.Findings) == 0 || l.Findings[0].Severity == model.Normal {
		return kit.Span{Tone: themes.Dim, Text: "● fine"}
	}
	f := l.Findings[0]
	tone := themes.Warn
	if f.Severity == model.Bad {
		tone = themes.Bad
	}
	return kit.Span{Tone: tone, Text: "! " + text.Clean(f.Text)}
}

// happened is what a fault says first: what was tried and what cures it have no room
// in a column.
func happened(f *model.Fault) string {
	if f.Code == 0 {
		return f.Text
	}
	return f.Text + " (error " + strconv.Itoa(f.Code) + ")"
}

// cure is what can be done about it, and how much more there is to say.
func (l *line) cure() string {
	if l.Watch.Health != model.Live {
		if l.Watch.Err == nil {
			return ""
		}
		return text.Clean(l.Watch.Err.Cure)
	}
	more := 0
	for _, f := range l.Findings {
		if f.Severity != model.Normal {
			more++
		}
	}
	if more == 0 {
		return ""
	}
	out := text.Clean(l.Findings[0].Cure)
	if more--; more > 0 {
		out += strings.Repeat(" · ", min(1, len(out))) + "+" + text.Plural(int64(more), "more", "more")
	}
	return out
}

// The lines at the bottom in which the chosen queue's health is said in full, and
// the height from which there is room for them.
const (
	reasonLines  = 2
	reasonHeight = 14
)

// reason says of the chosen queue in full what its row has no room for.
func (s *Screen) reason(e *kit.Env) []string {
	i, ok := s.cursor.Selected()
	if !ok {
		return nil
	}
	l := s.queues[i]
	h := l.health()
	mark := "  " + text.Cut(text.Clean(l.Queue), 24) + "  "
	words := h.Text
	if c := l.cure(); c != "" {
		words += ": " + c
	}
	room := max(8, e.Width-text.Width(mark)-1)
	parts := kit.Wrap(words, room)
	if len(parts) > reasonLines {
		parts = parts[:reasonLines]
		parts[reasonLines-1] = text.Cut(parts[reasonLines-1]+" …", room)
	}
	out := make([]string, 0, reasonLines)
	for n, part := range parts {
		var x kit.Line
		if n == 0 {
			x.Text(e.Styles.Of(themes.Strong), mark)
		} else {
			x.Blank(text.Width(mark))
		}
		x.Text(e.Styles.Of(h.Tone), part)
		out = append(out, x.String())
	}
	return out
}
