package model

import "time"

// Catalog is what an engine's catalog says about a queue's table, its history and
// its login. A number that the engine does not tell is not Known; a yes is 1.
type Catalog struct {
	Edition string // as the server says
	Online  Number // an index can be built while the table is in use

	RowVersions, Snapshot, Optimized Number // read committed snapshot, snapshot isolation, optimized locking
	Offset                           Number // minutes by which the server's local time is ahead of UTC

	Identity     Identity
	NullableKeys Number // key columns that may be NULL
	Rows         Number // of the table, estimated
	Events       Number // rows of the history, estimated

	Trigger                      string   // one that stands on the table, the worst first; empty: none, or the engine does not tell which
	Triggers, References, Checks Obstacle // what stands on the history and makes OUTPUT INTO refuse it

	MayInsert, MayUpdate, MayRecall, MayRecord, SeesSessions Number // rights: on the table, on the history, on the server
}

// Identity is the column that numbers new rows; without a Column there is none.
type Identity struct {
	Column   string
	Declared string
	Last     Number // the highest number given so far
}

// Obstacle is how many things of a kind there are, and the first of them by name.
type Obstacle struct {
	Count Number
	Name  string
	On    Table // where it is declared
}

// Index is an index of a queue's table or of its history.
type Index struct {
	Name       string // empty: a heap
	OnHistory  bool
	Clustered  bool
	Unique     bool
	Disabled   bool
	PageLocks  bool     // whole pages may be locked
	RowLocks   bool     // single rows may be locked
	Filter     string   // the rows that it holds, as the engine says; empty: all
	Columns    []string // its key in order; an expression is empty
	Descending []bool
}

// Symptom is something about rows that one statement found: a broken invariant with
// the first row that breaks it, a state's value, or a time.
type Symptom struct {
	Rule  string // one of the Symptom… names
	Count Count  // rows; Unknown where it does not count any
	Key   Key    // the first of them
	Value string // a state's text, a role, a token or a row number
	Span  time.Duration
}

// The symptoms. Rows that break an invariant are looked for among the first rows
// of their state, as many as are counted.
const (
	SymptomNoToken   = "working-without-token"
	SymptomNoLease   = "working-without-lease"
	SymptomShared    = "token-of-several-claims" // Value is the token
	SymptomOverBound = "attempts-over-bound"     // working
	SymptomUsedUp    = "ready-at-bound"
	SymptomNoDue     = "scheduled-without-time"
	SymptomNoEnd     = "failed-without-time"
	SymptomDoneLease = "done-with-lease"
	SymptomState     = "state"  // Value is a value of the state column that rows have
	SymptomNewest    = "newest" // Span is how long ago the latest time of the role in Value lies; negative: ahead

	SymptomStepBack = "step-back" // Span is how far the history's time went back, Value where
	SymptomOldest   = "oldest"    // Span is how long ago the history begins
)

// Remedy names a statement that mends something, for a dialect to write.
type Remedy struct {
	Kind    string // one of the Mend… names; empty: there is none
	Table   Table
	Name    string   // an index (empty: all), a trigger, a constraint, a right
	Columns []string // of an index, or the one to change
	Online  bool     // say that the table stays in use
	Key     Key
	To      string // a login
}

// The remedies.
const (
	MendIndex      = "create-index"
	MendUnique     = "create-unique-index"
	MendClustered  = "create-clustered-index"
	MendWhole      = "whole-index" // the same index without its filter
	MendEnable     = "enable-index"
	MendPageLocks  = "no-page-locks"
	MendRowLocks   = "row-locks"
	MendVersions   = "row-versions"
	MendGrant      = "grant"
	MendTrigger    = "drop-trigger"
	MendDisable    = "disable-trigger" // one that stands on the queue's own table
	MendConstraint = "drop-constraint"
	MendWiden      = "widen-key"
	MendNotNull    = "key-not-null"
	MendPrecision  = "precise-lease"
	MendFree       = "free-row"    // a working row that nothing can end becomes ready
	MendBound      = "raise-bound" // of a row whose attempts are used up
	MendEnded      = "set-ended"   // of dead letters without a time
	MendDue        = "set-due"     // of scheduled rows without a time
	MendLease      = "clear-lease" // of done rows
)

// Diagnosis is a finding of the doctor: what it rests on, the statement that mends
// it, which is printed and never run, and what that statement costs.
type Diagnosis struct {
	Finding
	Evidence []string
	Remedy   Remedy
	Mend     string // the remedy as a statement; empty: there is none
	Cost     string
}

// Unchecked is a rule of the doctor that could not be applied.
type Unchecked struct {
	Rule string
	Why  string
}

// Checkup is what the doctor found about one queue.
type Checkup struct {
	Queue     string
	Mapping   *Mapping
	Caps      Caps
	At        time.Time // the server's; zero: not known
	Findings  []Diagnosis
	Unchecked []Unchecked
	Sound     []string // the rules that found nothing
	Err       *Fault   // why nothing could be looked at
}
