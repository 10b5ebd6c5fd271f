package sqlite

import (
	"errors"
	"fmt"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqltext"
	"github.com/leasetop/leasetop/model"
)

// rowset is the table of a destructive queue while its statements are rendered. A
// row is found by its values and, within one statement, by its row number.
//
// The engine has no row locks. A lock table stands in for them: a row that a
// session has dequeued and not ended yet is in it, with the time at which the
// session last said that it lives. Every statement that takes rows skips those.
type rowset struct{ table }

// hasLocks is the feature of a lock table beside the queue's own.
const hasLocks model.Feature = "locks"

// rowRenderers gives each operation of a destructive queue its place.
func rowRenderers() map[store.Op]func(rowset) (store.Stmt, error) {
	return map[store.Op]func(rowset) (store.Stmt, error){
		store.OpDepth: depth, store.OpHead: head, store.OpTail: tail, store.OpDead: dead,
		store.OpRow: row, store.OpDeadRow: deadRow, store.OpRowsOf: rowsOf,
		store.OpPut: put, store.OpDequeue: dequeue, store.OpBuryMine: buryTaken,
		store.OpHold: hold, store.OpBuryHeld: buryHeld, store.OpHoldBeat: holdBeat,
		store.OpHoldCommit: holdCommit, store.OpHoldUndo: holdUndo,
		store.OpBury: bury, store.OpBuryOldest: buryOldest,
		store.OpRequeueRow: requeueRow, store.OpRequeueKept: requeueKept,
	}
}

func rowStatement(op store.Op, t rowset) (store.Stmt, error) {
	render, ok := rowRenderers()[op]
	if !ok {
		return store.Stmt{}, fmt.Errorf("a destructive queue has no %s", op)
	}
	if err := t.rowNeeds(op); err != nil {
		return store.Stmt{}, err
	}
	s, err := render(t)
	if err != nil {
		return store.Stmt{}, err
	}
	return t.finished(s, op), nil
}

// rowNeeds refuses an operation that the table cannot have.
func (t rowset) rowNeeds(op store.Op) error {
	switch op {
	case store.OpDead, store.OpDeadRow, store.OpRowsOf, store.OpBuryMine, store.OpBury, store.OpBuryOldest,
		store.OpRequeueRow, store.OpRequeueKept, store.OpBuryHeld:
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
	case store.OpHold, store.OpBuryHeld, store.OpHoldBeat, store.OpHoldCommit, store.OpHoldUndo:
		if err := t.lacks(hasLocks); err != nil {
			return err
		}
	default:
	}
	return t.lacks(hasRowID)
}

// locks is the lock table, absent where there is none.
func (t rowset) locks() sqltext.Part {
	if t.lacks(hasLocks) != nil {
		return sqltext.Part{}
	}
	return ident(t.m.Table.Schema, locksOf(t.m.Table).Name)
}

// locksOf names the lock table of a queue.
func locksOf(q model.Table) model.Table {
	return model.Table{Schema: q.Schema, Name: q.Name + "_Locks"}
}

func (t rowset) deadName() sqltext.Part { return ident(t.m.Lane.Dead.Schema, t.m.Lane.Dead.Name) }

// columns are the row's own columns, for a list of names.
func (t rowset) columns() sqltext.Part { return t.keys() }

// out is a column as it travels, within a row source.
func (t rowset) out(alias string, c model.Column) sqltext.Part {
	h := sqltext.Holes{"column": ident(alias, c.Name)}
	switch {
	case c.Type == model.Binary:
		return sqltext.Fill("CASE WHEN {column} IS NOT NULL THEN '0x' || hex({column}) END", h)
	case c.Type == model.Int, c.Type == model.Text, c.Type == model.Time && t.whole(c):
		return h["column"]
	}
	return sqltext.Fill("CAST({column} AS TEXT)", h)
}

// outAs are all columns as they travel, under the contract's names.
func (t rowset) outAs(alias string) sqltext.Part {
	parts := make([]sqltext.Part, len(t.m.Keys))
	for i, c := range t.m.Keys {
		parts[i] = named(t.out(alias, c), i)
	}
	return sqltext.List(comma, parts...)
}

// named gives a column the contract's name of a key.
func named(p sqltext.Part, i int) sqltext.Part { return alias(p, i) }

// same is the condition that a row has the values of the parameters. IS is the
// engine's comparison that takes NULL for equal to NULL.
func (t rowset) same() sqltext.Part {
	by := t.m.Column(model.RoleEnqueued)
	var parts []sqltext.Part
	for i, c := range t.m.Keys {
		value := sqltext.Arg(store.KeyNames(i + 1)[i])
		if c.Name == by.Name { // finds the row by the index, whatever the cast below does
			parts = append(parts, sqltext.Fill("{column} IS {value}", sqltext.Holes{"column": ident("q", c.Name), "value": value}))
			continue
		}
		if c.Type == model.Text { // whatever collation the column is declared with
			value = sqltext.Fill("{value} COLLATE BINARY", sqltext.Holes{"value": value})
		}
		parts = append(parts, sqltext.Fill("{column} IS {value}", sqltext.Holes{"column": t.out("q", c), "value": value}))
	}
	return sqltext.List(and, parts...)
}

// order is the order of dequeue, or the opposite one. Rows of one time have none
// by the contract; here they keep the order in which they were put. Without an order
// they do too: what captures rows and what deletes or locks them are texts of their
// own, which the engine may read by different indexes, and both must take the same.
func (t rowset) order(opposite bool) sqltext.Part {
	if t.m.Lane.Order == model.OrderNone {
		return sqltext.Fill("\n  ORDER BY {row}", sqltext.Holes{"row": ident("q", "rowid")})
	}
	down := (t.m.Lane.Order == model.LIFO) != opposite
	h := sqltext.Holes{"by": ident("q", t.m.Column(model.RoleEnqueued).Name), "row": ident("q", "rowid")}
	if down {
		return sqltext.Fill("\n  ORDER BY {by} DESC, {row} DESC", h)
	}
	return sqltext.Fill("\n  ORDER BY {by}, {row}", h)
}

// oldestFirst is the order of age, whatever the order of dequeue is.
func (t rowset) oldestFirst(alias string) sqltext.Part {
	by := t.m.Column(model.RoleEnqueued)
	if by.IsZero() {
		return sqltext.Fill("\n  ORDER BY {row}", sqltext.Holes{"row": ident(alias, "rowid")})
	}
	return sqltext.Fill("\n  ORDER BY {by}, {row}", sqltext.Holes{"by": ident(alias, by.Name), "row": ident(alias, "rowid")})
}

// limited bounds a list.
func limited(arg string) sqltext.Part {
	return sqltext.Fill("\n  LIMIT {limit}", sqltext.Holes{"limit": sqltext.Arg(arg)})
}

// free is the condition that no living session holds the row, absent without a
// lock table. Statements that change rows let the dead go first.
func (t rowset) free(alias string) sqltext.Part {
	if t.locks().IsZero() {
		return sqltext.Part{}
	}
	return sqltext.Fill("{row} NOT IN (SELECT Row FROM {locks})", sqltext.Holes{"row": ident(alias, "rowid"), "locks": t.locks()})
}

// isLocked is 1 for a row that a living session holds, unknown without a lock table.
func (t rowset) isLocked(alias string) sqltext.Part {
	if t.locks().IsZero() {
		return null()
	}
	return sqltext.Fill("({row} IN (SELECT Row FROM {locks} WHERE {alive}))", sqltext.Holes{
		"row": ident(alias, "rowid"), "locks": t.locks(), "alive": alive(),
	})
}

// expires is how long a silent session keeps its rows, in milliseconds.
func expires() sqltext.Part {
	return sqltext.Number(store.HoldExpires.Milliseconds())
}

func alive() sqltext.Part {
	return sqltext.Fill("Beat > @now - {expires}", sqltext.Holes{"expires": expires()})
}

// freeDead frees the rows of sessions that have said nothing for too long, absent
// without a lock table. It comes before whatever takes rows: a row number may be
// given again.
func (t rowset) freeDead() sqltext.Part {
	if t.locks().IsZero() {
		return sqltext.Part{}
	}
	return sqltext.Fill("DELETE FROM {locks}\nWHERE Beat <= @now - {expires}", sqltext.Holes{"locks": t.locks(), "expires": expires()})
}

// clock is the server's time in the clock of the time column, NULL where that is
// UTC.
func (t rowset) clock() sqltext.Part {
	by := t.m.Column(model.RoleEnqueued)
	if t.m.Lane.Clock != model.ClockLocal || by.IsZero() || t.whole(by) {
		return null()
	}
	return sqltext.Raw("strftime('%Y-%m-%dT%H:%M:%f', @now / 1000.0, 'unixepoch', 'localtime')")
}

// written is a time in milliseconds as the time column holds it.
func (t rowset) written(ms sqltext.Part) sqltext.Part {
	if t.m.Lane.Clock == model.ClockLocal && !t.whole(t.m.Column(model.RoleEnqueued)) {
		return sqltext.Fill("strftime('%Y-%m-%d %H:%M:%f', ({ms}) / 1000.0, 'unixepoch', 'localtime')", sqltext.Holes{"ms": ms})
	}
	return t.write(model.RoleEnqueued, ms)
}

// taking finishes the texts of a statement that takes rows: the dead sessions go
// first, and the second text is the answer.
func (t rowset) taking(parts ...sqltext.Part) (store.Stmt, error) {
	first := t.freeDead()
	s, err := stmt(append([]sqltext.Part{first}, parts...)...)
	if !first.IsZero() {
		s.Answer = 1
	}
	return s, err
}
