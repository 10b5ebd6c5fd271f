package model

import "fmt"

// FaultClass is what kind of trouble a call met, which decides who retries and
// what the user is told.
type FaultClass uint8

// The classes of faults. The zero class is an error that nobody has classified.
const (
	FaultOther    FaultClass = iota
	FaultRaced               // deadlock, lock timeout, snapshot conflict: the next poll may succeed
	FaultBusy                // the server is busy or moving: back off
	FaultDenied              // a right is missing
	FaultLogin               // the login was refused: never loop
	FaultReshaped            // a table or column is missing or has another type
	FaultRefused             // the server refuses the statement as such
	FaultReadOnly            // the database or replica takes no writes
	FaultNetwork             // no connection, or it broke
	FaultHung                // no answer within the deadline
	FaultTarget              // the DSN or file itself is wrong
	FaultBraked              // our own guard said no
)

var faultNames = [...]string{"error", "raced", "busy", "denied", "login", "shape", "refused", "read-only", "network", "hung", "target", "guard"}

// String is the class's word in JSON and logs.
func (c FaultClass) String() string { return name(faultNames[:], c) }

// Fault is an error of a store, classified and cleaned: it holds no secret and
// no control character.
type Fault struct {
	Class FaultClass
	Code  int    // the engine's number; 0: none
	Text  string // what happened, one line
	Cure  string // what to do, if it is known
	Op    string // the operation that met it

	// Brake is set when the queue's brake is what stopped a claim.
	Brake *Brake

	// Unsure is true when the statement may have taken effect although no answer
	// came. It decides between "refused" and "unknown".
	Unsure bool
}

// Error is the fault in one line: what was tried, what happened, what to do.
func (f *Fault) Error() string {
	s := f.Text
	if f.Code != 0 {
		s = fmt.Sprintf("%s (error %d)", s, f.Code)
	}
	if f.Op != "" {
		s = f.Op + ": " + s
	}
	if f.Cure != "" {
		s += ": " + f.Cure
	}
	return s
}
