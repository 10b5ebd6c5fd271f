package kit

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/leasetop/leasetop/internal/text"
)

// Wrap breaks one line of text into lines of at most width cells, at blanks where
// it can. A word stays whole if a line can hold it: a GUID that is broken at its
// hyphens cannot be copied.
func Wrap(s string, width int) []string { return WrapCode(s, width, 0) }

// WrapCode is Wrap for a line of code: what stands before its first word is kept,
// and further lines are set in by hang more cells.
func WrapCode(s string, width, hang int) []string {
	if width < 1 {
		return nil
	}
	if text.Width(s) <= width {
		return []string{s}
	}
	lead := s[:len(s)-len(strings.TrimLeft(s, " "))]
	if len(lead)+hang > width/2 {
		lead, hang = "", 0
	}
	var out []string
	line := lead
	fresh := true
	for word := range strings.FieldsSeq(s) {
		if !fresh && text.Width(line)+1+text.Width(word) > width {
			out = append(out, line)
			line, fresh = lead+strings.Repeat(" ", hang), true
		}
		if !fresh {
			line += " "
		}
		line += word
		fresh = false
		for text.Width(line) > width {
			parts := strings.SplitN(ansi.Hardwrap(line, width, true), "\n", 2)
			if len(parts) < 2 {
				break
			}
			out = append(out, parts[0])
			line = parts[1]
		}
	}
	return append(out, line)
}
