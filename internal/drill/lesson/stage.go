package lesson

import "time"

// Stage is all that is to be seen after a step. It is a value: no step changes one
// that was given away.
type Stage struct {
	Number  int
	Title   string // of the lesson
	Half    Which
	Telling string // of the half
	Step    int    // how many steps are done
	Of      int

	Lanes  []Lane
	Table  []Row
	Ledger []Effect
	Sum    string // of a destructive queue: what went in is done, in hand, there or lost; empty elsewhere

	Now   string // who did what in the step that was done; empty before the first
	Said  string // what it means, in plain words
	SQL   string // the statement of that step on SQL Server; empty: it sent none
	Op    string // its name
	Notes string // for whoever presents it

	Next     string    // who does what in the step that comes; empty after the last
	Question *Question // to be answered before it, nil: none, or answered already
	Answer   *Answer   // what was predicted for the step that was done, nil: nothing

	Passed  time.Duration // of the story, where the lab sets the clock
	Locking string        // "real" or "emulated"
	Engine  string
	Claim   string   // the invariant of the half
	Verdict *Verdict // after the last step
}

// Over reports whether the last step is done.
func (s Stage) Over() bool { return s.Verdict != nil }

// Noun is what the queue's table has: jobs, or rows that are nothing but themselves.
func (s Stage) Noun() string {
	if s.Sum != "" {
		return "row"
	}
	return "job"
}

// Lane is what one actor did so far.
type Lane struct {
	Actor Actor
	Lines []Line
	Holds string // the job that it believes to hold: "job 1 · A1"; empty: none
	Gone  bool   // it was killed
	Acts  bool   // it did the step that was just done
}

// Line is one thing that an actor did, and what came out.
type Line struct {
	Step int
	Says string
	Came string
	Mark Mark
}

// Mark is how a line or a row is to be taken.
type Mark uint8

// The marks.
const (
	Plain Mark = iota
	Fine       // as it should be
	Wrong      // not as it should be
	Empty      // nothing matched
)

// Row is one row of the queue's table.
type Row struct {
	Job      int
	What     string
	State    string
	Token    string // as the story calls it: "A1" is worker A's first; "–": none
	Worker   string
	Attempts string // "1/5"
	Claims   int64  // in all
	Left     string // of the lease: "30s", "−3s"; empty: it has none
	Expired  bool
	Locked   bool   // by another session
	Error    string // the diagnostic
	Changed  bool   // by the step that was just done
}

// Effect is something that happened in the world outside.
type Effect struct {
	N         int
	Job       int
	Who       Actor
	What      string
	Operation string // the operation id that went with it, shortened
	Again     bool   // it had happened before
	Ignored   bool   // the world outside knew the operation id and did nothing
}

// Answer is what was predicted and what came.
type Answer struct {
	Question *Question
	Choice   int
	Right    bool
}

// Verdict is the half's invariant at its end.
type Verdict struct {
	Holds    bool
	Expected bool     // that it holds in the good half, or breaks in the bad one
	Faults   []string // what broke it
	Strange  []string // steps that came out otherwise than the lesson says
	Moral    string
}

// Behaved reports whether the half went as it should.
func (v *Verdict) Behaved() bool { return v.Expected && len(v.Strange) == 0 }
