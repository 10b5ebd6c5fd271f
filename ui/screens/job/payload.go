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
	case s.mapping != nil && !s.mapping.Has(model.RolePayload):
		return note(themes.Dim, "the table has none")
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
	out := note(themes.Dim, size(s.payload.Payload))
	code := st.Of(themes.Code)
	for _, l := range s.wrapped.lines {
		out = append(out, "   "+code.Render(l))
	}
	return out
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

// wrap breaks a payload into lines. JSON that is whole is indented first.
func wrap(p model.Payload, width int) []string {
	t := p.Text
	if !p.Cut && json.Valid([]byte(t)) {
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
