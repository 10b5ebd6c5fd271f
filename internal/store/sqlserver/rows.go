package sqlserver

import (
	"errors"
	"fmt"
	"strings"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqltext"
	"github.com/leasetop/leasetop/model"
)

// rowset is the table of a destructive queue while its statements are rendered. A
// row has no key: it is found by all its values, each compared so that NULL is
// equal to NULL and nothing else is equal that differs.
type rowset struct{ table }

// rowRenderers gives each operation of a destructive queue its place.
func rowRenderers() map[store.Op]func(rowset) sqltext.Part {
	return map[store.Op]func(rowset) sqltext.Part{
		store.OpDepth: depth, store.OpHead: head, store.OpTail: tail, store.OpDead: dead,
		store.OpRow: oneRow, store.OpDeadRow: deadRow, store.OpRowsOf: rowsOf,
		store.OpPut: put, store.OpDequeue: dequeue, store.OpHold: hold,
		store.OpBuryMine: buryTaken, store.OpBuryHeld: buryHeld,
		store.OpBury: bury, store.OpBuryOldest: buryOldest,
		store.OpRequeueRow: requeueRow, store.OpRequeueKept: requeueKept,
	}
}

func rowStatement(op store.Op, m *model.Mapping, c *model.Caps) (store.Stmt, error) {
	t := rowset{table{m: m, c: c, f: formOf(c.Form[string(op)])}}
	render, ok := rowRenderers()[op]
	if !ok {
		switch op {
		case store.OpHoldBeat, store.OpHoldCommit, store.OpHoldUndo:
			return store.Stmt{}, errors.New("the server's own transaction holds the rows: its COMMIT or ROLLBACK, or the end of its connection, ends it")
		default:
			return store.Stmt{}, fmt.Errorf("a destructive queue has no %s", op)
		}
	}
	if err := t.rowNeeds(op); err != nil {
		return store.Stmt{}, err
	}
	text, err := render(t).Text()
	if err != nil {
		return store.Stmt{}, err
	}
	spec, form := store.SpecOf(op), c.Form[string(op)]
	return store.Stmt{
		Op: op, Form: form, Texts: []string{text}, Kind: spec.Kind, Params: t.rowParams(spec, text),
		Right: t.rowRight(op), Locks: rowLocks(op, form), Proved: rowProved(op, form),
	}, nil
}

// rowLocks is how an operation is isolated and which locks it takes.
func rowLocks(op store.Op, form string) string {
	switch {
	case op == store.OpDepth && formOf(form).reader == readerRCSI:
		return "READ COMMITTED with row versions; S on up to 1,000 rows near the head, one after another, rows that others hold are passed over (READPAST)"
	case op == store.OpRow || op == store.OpDeadRow:
		return "READ COMMITTED; S on the rows of one time, none where the database keeps row versions; waits 100 ms at most"
	case store.SpecOf(op).Kind == store.Watch:
		return readerLocks(formOf(form).reader)
	case op == store.OpPut, op == store.OpBuryMine:
		return "READ COMMITTED, autocommit; X on the new rows until the statement ends"
	case op == store.OpHold, op == store.OpBuryHeld:
		return "READ COMMITTED, in a transaction that lasts as long as the work; X on the rows that it takes until it ends; rows that others hold are passed over (READPAST)"
	}
	return "READ COMMITTED, autocommit; U in the order of the index, X on the rows that it takes (ROWLOCK, at most what TOP says); rows that others hold are passed over (READPAST)"
}

// rowNeeds refuses an operation that the table or the server cannot have.
func (t rowset) rowNeeds(op store.Op) error {
	switch op {
	case store.OpDead, store.OpDeadRow, store.OpRowsOf, store.OpBuryMine, store.OpBuryHeld, store.OpBury, store.OpBuryOldest,
		store.OpRequeueRow, store.OpRequeueKept:
		if t.m.Lane.Dead.IsZero() {
			return errors.New("the mapping names no table of dead letters: write dead_letters")
		}
		if err := t.lacks(model.CanBury); err != nil {
			return err
		}
	case store.OpTail:
		if t.m.Lane.Order == model.OrderNone {
			return errors.New("the queue has no order, so neither end of it is the tail")
		}
	default:
	}
	switch op {
	case store.OpRow, store.OpDeadRow, store.OpBury, store.OpRequeueRow, store.OpRequeueKept:
		if v := t.m.Comparable(); !v.OK {
			return errors.New(v.Why + ": " + v.Fix)
		}
	case store.OpDequeue, store.OpHold:
		if t.m.Lane.Order != model.OrderNone && t.c.Engine == Babelfish {
			return errNoOrderedDelete
		}
	case store.OpBuryOldest:
		if t.c.Engine == Babelfish {
			return errNoOrderedDelete
		}
	case store.OpPut:
		if err := t.lacks(canMake); err != nil {
			return err
		}
	default:
	}
	switch op {
	case store.OpRequeueRow, store.OpRequeueKept:
		return t.lacks(canReturn)
	}
	return nil
}

// canReturn is whether rows may be put back by OUTPUT INTO.
const canReturn model.Feature = "requeue"

// errNoOrderedDelete is why Babelfish takes no rows in an order.
var errNoOrderedDelete = errors.New("Babelfish refuses DELETE through an ordered CTE, and TOP in a DELETE has no order of its own")

// by is the column of the order, zero where there is none.
func (t rowset) by() model.Column { return t.m.Column(model.RoleEnqueued) }

func (t rowset) deadName() sqltext.Part { return tableName(t.m.Lane.Dead) }

// orderBy is the order of dequeue or the opposite one, absent where there is none.
func (t rowset) orderBy(alias string, opposite bool) sqltext.Part {
	if t.m.Lane.Order == model.OrderNone {
		return sqltext.Part{}
	}
	h := sqltext.Holes{"by": within(alias, t.by())}
	if (t.m.Lane.Order == model.LIFO) != opposite {
		return sqltext.Fill("{by} DESC", h)
	}
	return h["by"]
}

// clock is the server's time in the clock of the time column, NULL where that is
// UTC or carries its offset.
func (t rowset) clock() sqltext.Part {
	if t.m.Lane.Clock == model.ClockLocal {
		return sqltext.Raw("CONVERT(varchar(33), SYSDATETIME(), 126)")
	}
	return null()
}

// present is the time of a statement in the clock of the time column. For a
// datetime it goes by way of its text, so that the column holds what is printed of
// it: Babelfish keeps what lies below that.
func (t rowset) present() sqltext.Part {
	p := sqltext.Raw("SYSUTCDATETIME()")
	switch t.m.Lane.Clock {
	case model.ClockLocal:
		p = sqltext.Raw("SYSDATETIME()")
	case model.ClockOffset:
		return sqltext.Raw("SYSDATETIMEOFFSET()")
	case model.ClockUTC, model.ClockUnknown, model.ClockFixed:
	}
	if baseOf(t.by().Declared) == "datetime" {
		return sqltext.Fill("CAST(CONVERT(varchar(23), {now}, 126) AS datetime)", sqltext.Holes{"now": p})
	}
	return p
}

// rowParams declares what a statement is given.
func (t rowset) rowParams(spec store.Spec, text string) []store.Param {
	var out []store.Param
	if spec.Keyed {
		for i, name := range store.KeyNames(len(t.m.Keys)) {
			out = append(out, store.Param{Name: name, Declared: declared(t.m.Keys[i])})
		}
	}
	for _, name := range spec.Params {
		kind := t.paramType(name)
		switch name {
		case "token":
			kind = asGUID
		case "session":
			kind = asText
		}
		out = append(out, store.Param{Name: name, Declared: kind})
	}
	if uses(text, "table") {
		out = append(out, nameParam("table", t.m.Table))
	}
	return out
}

// rowRight is what the login needs for an operation, in the server's words.
func (t rowset) rowRight(op store.Op) string {
	table, deads := displayName(t.m.Table), ""
	if !t.m.Lane.Dead.IsZero() {
		deads = displayName(t.m.Lane.Dead)
	}
	switch op {
	case store.OpDepth:
		extra := ""
		if t.f.stats {
			extra = "VIEW DATABASE STATE"
		}
		return rights("SELECT on "+table, when(deads, "SELECT on "), extra)
	case store.OpDead, store.OpDeadRow, store.OpRowsOf:
		return "SELECT on " + deads
	case store.OpPut:
		return "SELECT and INSERT on " + table
	case store.OpDequeue, store.OpHold:
		return "SELECT and DELETE on " + table
	case store.OpBuryMine, store.OpBuryHeld:
		return "SELECT and INSERT on " + deads
	case store.OpBury, store.OpBuryOldest:
		return rights("SELECT and DELETE on "+table, "SELECT and INSERT on "+deads)
	case store.OpRequeueRow, store.OpRequeueKept:
		return rights("SELECT and DELETE on "+deads, "SELECT and INSERT on "+table)
	}
	return "SELECT on " + table
}

// rowProved says where a statement's text was run.
func rowProved(op store.Op, form string) string {
	switch op {
	case store.OpDequeue, store.OpHold, store.OpBuryOldest:
		return parsedOnBabelfish
	case store.OpDepth, store.OpHead, store.OpTail, store.OpDead, store.OpRowsOf:
		if !strings.HasPrefix(form, readerBabelfish) {
			return parsedOnBabelfish
		}
	case store.OpRow, store.OpDeadRow:
		if form != readerCommitted {
			return parsedOnBabelfish
		}
	default:
	}
	return onBabelfish
}
