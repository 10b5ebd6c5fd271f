package sqlite

import (
	"errors"
	"fmt"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqltext"
	"github.com/leasetop/leasetop/model"
)

// table is a bound table while its statements are rendered: it gives columns,
// conditions and values as pieces of SQL, absent where the table lacks them.
type table struct {
	m *model.Mapping
	c *model.Caps
}

// What a probe finds out beside the shared features; statements that need one of
// them are absent with its reason.
const (
	hasKey      model.Feature = "key"            // the key is unique and indexed
	hasRowID    model.Feature = "rowid"          // rows have numbers
	hasSequence model.Feature = "sequence"       // the engine keeps the highest number that a row ever got
	canMake     model.Feature = model.CanEnqueue // a new row gets its key by itself
)

// needs refuses an operation that the table cannot have.
func (t table) needs(op store.Op) error {
	spec := store.SpecOf(op)
	if spec.Keyed {
		if err := t.lacks(hasKey); err != nil {
			return err
		}
	}
	switch op {
	case store.OpPulse, store.OpWorking, store.OpReady, store.OpFailed, store.OpClaim, store.OpRecover, store.OpPromote,
		store.OpRepeaters, store.OpWorkers, store.OpFindWorker, store.OpFindOperation:
		if err := errors.Join(t.lacks(model.CanCount), t.live()); err != nil {
			return err
		}
		if err := t.recordsFor(op); err != nil {
			return err
		}
	case store.OpPurgeDone, store.OpPurgeFailed, store.OpPurgeHistory, store.OpPurgeKeys:
		return t.purges(op)
	case store.OpBrakeState, store.OpBrake, store.OpReleaseBrake:
		return t.brakes()
	case store.OpDirty:
		return errors.New("the embedded engine has no row locks, so that none hides a row from a reader")
	case store.OpLocked, store.OpHolders:
		return errors.New("the embedded engine has no row locks: whoever writes has the whole file for a moment")
	case store.OpHealth:
		if err := errors.Join(t.lacks(model.CanCount), t.live()); err != nil {
			return err
		}
	case store.OpHealthScan:
		return t.live()
	case store.OpHistory, store.OpAudit, store.OpEvents, store.OpWorkerEvents, store.OpLatency, store.OpHistoryHealth:
		if t.m.History.IsZero() {
			return errors.New("not recorded: the table has no history table")
		}
	case store.OpEnqueue:
		if err := t.lacks(canMake); err != nil {
			return err
		}
	default:
	}
	if op == store.OpPromote && !t.schedules() {
		return errors.New("the table has no scheduled state: its jobs return to ready at once")
	}
	if op == store.OpComplete && !t.has(model.Done) {
		return errors.New("the mapping names no value for the done state")
	}
	return t.guards(op)
}

// recordsFor refuses what needs a column that the table does not have.
func (t table) recordsFor(op store.Op) error {
	role := map[store.Op]model.Role{
		store.OpWorkers: model.RoleWorker, store.OpFindWorker: model.RoleWorker, store.OpFindOperation: model.RoleOperation,
	}[op]
	if role != "" && !t.m.Has(role) {
		return fmt.Errorf("not recorded: the table has no %s column", role)
	}
	return nil
}

// lacks is the reason of a feature that the probe denied. What was not probed is
// not denied.
func (t table) lacks(f model.Feature) error {
	v, probed := t.c.Can[f]
	if !probed || v.OK {
		return nil
	}
	if v.Fix == "" {
		return errors.New(v.Why)
	}
	return fmt.Errorf("%s: %s", v.Why, v.Fix)
}

// live refuses a mapping that does not tell what is ready from what is in work.
func (t table) live() error {
	if t.has(model.Ready) && t.has(model.Working) {
		return nil
	}
	return errors.New("the mapping names no values for the ready and working states")
}

// schedules reports whether a job can wait for its time.
func (t table) schedules() bool {
	return t.has(model.Scheduled) && t.m.Has(model.RoleAvailable)
}

// has reports whether the mapping names a value for the state.
func (t table) has(s model.State) bool { return !t.m.States[s].IsNull() }

// params declares what a statement is given, as the columns are declared.
func (t table) params(spec store.Spec) []store.Param {
	var out []store.Param
	if spec.Keyed {
		for i, name := range store.KeyNames(len(t.m.Keys)) {
			out = append(out, store.Param{Name: name, Declared: t.declaredKey(t.m.Keys[i])})
		}
	}
	for _, name := range spec.Params {
		out = append(out, store.Param{Name: name, Declared: declaredParam(name)})
	}
	if spec.Kind == store.Control && spec.Keyed && t.m.Has(model.RoleToken) && t.m.Column(model.RoleToken).Type != model.GUID {
		out = append(out, store.Param{Name: "fence", Declared: "TEXT"})
	}
	return out
}

// declaredKey is how a key column's value is bound: a time that is text stays it.
func (t table) declaredKey(c model.Column) string {
	if c.Type == model.Int || c.Type == model.Time && t.whole(c) {
		return "INTEGER"
	}
	return "TEXT"
}

func declaredParam(name string) string {
	switch name {
	case "token", "new_token", "action", "actor", "reason", "worker", "error", "jobs", "state", "operation", "session":
		return "TEXT"
	}
	return "INTEGER"
}

// ident quotes a name.
func ident(parts ...string) sqltext.Part { return sqltext.Quoter(quote).Ident(parts...) }

// name is the table.
func (t table) name() sqltext.Part { return ident(t.m.Table.Schema, t.m.Table.Name) }

// historyName is the history table, absent where there is none.
func (t table) historyName() sqltext.Part {
	if t.m.History.IsZero() {
		return sqltext.Part{}
	}
	return ident(t.m.History.Schema, t.m.History.Name)
}

// col is the column of a role, absent where none plays it.
func (t table) col(r model.Role) sqltext.Part {
	if c := t.m.Column(r); !c.IsZero() {
		return ident(c.Name)
	}
	return sqltext.Part{}
}

// state is a state's value as a literal, so that an index with a literal
// predicate serves. It is absent where the mapping names none.
func (t table) state(s model.State) sqltext.Part {
	if v := t.m.States[s]; !v.IsNull() {
		return sqltext.Code(v.Text)
	}
	return sqltext.Part{}
}

// in is the condition that a row is in a state.
func (t table) in(s model.State) sqltext.Part {
	return sqltext.Fill("{column} = {value}", sqltext.Holes{"column": t.col(model.RoleState), "value": t.state(s)})
}

// keys are the key columns, for a select list, an order or a row value.
func (t table) keys() sqltext.Part {
	parts := make([]sqltext.Part, len(t.m.Keys))
	for i, c := range t.m.Keys {
		parts[i] = ident(c.Name)
	}
	return sqltext.List(", ", parts...)
}

// key is the key for comparing: a row value where it has several columns.
func (t table) key() sqltext.Part {
	if len(t.m.Keys) == 1 {
		return t.keys()
	}
	return sqltext.Fill("({keys})", sqltext.Holes{"keys": t.keys()})
}

// keysAs are the key columns under the names that the contract gives them.
func (t table) keysAs() sqltext.Part {
	parts := make([]sqltext.Part, len(t.m.Keys))
	for i := range t.m.Keys {
		parts[i] = alias(t.keyOut(i), i)
	}
	return sqltext.List(comma, parts...)
}

// keyOut is a key column as it travels: bytes as hexadecimal text.
func (t table) keyOut(i int) sqltext.Part {
	col := ident(t.m.Keys[i].Name)
	if t.m.Keys[i].Type == model.Binary {
		return sqltext.Fill("'0x' || hex({column})", sqltext.Holes{"column": col})
	}
	return col
}

// thisKey is the condition that a row is the one named by the parameters.
func (t table) thisKey() sqltext.Part {
	parts := make([]sqltext.Part, len(t.m.Keys))
	for i, name := range store.KeyNames(len(t.m.Keys)) {
		value := sqltext.Arg(name)
		if t.m.Keys[i].Type == model.Binary {
			value = sqltext.Fill("unhex(substr({value}, 3))", sqltext.Holes{"value": value})
		}
		parts[i] = sqltext.Fill("{column} = {value}", sqltext.Holes{"column": ident(t.m.Keys[i].Name), "value": value})
	}
	return sqltext.List(and, parts...)
}

// tokenIs is the condition that a row carries the token. Tables of others may
// hold a GUID in lower case.
func (t table) tokenIs(arg string) sqltext.Part {
	cond := sqltext.Fill("{column} = {value}", sqltext.Holes{"column": t.col(model.RoleToken), "value": t.tokenIn(sqltext.Arg(arg))})
	if t.c.Ours || t.m.Column(model.RoleToken).Type != model.GUID {
		return cond
	}
	return sqltext.Fill("{cond} COLLATE NOCASE", sqltext.Holes{"cond": cond})
}

// noToken is the condition that a row carries no token.
func (t table) noToken() sqltext.Part {
	return sqltext.Fill("{column} IS NULL", sqltext.Holes{"column": t.col(model.RoleToken)})
}

// Separators of lists, broken as a reader would break them.
const (
	comma = ",\n         "
	and   = "\n    AND "
)

// alias gives a key column the name that the contract has for it.
func alias(p sqltext.Part, i int) sqltext.Part {
	return as(p, store.KeyNames(i + 1)[i])
}

// as gives a column of a result its name in the contract.
func as(p sqltext.Part, name string) sqltext.Part {
	bare := sqltext.Quoter(func(s string) string { return s })
	return sqltext.Fill("{value} AS {name}", sqltext.Holes{"value": p, "name": bare.Ident(name)})
}

// null is what stands in a result for a column that the table lacks.
func null() sqltext.Part { return sqltext.Raw("NULL") }
