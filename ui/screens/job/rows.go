package job

import (
	"fmt"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/themes"
	"github.com/leasetop/leasetop/ui/kit"
)

// liner writes one line of the page: a name, a value, and what is to be said of it.
type liner func(label, value string, tone themes.Token, aside string)

// rowLines are the values of a row of a destructive queue, which are all that it
// is, and what is known about them.
func (s *Screen) rowLines(e *kit.Env, line liner) {
	j := s.job
	values, _ := s.mapping.CutRow(j.Key)
	by := s.mapping.Column(model.RoleEnqueued)
	for i, c := range s.mapping.Keys {
		if i >= len(values) {
			break
		}
		aside := ""
		if c.Name == by.Name && !j.Enqueued.At.IsZero() {
			aside = e.Stamp(j.Enqueued.At)
		}
		if values[i].IsNull() {
			line(c.Name, "NULL", themes.Dim, aside)
			continue
		}
		line(c.Name, text.Clean(values[i].Text), themes.Plain, aside)
	}
	if s.gone {
		return // how many there were, and what held them, is no longer so
	}
	if j.Copies.Known {
		aside := "no other row has these values"
		if j.Copies.N > 1 {
			aside = "which one of them is meant cannot matter"
		}
		line("identical rows", text.Grouped(j.Copies.N), themes.Plain, aside)
	}
	if j.Locked.Known && j.Locked.N > 0 {
		line("locked now", text.Grouped(j.Locked.N), themes.Accent, "emulated; a dequeue has not ended yet")
	}
	if j.State == model.Failed {
		line("dead since", e.Stamp(j.Ended.At), themes.Plain, "")
		line("by", or(text.Clean(j.Worker), "not recorded"), themes.Plain, "")
		line("act", text.Clean(j.Token.String()), themes.Plain, "")
		line("reason", or(text.Clean(j.Error), "none recorded"), themes.Plain, "")
		return
	}
	line("waiting", text.ExactAge(j.Waiting), themes.Plain, "")
	mode := s.mapping.Lane.Mode
	line("mode", mode.String()+" · "+mode.Promise(), themes.Dim, "")
}

func or(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

// rowTitle is what a row is called: its values.
func (s *Screen) rowTitle() string { return fmt.Sprintf(" row %s", text.Clean(s.key.String())) }
