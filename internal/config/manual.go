package config

import (
	"strings"
)

// Manual is the reference of every key in Markdown, for docs/.
func Manual() string {
	var b strings.Builder
	b.WriteString("# Every key of the configuration\n\n" +
		"This page is made from the code; a test keeps it current. [configuration.md](configuration.md) explains the whole by an\n" +
		"example. A value is taken from the file, over it from the variable that is named here, and over both from the flag.\n")
	section := ""
	for _, e := range Reference() {
		if top := e.Path[0]; top != section {
			section = top
			b.WriteString("\n## " + top + "\n\n")
		}
		b.WriteString("* **`" + strings.Join(e.Path, ".") + "`**")
		if e.Kind != "" {
			b.WriteString(" (" + e.Kind + ")")
		}
		b.WriteString(": " + e.Doc)
		if e.Default != "" {
			b.WriteString(" Default: `" + e.Default + "`.")
		}
		if over := e.over(); over != "" {
			b.WriteString(" Over it: " + over + ".")
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// over lists what goes over the file's value.
func (e Entry) over() string {
	var out []string
	for _, s := range []string{e.Env, e.Flag} {
		if s != "" {
			out = append(out, "`"+s+"`")
		}
	}
	return strings.Join(out, ", ")
}
