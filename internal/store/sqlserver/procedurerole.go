package sqlserver

import (
	"errors"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqltext"
	"github.com/leasetop/leasetop/model"
)

// stepOps are the operations that workers and recovery need.
func stepOps() []store.Op {
	return []store.Op{
		store.OpClaim, store.OpHeartbeat, store.OpComplete, store.OpFail, store.OpRelease, store.OpRecover, store.OpPromote,
	}
}

// workerOps are those and a producer's.
func workerOps() []store.Op { return append([]store.Op{store.OpEnqueue}, stepOps()...) }

// operatorOps are the operations that an operator's acts need.
func operatorOps() []store.Op {
	return []store.Op{
		store.OpReclaim, store.OpForce, store.OpExtend, store.OpGrant,
		store.OpDeadLetter, store.OpDeadLetterUnclaimed, store.OpRequeue, store.OpRequeueUnclaimed,
		store.OpBrake, store.OpReleaseBrake,
	}
}

// Procedures are a queue's procedures, its roles and their grants, and a job that
// recovers.
func (d Dialect) Procedures(m *model.Mapping, c *model.Caps) (store.Script, error) {
	var script store.Script
	by := map[store.Op]bool{}
	for _, op := range append(workerOps(), operatorOps()...) {
		s, err := d.procedure(op, m, c)
		if err != nil {
			script.Absent = append(script.Absent, store.Stmt{Op: procedureOp(op), Texts: []string{err.Error()}})
			continue
		}
		by[op], script.Make = true, append(script.Make, s)
	}
	if len(script.Make) == 0 {
		return script, errors.New("no operation of " + displayName(m.Table) + " can have a procedure: " + script.Absent[0].Texts[0])
	}
	for _, s := range []struct {
		name store.Op
		part sqltext.Part
	}{{"roles", roles(m)}, {"grants", grants(m, c, by)}} {
		text, err := s.part.Text()
		if err != nil {
			return script, err
		}
		script.Make = append(script.Make, store.Stmt{
			Op: s.name, Texts: []string{text}, Kind: store.Control, Right: "CREATE ROLE and ALTER ANY ROLE in the database, CONTROL on what is granted",
			Locks: "on the catalog alone", Proved: onBabelfish,
		})
	}
	if !by[store.OpRecover] {
		return script, nil
	}
	job, err := agent(m, c)
	script.Print = append(script.Print, job)
	return script, err
}

// procedureOp is what making an operation's procedure is called.
func procedureOp(op store.Op) store.Op { return "procedure: " + op }

// The roles of a queue.
const (
	viewerRole   = "Viewer"
	operatorRole = "Operator"
	workerRole   = "Worker"
)

// roleName is a queue's own role: what it may do ends with this queue.
func roleName(m *model.Mapping, role string) string {
	name := m.Table.Name + "_" + role
	if s := schemaOf(m.Table); s != defaultSchema {
		name = s + "_" + name
	}
	return name
}

const roleText = `IF DATABASE_PRINCIPAL_ID({text}) IS NULL
    CREATE ROLE {role};
`

const memberText = `ALTER ROLE {viewer} ADD MEMBER {role};
`

// roles are the viewer, and the operator and the worker who are viewers too.
func roles(m *model.Mapping) sqltext.Part {
	var parts []sqltext.Part
	for _, r := range []string{viewerRole, operatorRole, workerRole} {
		name := roleName(m, r)
		parts = append(parts, sqltext.Fill(roleText, sqltext.Holes{"text": literal(name), "role": ident(name)}))
	}
	for _, r := range []string{operatorRole, workerRole} {
		parts = append(parts, sqltext.Fill(memberText, sqltext.Holes{"viewer": ident(roleName(m, viewerRole)), "role": ident(roleName(m, r))}))
	}
	return sqltext.List("", parts...)
}

const viewText = `-- A viewer reads every column but the payload, which needs
-- GRANT SELECT ON {table} ({payload}) TO {viewer};
GRANT SELECT ON {table} ({columns}) TO {viewer};
`

// definitionText lets the probe see the table's indexes and triggers for certain:
// what may not be seen looks as if it were not there. Babelfish has no such right.
const definitionText = `GRANT VIEW DEFINITION ON {table} TO {viewer};
`

const viewHistoryText = `GRANT SELECT ON {history} TO {viewer};
`

const executeText = `GRANT EXECUTE ON {procedure} TO {role};
`

// grants give each role what it needs and nothing else. The table itself is written
// by nobody: the procedures' owner is its owner.
func grants(m *model.Mapping, c *model.Caps, by map[store.Op]bool) sqltext.Part {
	viewer := ident(roleName(m, viewerRole))
	t := table{m: m}
	var columns []sqltext.Part
	for _, c := range t.m.Keys {
		columns = append(columns, ident(c.Name))
	}
	payload := ident("Payload")
	for _, r := range model.Roles() {
		c := m.Column(r)
		switch {
		case c.IsZero() || r == model.RoleKey:
		case r == model.RolePayload:
			payload = ident(c.Name)
		default:
			columns = append(columns, ident(c.Name))
		}
	}
	parts := []sqltext.Part{sqltext.Fill(viewText, sqltext.Holes{
		"table": t.name(), "payload": payload, "viewer": viewer, "columns": sqltext.List(", ", columns...),
	})}
	if c.Engine != Babelfish {
		parts = append(parts, sqltext.Fill(definitionText, sqltext.Holes{"table": t.name(), "viewer": viewer}))
	}
	if !m.History.IsZero() {
		parts = append(parts, sqltext.Fill(viewHistoryText, sqltext.Holes{"history": t.historyName(), "viewer": viewer}))
	}
	if !m.Brake.IsZero() {
		parts = append(parts, sqltext.Fill(viewHistoryText, sqltext.Holes{"history": tableName(m.Brake), "viewer": viewer}))
	}
	parts = append(parts, executes(m, workerRole, workerOps(), by)...)
	return sqltext.List("", append(parts, executes(m, operatorRole, operatorOps(), by)...)...)
}

func executes(m *model.Mapping, role string, ops []store.Op, by map[store.Op]bool) []sqltext.Part {
	var parts []sqltext.Part
	for _, op := range ops {
		if by[op] {
			parts = append(parts, sqltext.Fill(executeText, sqltext.Holes{
				"procedure": tableName(procedureTable(m, op)), "role": ident(roleName(m, role)),
			}))
		}
	}
	return parts
}
