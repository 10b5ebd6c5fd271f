package model

// Lane is what a destructive queue has beside its columns: the order in which it
// is emptied, how its times are meant, how its rows are taken, and where dead
// letters go. A row of it has no key: it is its values, so Mapping.Keys are all
// the table's columns.
type Lane struct {
	Order Order
	Clock Clock // of the column that plays RoleEnqueued
	Mode  Mode
	Dead  Table // the dead letters: the same columns, and when, why, who; zero: none
}

// Order is the order in which rows are dequeued. Rows with equal times have none.
type Order uint8

// The orders.
const (
	OrderNone Order = iota // whichever row is nearest
	FIFO                   // the oldest first
	LIFO                   // the newest first: the oldest may wait for ever
)

var orderNames = [...]string{"none", "fifo", "lifo"}

// String is the order's word in the configuration, on screens and in JSON.
func (o Order) String() string { return name(orderNames[:], o) }

// Orders lists every order.
func Orders() []Order { return []Order{FIFO, LIFO, OrderNone} }

// Clock is what the times of a table are written by. Nothing in the table tells, so
// the mapping must.
type Clock uint8

// The clocks.
const (
	ClockUnknown Clock = iota
	ClockUTC           // as by SYSUTCDATETIME
	ClockLocal         // the server's local time, as by GETDATE
	ClockOffset        // the column carries its offset
	ClockFixed         // a constant time ahead of UTC, which the mapping says
)

var clockNames = [...]string{"unknown", "utc", "local", "offset", "fixed"}

// String is the clock's word in the configuration and on screens.
func (c Clock) String() string { return name(clockNames[:], c) }

// Clocks lists the clocks that the mapping of a destructive queue can name.
func Clocks() []Clock { return []Clock{ClockUTC, ClockLocal, ClockOffset} }

// Mode is how rows are taken. It cannot be seen from the table.
type Mode uint8

// The modes.
const (
	ModeUnknown Mode = iota
	Autocommit       // gone before the work begins: at most once, a crash loses them
	Transaction      // locked until the work ends: a crash brings them back
)

var modeNames = [...]string{"unknown", "autocommit", "transaction"}

// String is the mode's word in the configuration, in flags and on screens.
func (m Mode) String() string { return name(modeNames[:], m) }

// Modes lists the modes that can be chosen.
func Modes() []Mode { return []Mode{Autocommit, Transaction} }

// Promise says in a sentence what a crash does to the rows that were taken.
func (m Mode) Promise() string {
	switch m {
	case Autocommit:
		return "at most once: rows are gone before the work begins, and a crash loses them"
	case Transaction:
		return "rows stay locked until the work ends, and a crash brings them back"
	case ModeUnknown:
	}
	return "the mapping does not say whether a crash loses the rows in work or brings them back"
}

// IsDestructive reports whether a dequeue is a DELETE, so that a row has no key,
// no lease and no state of its own.
func (m *Mapping) IsDestructive() bool { return m != nil && m.Family == Destructive }

// Comparable reports whether a row can be told by its values. Otherwise only the
// oldest rows can be acted on. The reason names the columns.
func (m *Mapping) Comparable() Verdict {
	for _, c := range m.Keys {
		if c.Type == Opaque {
			return No("rows cannot be told apart: "+c.Name+" is "+c.Declared+", which cannot be compared", "act on the oldest rows instead")
		}
	}
	return Yes()
}

// RowKeyOf identifies a row of a destructive queue by all its values. A dead
// letter has one more: the id of the act that made it.
func RowKeyOf(values []Value, action Value) Key {
	if !action.IsNull() {
		values = append(values[:len(values):len(values)], action)
	}
	return KeyOf(values...)
}

// CutRow takes a row's identity apart again: the values of its columns and, for a
// dead letter, the act that made it, else NULL.
func (m *Mapping) CutRow(k Key) (values []Value, action Value) {
	values = k.Values()
	if n := len(m.Keys); len(values) > n {
		return values[:n], values[n]
	}
	return values, Value{}
}
