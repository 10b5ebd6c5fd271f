package store

import (
	"strings"

	"github.com/leasetop/leasetop/model"
)

// show is the statement for eyes, with the values that it would carry.
func (s Stmt) show(a Args) model.Statement {
	args := make([]model.Arg, len(s.Params))
	for i, p := range s.Params {
		args[i] = model.Arg{Name: p.Name, Declared: p.Declared, Value: a.of(p)}
	}
	return model.Statement{
		Op: string(s.Op), Form: s.Form, Text: strings.Join(s.Texts, ";\n\n"),
		Args: args, Right: s.Right, Proved: s.Proved,
	}
}

// Assumed lists the statements for a table that is exactly as its mapping says, on
// a server of which nothing is known but the dialect; no connection is made. The
// second list says which operations such a table cannot have, and why.
func Assumed(d Dialect, m *model.Mapping) (sendable, absent []model.Statement) {
	caps := model.Caps{Engine: d.Engine(), Ours: !m.History.IsZero(), Form: map[string]string{}}
	for _, spec := range Specs() {
		s, err := d.Statement(spec.Op, m, &caps)
		if err != nil {
			absent = append(absent, model.Statement{Op: string(spec.Op), Text: err.Error()})
			continue
		}
		sendable = append(sendable, s.show(nil))
	}
	return sendable, absent
}
