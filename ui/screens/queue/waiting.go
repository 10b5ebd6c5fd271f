package queue

import (
	"strings"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/themes"
	"github.com/leasetop/leasetop/ui/kit"
)

// waiting is the screen of a queue of which nothing is known yet: what is being
// tried, or what is wrong and what to do about it.
func (s *Screen) waiting(e *kit.Env) []string {
	health, server := model.Connecting, ""
	var fault *model.Fault
	if s.snapshot != nil {
		health, server, fault = s.snapshot.Watch.Health, s.snapshot.Server, s.snapshot.Watch.Err
	}
	width := max(1, min(e.Width-4, 76))
	var out []string
	add := func(t themes.Token, s string) {
		for _, line := range kit.Wrap(text.Clean(s), width) {
			out = append(out, e.Styles.Of(t).Render(line))
		}
	}
	tone := themes.Accent
	if fault != nil {
		tone = themes.Bad
	}
	if !e.Past {
		add(tone, strings.ToUpper(health.String()))
	}
	if server != "" {
		add(themes.Dim, s.name+" on "+server)
	}
	out = append(out, "")
	switch {
	case fault == nil && e.Past:
		add(themes.Plain, "this queue was not watched then")
	case fault == nil:
		add(themes.Plain, "waiting for the first answer …")
	default:
		what := *fault
		what.Cure = ""
		add(themes.Plain, what.Error())
		if fault.Cure != "" {
			out = append(out, "")
			add(themes.Strong, fault.Cure)
		}
	}
	top := max(0, (e.Height-len(out))/3)
	left := strings.Repeat(" ", max(1, (e.Width-width)/2))
	lines := make([]string, top, top+len(out))
	for _, l := range out {
		lines = append(lines, left+l)
	}
	return lines
}
