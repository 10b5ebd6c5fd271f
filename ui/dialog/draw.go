package dialog

import (
	"strings"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/themes"
	"github.com/leasetop/leasetop/ui/kit"
)

// sliver is how many columns must be left beside a dialog: fewer show the ends of
// words and nothing else.
const sliver = 16

// widthOf is the width of a dialog that wants most cells.
func widthOf(e *kit.Env, most int) int {
	if e.Width-most < sliver {
		return e.Width
	}
	return most
}

// scrolled cuts lines to a window of height, clamps the first line, and says how
// far it could be scrolled.
func scrolled(lines []string, first *int, height int) (window []string, below int) {
	height = max(1, height)
	below = max(0, len(lines)-height)
	*first = min(*first, below)
	return append([]string(nil), lines[*first:min(len(lines), *first+height)]...), below
}

// indent sets lines off the box's edge.
func indent(lines []string) []string {
	for i := range lines {
		lines[i] = " " + lines[i]
	}
	return lines
}

// paragraphs wraps text in one style.
func paragraphs(s themes.Style, t string, width int) []string {
	return hanging(s, "", t, width)
}

// hanging wraps text behind a mark, its further lines set in as far.
func hanging(s themes.Style, mark, t string, width int) []string {
	n := len([]rune(mark))
	var out []string
	for i, line := range kit.Wrap(t, max(1, width-n)) {
		lead := mark
		if i > 0 {
			lead = strings.Repeat(" ", n)
		}
		out = append(out, s.Render(lead+line))
	}
	return out
}

// more says in a box's edge that there is more to read.
func more(lines int) kit.Spans {
	return kit.Spans{{Tone: themes.Accent, Text: "↓ " + text.Plural(int64(lines), "more line", "more lines")}}
}
