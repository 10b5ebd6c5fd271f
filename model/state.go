package model

// State is where a job stands. Expired is not a state of its own: it is Working
// with a lease that lies before the server's clock.
type State uint8

// The states of a job. The zero State is a value that the mapping does not name.
const (
	StateUnknown State = iota
	Scheduled          // not due yet
	Ready              // may be claimed now
	Working            // claimed; its lease may have run out
	Done               // completed; keeps the token that completed it
	Failed             // given up: a dead letter
)

var stateNames = [...]string{"unknown", "scheduled", "ready", "working", "done", "failed"}

// String is the state's word in screens, flags, JSON and the configuration.
func (s State) String() string { return name(stateNames[:], s) }

// MarshalText lets a state stand in JSON as its word.
func (s State) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// States lists the states that a mapping can name, in the order of a job's life.
func States() []State { return []State{Scheduled, Ready, Working, Done, Failed} }

// ParseState reads a state's word.
func ParseState(s string) (State, bool) {
	for _, st := range States() {
		if st.String() == s {
			return st, true
		}
	}
	return StateUnknown, false
}

// Family says what a completion names, and so what an operator may safely do.
type Family uint8

// The families of queues.
const (
	FamilyUnknown Family = iota
	Fenced               // completion names a token: control is safe
	Unfenced             // completion by key only: no control
	Destructive          // a dequeue is a DELETE: nothing can be reclaimed by row
)

var familyNames = [...]string{"unknown", "fenced", "unfenced", "destructive"}

// String is the family's word in screens, JSON and the configuration.
func (f Family) String() string { return name(familyNames[:], f) }
