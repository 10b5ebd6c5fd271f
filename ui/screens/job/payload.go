package job

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/themes"
	"github.com/leasetop/leasetop/ui/kit"
)

// wrapped is the payload broken into lines of a width, kept because it is long.
type wrapped struct {
	width int
	lines []string
}

func (s *Screen) payloadLines(e *kit.Env) []string {
	st := e.Styles
	head := st.Of(themes.Strong).Render(" payload")
	note := func(t themes.Token, s string) []string {
		return []string{head + st.Of(t).Render(text.Cut("  "+s, max(0, e.Width-9)))}
	}
	switch {
	case s.mapping != nil && !s.mapping.IsDestructive() && !s.mapping.Has(model.RolePayload):
		return note(themes.Dim, "the table has none")
	case s.past && s.fetch != fetched:
		return note(themes.Dim, "not recorded: "+notKept(e))
	case s.gone && s.fetch == notAsked:
		return note(themes.Dim, "none: there is no row")
	case s.fetch == notAsked:
		return note(themes.Dim, "not read: v shows it")
	case s.fetch == asked:
		return note(themes.Dim, "reading …")
	case s.payload.Err != nil:
		return note(themes.Warn, "could not be read: "+text.Clean(s.payload.Err.Error()))
	}
	if s.wrapped.width != e.Width {
		s.wrapped = wrapped{e.Width, wrap(s.payload.Payload, e.Width-4)}
	}
	about, tone := s.about(e)
	out := note(tone, about)
	code := st.Of(themes.Code)
	for _, l := range s.wrapped.lines {
		out = append(out, "   "+code.Render(l))
	}
	return out
}

// notKept says why the past has no payload of a job.
func notKept(e *kit.Env) string {
	if e.Carried == nil {
		return "payloads are kept only with --record-payloads"
	}
	return "nobody read it"
}

// carried takes the payload as it was read nearest to the picture of the past.
func (s *Screen) carried(e *kit.Env) {
	s.fetch = notAsked
	if e.Carried == nil {
		return
	}
	p, at := e.Carried(s.queue, s.key)
	if at.IsZero() {
		return
	}
	s.fetch = fetched
	if !at.Equal(s.readAt) || p != s.payload.Payload {
		s.payload, s.readAt, s.wrapped = kit.PayloadRead{Payload: p}, at, wrapped{}
	}
}

// about says how much of the payload is shown, of when it is and whether it is kept.
func (s *Screen) about(e *kit.Env) (string, themes.Token) {
	about := size(s.payload.Payload)
	add := func(more string) {
		if about != "" {
			about += " · "
		}
		about += more
	}
	switch {
	case s.past:
		add("as it was read at " + e.Clock(s.readAt, true))
	case s.payload.KeptErr != nil:
		add("not recorded: " + text.Clean(s.payload.KeptErr.Error()))
		return about, themes.Warn
	case s.payload.Kept:
		add("kept for looking back, :save and --record")
	}
	return about, themes.Dim
}

func size(p model.Payload) string {
	switch {
	case p.Bytes.Known && p.Cut:
		return fmt.Sprintf("the first %s of %s", text.Bytes(int64(len(p.Text))), text.Bytes(p.Bytes.N))
	case p.Bytes.Known:
		return text.Bytes(p.Bytes.N)
	case p.Cut:
		return "the beginning"
	}
	return ""
}

// deepest is how deep JSON may be nested to be indented: a few bytes that open ten
// thousand brackets would become hundreds of megabytes of blanks.
const deepest = 32

// shallow reports whether a text opens at most so many brackets within each other,
// those in its strings counted as well.
func shallow(s string) bool {
	depth := 0
	for i := range len(s) {
		switch s[i] {
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
		if depth > deepest {
			return false
		}
	}
	return true
}

// wrap breaks a payload into lines. JSON that is whole is indented first.
func wrap(p model.Payload, width int) []string {
	t := p.Text
	if !p.Cut && shallow(t) && json.Valid([]byte(t)) {
		var b bytes.Buffer
		if json.Indent(&b, []byte(t), "", "  ") == nil {
			t = b.String()
		}
	}
	if t == "" {
		return []string{"(empty)"}
	}
	return strings.Split(ansi.Hardwrap(text.CleanBlock(t, 4*payloadLimit), max(8, width), true), "\n")
}
