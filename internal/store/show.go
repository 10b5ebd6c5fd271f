package store

import (
	"strings"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
)

// show is the statement for eyes, with the values that it would carry.
func (s Stmt) show(a Args) model.Statement {
	args := make([]model.Arg, len(s.Params))
	for i, p := range s.Params {
		args[i] = model.Arg{Name: p.Name, Declared: p.Declared, Value: a.of(p)}
	}
	out := model.Statement{
		Op: string(s.Op), Form: s.Form, Text: strings.Join(s.Texts, ";\n\n"),
		Args: args, Right: s.Right, Locks: s.Locks, Proved: s.Proved, Danger: text.Clean(s.Danger), When: s.When,
	}
	if len(s.Texts) > 1 {
		out.Steps, out.Main = s.Texts, main(s.Texts)
	}
	return out
}

// main is the last text that changes something: those before it read the rows as
// they are and write down what will become of them.
func main(texts []string) int {
	for i := len(texts) - 1; i > 0; i-- {
		if !strings.HasPrefix(texts[i], "SELECT") {
			return i
		}
	}
	return 0
}

// Assumed lists the statements for a table that is exactly as its mapping says, on
// a server of which nothing is known but the dialect; no connection is made. The
// second list says which operations such a table cannot have, and why.
func Assumed(d Dialect, m *model.Mapping) (sendable, absent []model.Statement) {
	caps := model.Caps{Engine: d.Engine(), Ours: !m.History.IsZero(), Form: map[string]string{}}
	sendable = questions(d, m, &caps)
	for _, spec := range SpecsOf(m.Family) {
		s, err := d.Statement(spec.Op, m, &caps)
		if err != nil {
			absent = append(absent, model.Statement{Op: string(spec.Op), Text: err.Error()})
			continue
		}
		sendable = append(sendable, s.show(nil))
	}
	return sendable, absent
}
