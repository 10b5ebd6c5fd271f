package dialog

import (
	"slices"
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

// cramped reports whether there is no room for a dialog that is read.
func cramped(e *kit.Env) bool { return e.Width < 12 || e.Height < 4 }

// paged is the text of a dialog that wants most cells and is nothing but text.
func paged(e *kit.Env, most int, text func(e *kit.Env, width int) []string) kit.Page {
	if cramped(e) {
		return kit.Page{}
	}
	return kit.Page{Lines: text(e, widthOf(e, most)-4), Height: e.Height - 2}
}

// footed is the text of a dialog that has its own foot: what can be given and chosen,
// which is in view however little room there is for the text above it.
func footed(e *kit.Env, text, foot func(e *kit.Env, width int) []string) (p kit.Page, below []string) {
	inner := widthOf(e, widest) - 4
	if inner < 8 || e.Height < 5 {
		return kit.Page{}, nil
	}
	below = foot(e, inner)
	if room := e.Height - 3; len(below) > room { // what is empty gives way to an input
		below = slices.DeleteFunc(below, func(line string) bool { return line == "" })
		below = below[max(0, len(below)-room):]
	}
	return kit.Page{Lines: text(e, inner), Height: e.Height - 2 - len(below)}, below
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

// more says in a box's edge that there is more to read, where there is.
func more(lines int) kit.Spans {
	if lines == 0 {
		return nil
	}
	return kit.Spans{{Tone: themes.Accent, Text: "↓ " + text.Plural(int64(lines), "more line", "more lines")}}
}
