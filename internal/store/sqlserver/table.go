package sqlserver

import (
	"errors"
	"fmt"
	"slices"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqltext"
	"github.com/leasetop/leasetop/model"
)

// table is a bound table while a statement is rendered: it gives columns,
// conditions and values as pieces of SQL, absent where the table lacks them.
type table struct {
	m   *model.Mapping
	c   *model.Caps
	f   form
	row string // how the row being changed is called; empty: by its columns alone
}

// canMake is what a probe finds out beside the shared features: a new row gets
// its key by itself, in the order of insertion.
const canMake model.Feature = model.CanEnqueue

// needs refuses an operation that the table or the server cannot have.
func (t table) needs(op store.Op) error {
	if len(t.m.Keys) == 0 {
		return errors.New("the mapping names no key column")
	}
	switch op {
	case store.OpWorking, store.OpReady, store.OpFailed:
		if t.f.unindexed {
			return t.lacks(model.CanCount)
		}
	case store.OpHistory, store.OpAudit, store.OpEvents, store.OpWorkerEvents, store.OpLatency, store.OpHistoryHealth:
		if !t.recorded() {
			return errors.New("not recorded: the table has no history table")
		}
	case store.OpLocked, store.OpHolders:
		if t.c.Engine == Babelfish {
			return errors.New("Babelfish ignores lock hints and has no view of locks")
		}
	case store.OpDirty:
		return t.mayDirty()
	case store.OpPurgeDone, store.OpPurgeFailed, store.OpPurgeHistory, store.OpPurgeKeys:
		return t.mayPurge(op)
	case store.OpBrakeState, store.OpBrake, store.OpReleaseBrake:
		if err := t.brakes(op); err != nil {
			return err
		}
	case store.OpRepeaters, store.OpWorkers, store.OpFindWorker, store.OpFindOperation:
		if err := t.looks(op); err != nil {
			return err
		}
	case store.OpEnqueue:
		if err := t.lacks(canMake); err != nil {
			return err
		}
	case store.OpClaim, store.OpRecover:
		if t.c.Engine == Babelfish {
			return errNoLockedCTE
		}
	case store.OpPromote:
		if !t.schedules() {
			return errors.New("the table has no scheduled state: its jobs return to ready at once")
		}
		if t.c.Engine == Babelfish {
			return errNoLockedCTE
		}
	}
	return t.guards(op)
}

// looks refuses a list or a look-up that the table has no column or no index for.
func (t table) looks(op store.Op) error {
	for role, ops := range map[model.Role][]store.Op{
		model.RoleWorker: {store.OpWorkers, store.OpFindWorker}, model.RoleOperation: {store.OpFindOperation},
	} {
		if slices.Contains(ops, op) && !t.m.Has(role) {
			return fmt.Errorf("not recorded: the table has no %s column", role)
		}
	}
	if t.f.unindexed {
		return t.lacks(model.CanCount)
	}
	return nil
}

// errNoLockedCTE is why Babelfish has no batch that takes several rows.
var errNoLockedCTE = errors.New("Babelfish refuses UPDATE through an ordered CTE and ignores lock hints, so two workers could take the same job")

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

// schedules reports whether a job can wait for its time.
func (t table) schedules() bool {
	return t.has(model.Scheduled) && t.m.Has(model.RoleAvailable)
}

// recorded reports whether steps go into a history table, which knows a job by one
// column.
func (t table) recorded() bool { return !t.m.History.IsZero() && len(t.m.Keys) == 1 }

// has reports whether the mapping names a value for the state.
func (t table) has(s model.State) bool { return !t.m.States[s].IsNull() }

// name is the table in two parts.
func (t table) name() sqltext.Part { return tableName(t.m.Table) }

// historyName is the history table in two parts.
func (t table) historyName() sqltext.Part { return tableName(t.m.History) }

func tableName(n model.Table) sqltext.Part {
	if n.Schema == "" {
		n.Schema = defaultSchema
	}
	return ident(n.Schema, n.Name)
}

// defaultSchema is where a table lies whose schema nobody named.
const defaultSchema = "dbo"

// col is the column of a role in the row being changed, absent where none plays
// it.
func (t table) col(r model.Role) sqltext.Part { return t.of(t.row, r) }

// of is the column of a role in the row source that alias names.
func (t table) of(alias string, r model.Role) sqltext.Part {
	c := t.m.Column(r)
	if c.IsZero() {
		return sqltext.Part{}
	}
	return t.within(alias, c)
}

// theRow names the row being changed where it is told by its key: by the table's
// own name. Beside OUTPUT, Babelfish reads a bare name as ambiguous, and with an
// alias it captures what another row was.
const theRow = "the row"

func (t table) within(alias string, c model.Column) sqltext.Part {
	if alias == theRow {
		return ident(t.m.Table.Name, c.Name)
	}
	return within(alias, c)
}

// within is a column of the row source that alias names.
func within(alias string, c model.Column) sqltext.Part {
	if alias == "" {
		return ident(c.Name)
	}
	return sqltext.Fill("{alias}.{column}", sqltext.Holes{"alias": bare(alias), "column": ident(c.Name)})
}

// bare is one of our own aliases, which need no brackets.
func bare(alias string) sqltext.Part {
	return sqltext.Quoter(func(s string) string { return s }).Ident(alias)
}

// keys are the key columns of a row source, for an order.
func (t table) keys(alias string) []sqltext.Part {
	parts := make([]sqltext.Part, len(t.m.Keys))
	for i, c := range t.m.Keys {
		parts[i] = within(alias, c)
	}
	return parts
}

// is is the condition that a row is in a state.
func (t table) is(alias string, s model.State) sqltext.Part {
	return sqltext.Fill("{column} = {value}", sqltext.Holes{"column": t.of(alias, model.RoleState), "value": t.state(s)})
}

// thisKey is the condition that a row is the one that the parameters name.
func (t table) thisKey(alias string) []sqltext.Part {
	parts := make([]sqltext.Part, len(t.m.Keys))
	for i, name := range store.KeyNames(len(t.m.Keys)) {
		parts[i] = sqltext.Fill("{column} = {value}", sqltext.Holes{
			"column": t.within(alias, t.m.Keys[i]), "value": given(t.m.Keys[i], name),
		})
	}
	return parts
}

// held is the condition of every step that a token guards: this key, in work,
// this token.
func (t table) held(more ...sqltext.Part) sqltext.Part {
	parts := append(t.thisKey(t.row), t.is(t.row, model.Working), t.carries())
	return sqltext.List(and, append(parts, more...)...)
}

// order is the order in which ready jobs are claimed: by priority, then by the
// time from which a job is claimable, then by key.
func (t table) order(alias string) sqltext.Part {
	parts := append([]sqltext.Part{t.of(alias, model.RolePriority), t.of(alias, model.RoleAvailable)}, t.keys(alias)...)
	return sqltext.List(", ", parts...)
}

// Separators of lists, broken as a DBA would break them.
const (
	comma = ",\n       "
	inner = ",\n               "
	and   = "\n   AND "
)

// keyAlias is the contract's name of the i-th key column.
func keyAlias(i int) sqltext.Part { return ident(store.KeyNames(i + 1)[i]) }

// as gives a column of a result its name in the contract.
func as(p sqltext.Part, name sqltext.Part) sqltext.Part {
	return sqltext.Fill("{value} AS {name}", sqltext.Holes{"value": p, "name": name})
}

// null is what stands in a result for a column that the table lacks.
func null() sqltext.Part { return sqltext.Raw("NULL") }
