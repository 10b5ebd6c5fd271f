package model

import (
	"strings"
	"time"
)

// Role is what a column means to the queue. Its text is the key in a profile,
// the alias in every statement's result and the word in docs.
type Role string

// The roles that a column can play. Only key and state must be mapped.
const (
	RoleKey         Role = "key"
	RoleState       Role = "state"
	RoleToken       Role = "token"
	RoleLease       Role = "lease"
	RolePayload     Role = "payload"
	RolePriority    Role = "priority" // the smaller number is claimed first
	RoleEnqueued    Role = "enqueued"
	RoleAvailable   Role = "available" // claimable from then on
	RoleClaimed     Role = "claimed"
	RoleHeartbeat   Role = "heartbeat"
	RoleEnded       Role = "ended" // when it was done or failed
	RoleWorker      Role = "worker"
	RoleAttempts    Role = "attempts"
	RoleMaxAttempts Role = "max_attempts"
	RoleTotalClaims Role = "total_claims"
	RoleError       Role = "error"
	RoleOperation   Role = "operation"
)

// Roles lists every role in the order in which columns are shown.
func Roles() []Role {
	return []Role{
		RoleKey, RoleState, RolePriority, RoleToken, RoleLease, RoleWorker, RoleAttempts, RoleMaxAttempts,
		RoleTotalClaims, RoleEnqueued, RoleAvailable, RoleClaimed, RoleHeartbeat, RoleEnded, RoleError, RoleOperation, RolePayload,
	}
}

// Column is a column of the queue's table. Declared is the type as the server
// declares it, such as datetime2(3); a probe replaces what a profile assumed.
type Column struct {
	Name     string
	Type     Type
	Declared string

	// As a probe found it; matters only where a row is its values.
	Nullable bool
	Made     bool // the server makes its value: identity, computed, rowversion

	Folds bool // as a probe found it: its collation takes upper and lower case for the same
}

// IsZero reports whether the column is not mapped.
func (c Column) IsZero() bool { return c.Name == "" }

// Table names a table by its parts, none of them quoted. Schema is empty on the
// embedded engine.
type Table struct{ Schema, Name string }

// IsZero reports whether no table is named.
func (t Table) IsZero() bool { return t.Name == "" }

// String is the name for eyes: parts joined by a dot, a part that could not be
// typed without them put in brackets.
func (t Table) String() string {
	if t.Schema == "" {
		return displayPart(t.Name)
	}
	return displayPart(t.Schema) + "." + displayPart(t.Name)
}

func displayPart(s string) string {
	if strings.ContainsAny(s, ".[]\"'`; \t") {
		return "[" + strings.ReplaceAll(s, "]", "]]") + "]"
	}
	return s
}

// Mapping says which column plays which role and which value means which state.
// A Mapping is shared and must not be changed once a queue is bound to it.
type Mapping struct {
	Queue   string // the queue's name: the table's last part unless configured
	Profile string // the built-in mapping it came from
	Family  Family
	Table   Table
	Keys    []Column
	Columns map[Role]Column // every role but the key
	States  map[State]Value // absent: the table has no such state
	History Table           // one row when an attempt ends and one per operator's act; zero: none
	Brake   Table           // the one row that says whether claims are stopped; zero: none
	Lease   time.Duration   // the usual lease, against which lateness is judged
	Lane    Lane            // of a destructive queue; zero for the others
	Clock   Clock           // of all times of the others, those of the history and the brake too; unknown: UTC
	Ahead   time.Duration   // of ClockFixed: how far ahead of UTC it is, in whole minutes

	AllowScan bool // its figures are wanted even where only reading the whole table gives them
}

// InUTC reports whether the times of the table can be compared with UTC as they are.
// It is the question of a fenced queue; a destructive one has its lane's clock.
func (m *Mapping) InUTC() bool { return m.Clock != ClockLocal && m.Clock != ClockFixed }

// DefaultLease is the usual lease where neither profile nor configuration says.
const DefaultLease = 5 * time.Minute

// Has reports whether a column plays the role.
func (m *Mapping) Has(r Role) bool {
	if r == RoleKey {
		return len(m.Keys) > 0
	}
	return !m.Columns[r].IsZero()
}

// Column gives the column of a role, zero when none plays it.
func (m *Mapping) Column(r Role) Column {
	if r == RoleKey && len(m.Keys) > 0 {
		return m.Keys[0]
	}
	return m.Columns[r]
}

// Tokens gives the token's columns, for ParseToken.
func (m *Mapping) Tokens() []Column {
	if c := m.Columns[RoleToken]; !c.IsZero() {
		return []Column{c}
	}
	return nil
}

// StateOf reads a state column's value. Trailing spaces do not count, as on the
// server; case does, unless the column's collation says otherwise there.
func (m *Mapping) StateOf(v Value) State {
	for s, want := range m.States {
		if !v.IsNull() && m.same(want.Text, v.Text) {
			return s
		}
	}
	return StateUnknown
}

// Ambiguous are two states whose values are the same to their column, so that no row
// is in one of them for sure; ok is false where there are none.
func (m *Mapping) Ambiguous() (a, b State, ok bool) {
	for i, s := range States() {
		for _, other := range States()[:i] {
			if x, y := m.States[s], m.States[other]; !x.IsNull() && !y.IsNull() && m.same(x.Text, y.Text) {
				return other, s, true
			}
		}
	}
	return StateUnknown, StateUnknown, false
}

// same reports whether the state column takes two texts for the same.
func (m *Mapping) same(a, b string) bool {
	a, b = strings.TrimRight(a, " "), strings.TrimRight(b, " ")
	return a == b || m.Columns[RoleState].Folds && strings.EqualFold(a, b)
}

// Bounded reports whether attempts are counted against a bound, without which
// fail and recover return a job to ready for ever.
func (m *Mapping) Bounded() bool { return m.Has(RoleAttempts) && m.Has(RoleMaxAttempts) }

// UsualLease is the mapping's lease or the default.
func (m *Mapping) UsualLease() time.Duration {
	if m.Lease > 0 {
		return m.Lease
	}
	return DefaultLease
}
