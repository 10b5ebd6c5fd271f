package model

import (
	"hash/fnv"
	"time"
)

// Action is an operator's act on one job, or on a queue as a whole.
type Action uint8

// The acts. The zero Action does nothing.
const (
	ActionNone Action = iota
	Reclaim           // working and expired → ready, fresh token
	Force             // working → ready before its lease ran out, fresh token
	Extend            // a later lease, same token
	DeadLetter        // working, ready or scheduled → failed with a diagnostic, fresh token
	Requeue           // failed → ready at the tail, attempts anew, fresh token
	Grant             // working, expired and used up → ready with one more attempt, fresh token

	PutBrake  // no claim of the queue begins until it is released
	FreeBrake // claims go on
)

var actionNames = [...]string{"none", "reclaim", "force-reclaim", "extend", "dead-letter", "requeue", "grant", "brake", "release-brake"}

// Actions lists every act on a job.
func Actions() []Action { return []Action{Reclaim, Force, Extend, DeadLetter, Requeue, Grant} }

// ParseAction reads an act's word.
func ParseAction(s string) (Action, bool) {
	for _, a := range append(Actions(), PutBrake, FreeBrake) {
		if a.String() == s {
			return a, true
		}
	}
	return ActionNone, false
}

// OnQueue reports whether the act is on a queue as a whole and names no job.
func (a Action) OnQueue() bool { return a == PutBrake || a == FreeBrake }

// String is the act's word on screens, in the journal and in JSON.
func (a Action) String() string { return name(actionNames[:], a) }

// MarshalText lets an act stand in JSON as its word.
func (a Action) MarshalText() ([]byte, error) { return []byte(a.String()), nil }

// Seen is the row as the operator saw it. An act matches key, state and token;
// the lease is kept to tell what changed and is not matched.
type Seen struct {
	State    State
	Token    Token
	Lease    Instant
	Attempts Number
}

// Intent is all that a store needs to act on one job.
type Intent struct {
	Action   Action
	Queue    string
	Key      Key
	Seen     Seen
	ActionID string // GUID, upper case; becomes the row's new token, in the form of its column
	Actor    string // who says it is, unproved
	Reason   string
	By       time.Duration // extend: how far beyond the server's now, in whole seconds

	// Of a destructive queue.
	Oldest   int  // dead-letter so many of the oldest rows; 0: the row that Key names
	KeepTime bool // requeue with the row's old time, which may be the head, instead of now
}

// Mark is the milliseconds below the second of an extended lease, 1 to 999, made
// from the action id: extend keeps the token, and by its mark a re-read can tell
// the act's own lease from a heartbeat's.
func (i Intent) Mark() int64 {
	h := fnv.New32a()
	h.Write([]byte(i.ActionID))
	return int64(h.Sum32()%999) + 1
}

// Arg is one typed parameter of a statement.
type Arg struct {
	Name     string
	Declared string // the type as the server is told, such as uniqueidentifier
	Value    Value
}

// Statement is a statement for eyes: dialog, docs, tests. No store takes one back.
type Statement struct {
	Op   string // stable name, such as "reclaim"
	Form string // the variant chosen for this server; empty: there is only one
	Text string
	// Steps are the texts that one transaction runs in their order, where they are
	// more than one, and Main is the one that changes something. Text has them all.
	Steps []string
	Main  int
	Args  []Arg
	// Script is the same with its values written into it, ready to be run by somebody
	// else; empty where there is none.
	Script string
	// Right is what the login needs for it, in the server's words.
	Right string
	// Locks is how it is isolated and which locks it takes; empty: nothing is said.
	Locks string
	// When is what must have happened before it is sent; empty: nothing.
	When string
	// Danger is why it is only ever printed, and never sent; empty: it is sent.
	Danger string
	// Proved says where the statement was run; empty: it stands on documentation.
	Proved string
}

// Plan is an act about to be confirmed: exactly what would be sent, about exactly
// the row that was shown.
type Plan struct {
	Intent    Intent
	Row       *Job   // as shown; nil: the act is on the queue
	Brake     *Brake // as it was read for the plan; nil: the act is on a job
	At        time.Time
	Mapping   *Mapping
	Statement Statement
	Effects   []string // what will follow, in sentences
	Far       bool     // an extension beyond one usual lease was asked for on purpose
	PrintOnly bool     // it may be shown for somebody else to run, and is never sent
	Refusal   Verdict  // not OK: why our own guard refuses to send it
	Confirm   Confirm
}

// Confirm is what the operator must give before a plan is applied.
type Confirm struct {
	Type   string // must be typed exactly; empty: nothing
	Reason bool   // a reason is required
}

// Outcome is what became of an act. The zero Outcome claims nothing.
type Outcome uint8

// The outcomes.
const (
	OutcomeUnknown Outcome = iota // no proof either way yet
	Applied                       // proved by the row that the statement captured, or by a re-read
	Changed                       // the statement matched nothing: the row is something else now
	Gone                          // there is no such row
	Refused                       // our own guard or the server said no: nothing was changed
)

var outcomeNames = [...]string{"unknown", "applied", "changed", "gone", "refused"}

// String is the outcome's word on screens and in JSON.
func (o Outcome) String() string { return name(outcomeNames[:], o) }

// ParseOutcome reads an outcome's word.
func ParseOutcome(s string) (Outcome, bool) {
	for i, n := range outcomeNames {
		if n == s {
			return Outcome(i), true //nolint:gosec // there are five
		}
	}
	return OutcomeUnknown, false
}

// MarshalText lets an outcome stand in JSON as its word.
func (o Outcome) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

// Receipt is what an act did. It is true or it is unknown.
type Receipt struct {
	Intent  Intent
	Outcome Outcome
	Before  *Job      // the row as it was seen, or as the statement captured it
	After   *Job      // the row as it is now; nil: gone or not known
	At      time.Time // the server's time; zero: not known
	Sent    time.Time // this machine's time before the first byte left; zero: nothing was sent
	Message string    // one sentence: what happened, and what to do when it did not
	Fault   *Fault    // what the server or the network said, if it did
	Holder  string    // who holds the job now, if somebody else does
	Brake   *Brake    // the brake as it is now, of an act on the queue; nil: not known
	Final   bool      // unknown, and nothing is left by which it could ever be known
}

// Resolved reports whether it is known what became of the act.
func (r *Receipt) Resolved() bool { return r.Outcome != OutcomeUnknown }

// Over reports whether nothing is left to find out.
func (r *Receipt) Over() bool { return r.Resolved() || r.Final }
