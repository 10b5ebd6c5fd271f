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
