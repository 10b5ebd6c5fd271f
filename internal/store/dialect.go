package store

import (
	"context"
	"database/sql"
	"time"

	"github.com/leasetop/leasetop/model"
)

// Param is a parameter of a statement, declared as the server is told. Value is
// what a statement always sends for it, such as a state's code from the mapping;
// NULL leaves it to the caller.
type Param struct {
	Name     string
	Declared string
	Value    model.Value
}

// Stmt is one atomic unit in one round trip: one T-SQL batch, or on the embedded
// engine a list of texts that run inside one immediate transaction.
type Stmt struct {
	Op     Op
	Form   string // the variant chosen for this server; empty: there is only one
	Texts  []string
	Answer int // which text's rows are the answer
	Params []Param
	Kind   Kind
	Within time.Duration // its deadline; 0: that of its kind
	Right  string        // what the login needs, in the server's words
	Locks  string        // how it is isolated and which locks it takes
	Danger string        // why it is only printed and never sent; empty: it is sent
	When   string        // what must have happened before it is sent; empty: nothing
	Proved string        // where the statement was run; empty: it stands on documentation
}

// Args are the values of a statement's parameters by name. A parameter without a
// value is NULL.
type Args map[string]model.Value

// of is what is sent for a parameter.
func (a Args) of(p Param) model.Value {
	if v, ok := a[p.Name]; ok {
		return v
	}
	return p.Value
}

// Ask runs one statement through the shared runner, for a dialect's probe.
type Ask func(ctx context.Context, s Stmt, a Args) ([]Row, error)

// Pools are the connections of one server. Each func opens a fresh pool without
// touching the network; the runner calls it again when it throws a pool away.
type Pools struct {
	Read    func() (*sql.DB, error) // watching
	Work    func() (*sql.DB, error) // workers' steps
	Control func() (*sql.DB, error) // operators' acts: one connection, no retry by the driver
	Held    func() (*sql.DB, error) // dequeues in a transaction: a connection each, for the length of the work; nil: the engine has no row locks
	Close   func() error            // what else is to be freed; may be nil
}

// Dialect is an engine's text and types. It renders statements and translates
// values and errors; it runs, scans and judges nothing, so that it cannot diverge
// from the other in what an answer means. Its probe asks through the runner.
type Dialect interface {
	// Engine names the dialect: "sqlserver" or "sqlite".
	Engine() string

	// Statement renders an operation for a bound mapping and what a probe found
	// out. It fails where the table cannot have the operation; the text says why.
	Statement(op Op, m *model.Mapping, c *model.Caps) (Stmt, error)

	// Schema is the statement that makes the shipped table, its history and their
	// indexes for a mapping of the shipped profile. Running it again, or from two
	// processes at once, changes nothing.
	Schema(m *model.Mapping) (Stmt, error)

	// Probe asks the server about itself and the mapped table. It returns the
	// mapping with the columns as the server declares them.
	Probe(ctx context.Context, ask Ask, m *model.Mapping) (*model.Mapping, model.Caps, error)

	// Bind turns a value into what the driver is given for a parameter.
	Bind(p Param, v model.Value) (any, error)

	// Instant reads the engine's exact text of a time. A NULL gives the zero time.
	Instant(v model.Value) (time.Time, error)

	// Fault classifies an error of the driver. Text is not yet cleaned. Unsure is
	// left to the runner, which asks Late where a dialect has it.
	Fault(err error) *model.Fault

	// Script is a statement with its values written into it, one for each of its
	// parameters, ready to be run by somebody else with the engine's own tools. Nothing
	// of a value can end a literal, a line or a batch.
	Script(s Stmt, values []model.Value) (string, error)

	// Unit says how a statement's texts become one atomic unit.
	Unit() Unit
}

// Late is what a dialect may have beside Dialect: whether a server's own error
// leaves open that the statement took effect, as when only reading back what it
// captured has failed. Without it, every error with a number is a sure refusal.
type Late interface {
	Late(s Stmt, err error) bool
}

// Unit is how an engine makes several texts atomic, and its ways of waiting.
type Unit struct {
	// Begin, Commit and Rollback bracket the texts of a Work or Control statement.
	// Empty: the batch is atomic by itself.
	Begin, Commit, Rollback string
	// Busy reports an error of Begin or Commit after which the same connection may
	// simply try again, as when another process holds the lock that it needs.
	Busy func(error) bool
	// Now is bound as @now after Begin, where the engine's own clock is not the
	// server's time. Nil: statements read the server's clock themselves.
	Now func() model.Value
	// Hold keeps connections with their prepared statements: two for Watch, one each
	// for Work and Control.
	Hold bool
	// Grace is how long past its deadline a call is waited for before it is
	// abandoned: an embedded engine answers by itself, a network may not.
	Grace time.Duration
}
