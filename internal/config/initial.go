package config

import (
	"strings"

	"github.com/leasetop/leasetop/internal/text"
)

// Initial is a first configuration file: every key with what it does, commented
// out, so that the file as it stands configures nothing and each line can be taken
// as it is.
func Initial() string {
	var b strings.Builder
	b.WriteString("## leasetop's configuration. Take the # away from what you need; `leasetop config` prints what holds and\n" +
		"## where it came from, and every mistake in here is reported at once with its place.\n")
	open := map[string]bool{}
	for _, e := range Reference() {
		if len(e.Path) == 1 && !open[e.Path[0]] {
			b.WriteByte('\n')
		}
		depth := len(e.Path) - 1
		// The names that a section needs are opened with its first key.
		for i := range e.Path {
			at := pathOf(e.Path[:i+1]...)
			if e.Path[i] == AnyName && !open[at] {
				b.WriteString("# " + strings.Repeat("  ", i) + nameFor(e.Path[0]) + ":\n")
			}
			open[at] = true
		}
		line := "# " + strings.Repeat("  ", depth) + e.Key() + ":"
		if e.Example != "" {
			line += " " + e.Example
		}
		doc := e.brief()
		if e.Aside {
			b.WriteString("#" + line + "   (" + doc + ")\n")
			continue
		}
		if line = pad(line, beside); e.Example != "" && text.Width(line)+text.Width(doc)+3 <= widest {
			b.WriteString(line + " # " + doc + "\n")
			continue
		}
		for l := range strings.Lines(wrap(doc, widest-2*depth-3)) {
			b.WriteString("## " + strings.Repeat("  ", depth) + l)
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return b.String()
}

// The columns of the first file: where what a key does begins beside it, and how
// long a line may be.
const (
	beside = 52
	widest = 110
)

// pad makes a line at least n cells wide.
func pad(s string, n int) string {
	return s + strings.Repeat(" ", max(0, n-text.Width(s)))
}

// wrap breaks a text between words into lines of at most n cells.
func wrap(s string, n int) string {
	var b strings.Builder
	width := 0
	for i, word := range strings.Fields(s) {
		switch w := text.Width(word); {
		case i == 0:
			width = w
		case width+1+w > n:
			b.WriteByte('\n')
			width = w
		default:
			b.WriteByte(' ')
			width += 1 + w
		}
		b.WriteString(word)
	}
	return b.String() + "\n"
}

// nameFor is the name that the example gives to a thing of a section.
func nameFor(section string) string {
	switch section {
	case "servers":
		return "prod"
	case "queues":
		return "orders"
	}
	return "tickets"
}

// brief is what a key is for, in one line.
func (e Entry) brief() string {
	doc := e.Doc
	if e.Default != "" {
		doc += " Default: " + e.Default + "."
	}
	return doc
}
