package dialog

import (
	"fmt"
	"strings"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/themes"
	"github.com/leasetop/leasetop/ui/kit"
)

// code is a statement with its values, below what it is. Of several steps the one
// that changes something comes first, whatever runs before it: that is the one to
// be read, and on a small screen the only one that is.
func code(e *kit.Env, what string, s model.Statement, width int) []string {
	dim := e.Styles.Of(themes.Dim)
	if len(s.Steps) < 2 {
		return append(paragraphs(dim, what, width), append(lines(e, s.Text, width), values(e, s, width)...)...)
	}
	what += ", in one transaction"
	if before := s.Steps[:s.Main]; len(before) > 0 {
		what += " after " + verbs(before)
	}
	if after := s.Steps[s.Main+1:]; len(after) > 0 {
		what += ", before " + verbs(after)
	}
	out := append(paragraphs(dim, what, width), lines(e, s.Steps[s.Main], width)...)
	out = append(out, values(e, s, width)...)
	for i, step := range s.Steps {
		if i == s.Main {
			continue
		}
		out = append(out, "", dim.Render(text.Cut(fmt.Sprintf("step %d of %d", i+1, len(s.Steps)), width)))
		out = append(out, lines(e, step, width)...)
	}
	return out
}

// verbs are what steps do, each in its first word.
func verbs(steps []string) string {
	out := make([]string, len(steps))
	for i, s := range steps {
		out[i], _, _ = strings.Cut(text.Clean(s), " ")
	}
	return strings.Join(out, ", ")
}

// lines are the lines of a text of SQL.
func lines(e *kit.Env, sql string, width int) []string {
	var out []string
	ink := e.Styles.Of(themes.Code)
	for line := range strings.SplitSeq(text.CleanBlock(sql, 1<<16), "\n") {
		for _, part := range kit.WrapCode(line, width-2, 2) {
			out = append(out, "  "+ink.Render(part))
		}
	}
	return out
}

// values are the values of a statement's parameters.
func values(e *kit.Env, s model.Statement, width int) []string {
	var out []string
	for _, a := range s.Args {
		line := text.Clean(fmt.Sprintf("%s %s = %s", a.Name, a.Declared, a.Value))
		out = append(out, "  "+e.Styles.Of(themes.Code).Render(text.Cut(line, width-2)))
	}
	return out
}
