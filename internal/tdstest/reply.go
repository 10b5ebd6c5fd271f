package tdstest

import (
	"time"
)

// Reply is what is sent for one statement, in order. The end of the reply is
// added, unless a part ends it otherwise.
type Reply []Part

// Part is a piece of a reply: rows, an error, a count, or a way to misbehave.
type Part interface{ send(c *session) flow }

// Set is a result set. A value is nil, int64, int, string or []byte.
type Set struct {
	Columns []string
	Rows    [][]any
	Broken  *Error        // the set ends with this error and without its count
	Pause   time.Duration // before each row
}

// Error is an error of the server. The batch runs on after it where further parts
// follow.
type Error struct {
	Number  int32
	Class   byte // severity; 0: 16
	State   byte
	Message string
	Line    int32
}

// Count is a DONE with a number of rows, as of a statement without NOCOUNT.
type Count int

// Rows is a set of one or more rows.
func Rows(columns []string, rows ...[]any) Set { return Set{Columns: columns, Rows: rows} }

// Sleep lets the server think. A client that cancels meanwhile gets its
// acknowledgement.
type Sleep time.Duration

// Silence is no answer any more, for ever. Deaf silence does not even acknowledge
// that the client cancels.
type Silence struct{ Deaf bool }

// Hangup ends the connection without a further byte.
type Hangup struct{}

// Reset ends a connection over loopback by RST; over a pipe it is a Hangup.
type Reset struct{}

// Half sends the first half of what the other parts would have sent, cut within a
// packet, and then is silent, or hangs up.
type Half struct {
	Of     Reply
	Hangup bool
}

// Raced is the answer of a statement that lost against another: deadlock victim.
func Raced() Error {
	return Error{Number: 1205, Class: 13, State: 51, Message: "Transaction was deadlocked on lock resources with another process and has been chosen as the deadlock victim. Rerun the transaction."}
}

// TimedOut is the answer of a statement that waited too long for a lock.
func TimedOut() Error {
	return Error{Number: 1222, Class: 16, State: 51, Message: "Lock request time out period exceeded."}
}

// Denied is the answer to a statement without the right.
func Denied(right, object string) Error {
	return Error{Number: 229, Class: 14, State: 5, Message: "The " + right + " permission was denied on the object '" + object + "', database 'Shop', schema 'dbo'."}
}

// ReadOnly is the answer of a secondary to a write.
func ReadOnly() Error {
	return Error{Number: 3906, Class: 16, State: 1, Message: "Failed to update database \"Shop\" because the database is read-only."}
}

// LoginFailed refuses a login.
func LoginFailed(user string) *LoginFault {
	return &LoginFault{Number: 18456, Message: "Login failed for user '" + user + "'."}
}
