package model

import (
	"math"
	"time"
)

// Job is one row as one statement saw it. A Job is immutable once published:
// snapshots share it.
type Job struct {
	Key      Key
	Token    Token
	State    State
	RawState Value // the column's own value, shown when the mapping does not name it

	Lease, Available, Enqueued, Claimed, Beat, Ended Instant

	Waiting Age // how long it has been claimable; AtLeast from the watcher's first sight
	Held    Age // how long this token has held it; AtLeast from the watcher's first sight

	Priority, Attempts, MaxAttempts, TotalClaims Number

	Worker, Error, Operation string

	Tokenless bool // the table has no tokens at all, so that one that is missing is no mistake

	// Of a destructive queue, whose rows are their values: how many equal rows were
	// seen, this one included, and how many of them are locked by a dequeue now.
	Copies, Locked Number
}

// Left is the time until the lease runs out, negative once it has; ok is false
// where there is no lease. Both times are the server's. What lies further off than a
// duration can say is as far off as it can say, and can be negated.
func (j *Job) Left(now time.Time) (left time.Duration, ok bool) {
	const farthest = time.Duration(math.MaxInt64)
	switch {
	case now.IsZero() || j.Lease.IsZero():
		return 0, false
	case j.Lease.First():
		return -farthest, true
	case j.Lease.At.IsZero():
		return 0, false
	}
	return max(j.Lease.At.Sub(now), -farthest), true
}

// Expired reports whether the job is working with a lease before now. Expiry is
// not refusal: the worker still completes as long as its token stands.
func (j *Job) Expired(now time.Time) bool {
	left, ok := j.Left(now)
	return ok && j.State == Working && left < 0
}

// Corrupt reports whether the job is working without a lease, or without a token where
// the table has them, so that nothing can ever end it.
func (j *Job) Corrupt() bool {
	return j.State == Working && (j.Token.IsZero() && !j.Tokenless || j.Lease.IsZero())
}

// Exhausted reports whether the bound of attempts is used up, so that no claim
// would take the job again.
func (j *Job) Exhausted() bool {
	return j.Attempts.Known && j.MaxAttempts.Known && j.Attempts.N >= j.MaxAttempts.N
}

// Payload is what a job carries, fetched only when it is looked at.
type Payload struct {
	Text  string // cleaned, at most the bytes that were asked for
	Bytes Number // the whole length
	Cut   bool   // Text is not all of it
}

// NewJob is a job to enqueue. The zero Priority, MaxAttempts and Delay leave the
// table's own defaults; a table that lacks the column ignores them.
type NewJob struct {
	Payload     string
	Priority    Number
	MaxAttempts Number
	Delay       time.Duration // scheduled instead of ready when positive
	Operation   string        // stable business id; empty: one is made
}

// Claim is a job as its worker received it.
type Claim struct {
	Key         Key
	Token       Token
	Payload     string
	Operation   string
	Attempts    Number
	MaxAttempts Number
	Lease       Instant
	Granted     time.Duration // the lease that was asked for
}

// EventKind says how an attempt ended, or which act of an operator it was.
type EventKind string

// The kinds of history rows.
const (
	EventCompleted    EventKind = "completed"
	EventFailed       EventKind = "failed"
	EventExpired      EventKind = "expired"
	EventReleased     EventKind = "released"
	EventReclaimed    EventKind = "reclaimed"
	EventDeadLettered EventKind = "dead-lettered"
	EventExtended     EventKind = "extended"
	EventRequeued     EventKind = "requeued"

	EventBraked   EventKind = "braked"         // of the queue: no key
	EventUnbraked EventKind = "brake-released" // of the queue: no key
)

// OnQueue reports whether the event is of the queue as a whole and has no key.
func (k EventKind) OnQueue() bool { return k == EventBraked || k == EventUnbraked }

// Change is what one statement did to one row, as the statement itself captured
// it. A Change is a fact; whether an act succeeded is judged elsewhere.
type Change struct {
	Key                Key
	OldState, NewState State
	OldToken, NewToken Token
	OldLease, NewLease Instant
	Attempts           Number
	Worker             string
	At                 time.Time // the server's time of the statement
	Alike              Number    // of a destructive queue: equal rows that are left
}

// Event is one row of the history table.
type Event struct {
	Change
	Kind   EventKind
	Action string // the operator's action id; empty for a worker's own step
	Actor  string // who says it was, unproved
	Login  string // who the server says it was
	Reason string // the operator's reason, or the attempt's error
	Seq    Number // its place in the history of the queue, where that was asked for
}
