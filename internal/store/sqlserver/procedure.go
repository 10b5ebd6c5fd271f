package sqlserver

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqltext"
	"github.com/leasetop/leasetop/model"
)

// A procedure is a statement of leasetop's own, letter by letter, behind a name
// whose owner is the table's: who may execute it needs no right on the table
// (ownership chaining), and can do nothing else with it.

// formProcedure is the form of a statement that is sent as a call of its procedure,
// because this login may call that and not write the table.
const formProcedure = "procedure"

// procedureNames are the operations that have a procedure and how it is called
// behind the table's name.
func procedureNames() map[store.Op]string {
	return map[store.Op]string{
		store.OpEnqueue: "Enqueue", store.OpClaim: "Claim", store.OpHeartbeat: "Heartbeat", store.OpComplete: "Complete",
		store.OpFail: "Fail", store.OpRelease: "Release", store.OpRecover: "Recover", store.OpPromote: "Promote",
		store.OpReclaim: "Reclaim", store.OpForce: "ForceReclaim", store.OpExtend: "Extend", store.OpGrant: "Grant",
		store.OpDeadLetter: "DeadLetter", store.OpDeadLetterUnclaimed: "DeadLetterUnclaimed",
		store.OpRequeue: "Requeue", store.OpRequeueUnclaimed: "RequeueUnclaimed",
		store.OpBrake: "Brake", store.OpReleaseBrake: "ReleaseBrake",
	}
}

// nameLimit is how long an identifier may be.
const nameLimit = 128

// procedureTable names an operation's procedure like a table; zero: it has none.
func procedureTable(m *model.Mapping, op store.Op) model.Table {
	suffix, ok := procedureNames()[op]
	if !ok {
		return model.Table{}
	}
	return model.Table{Schema: m.Table.Schema, Name: m.Table.Name + "_" + suffix}
}

// procedureText is made anew where it is there, its grants kept. Babelfish cannot.
const procedureText = `{create} PROCEDURE {name}
    {params}
AS
{fixed}{body}`

// procedure renders an operation's procedure. Its body is the statement that is
// sent where there is no procedure.
func (d Dialect) procedure(op store.Op, m *model.Mapping, c *model.Caps) (store.Stmt, error) {
	name := procedureTable(m, op)
	if len([]rune(name.Name)) > nameLimit {
		return store.Stmt{}, fmt.Errorf("the name %s would be longer than %d characters", name, nameLimit)
	}
	s, body, err := d.render(op, m, direct(op, c))
	if err != nil {
		return store.Stmt{}, err
	}
	if s.Danger != "" {
		return store.Stmt{}, errors.New(s.Danger)
	}
	var params, fixed []sqltext.Part
	for _, p := range s.Params {
		if p.Value.IsNull() {
			params = append(params, sqltext.Fill("{name} {type}", sqltext.Holes{"name": sqltext.Arg(p.Name), "type": sqltext.Declared(p.Declared)}))
			continue
		}
		fixed = append(fixed, sqltext.Fill("DECLARE {name} {type} = {value};\n", sqltext.Holes{
			"name": sqltext.Arg(p.Name), "type": sqltext.Declared(p.Declared), "value": code(p.Value),
		}))
	}
	part := sqltext.Fill(procedureText, sqltext.Holes{
		"create": sqltext.If(c.Engine == Babelfish, sqltext.Raw("CREATE")).Or(sqltext.Raw("CREATE OR ALTER")),
		"name":   tableName(name), "params": sqltext.List(",\n    ", params...),
		"fixed": sqltext.List("", fixed...), "body": body,
	})
	text, err := part.Text()
	if err != nil {
		return store.Stmt{}, err
	}
	return store.Stmt{
		Op: procedureOp(op), Texts: []string{text}, Kind: store.Control,
		Right: "CREATE PROCEDURE in the database, ALTER on schema " + schemaOf(m.Table),
		Locks: "Sch-M on the procedure", Proved: madeOnBabelfish,
	}, nil
}

// direct is what a probe found, with the statements themselves instead of the calls
// of their procedures.
func direct(op store.Op, c *model.Caps) *model.Caps {
	own := *c
	form := strings.TrimPrefix(c.Form[string(op)], formProcedure)
	own.Form = map[string]string{string(op): strings.TrimPrefix(form, "-")}
	return &own
}

// code is a state's value as the procedure holds it: callers do not choose it.
func code(v model.Value) sqltext.Part {
	if _, err := strconv.ParseInt(v.Text, 10, 64); err == nil && v.Type == model.Int {
		return bare(v.Text)
	}
	if ascii(v.Text) {
		return plain(v.Text)
	}
	return literal(v.Text)
}

// plain is a text of ASCII letters in the statement itself.
func plain(s string) sqltext.Part {
	return sqltext.Speller(func(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }).Literal(s)
}

func schemaOf(n model.Table) string {
	if n.Schema == "" {
		return defaultSchema
	}
	return n.Schema
}

const callText = `EXEC {name}
    {args};`

// call is an operation as the call of its procedure.
func (t table) call(op store.Op, params []store.Param) (text string, given []store.Param, err error) {
	var args []sqltext.Part
	for _, p := range params {
		if !p.Value.IsNull() {
			continue // the procedure has it
		}
		given = append(given, p)
		args = append(args, sqltext.Fill("{name} = {name}", sqltext.Holes{"name": sqltext.Arg(p.Name)}))
	}
	text, err = sqltext.Fill(callText, sqltext.Holes{
		"name": tableName(procedureTable(t.m, op)), "args": sqltext.List(",\n    ", args...),
	}).Text()
	return text, given, err
}

// called turns a statement into the call of its procedure.
func (t table) called(s store.Stmt) (store.Stmt, error) {
	text, params, err := t.call(s.Op, s.Params)
	if err != nil {
		return store.Stmt{}, err
	}
	s.Texts, s.Params, s.Proved, s.Locks = []string{text}, params, "", locks(s.Op, s.Form)
	s.Right = "EXECUTE on " + displayName(procedureTable(t.m, s.Op))
	return s, nil
}

// isCall reports whether a statement is the call of a procedure.
func isCall(form string) bool { return strings.HasPrefix(form, formProcedure) }
