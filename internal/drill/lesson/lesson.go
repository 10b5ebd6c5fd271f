package lesson

import (
	"time"

	"github.com/leasetop/leasetop/model"
)

// Lesson is one story in two halves.
type Lesson struct {
	Number int
	Name   string // short, such as "lost-reply"
	Title  string
	About  string // what it is about, in plain words
	Bad    Half   // breaks its invariant, visibly
	Good   Half   // keeps it
}

// Which is one of the halves.
type Which uint8

// The halves.
const (
	Bad Which = iota
	Good
)

// Half gives one of the halves.
func (l *Lesson) Half(w Which) *Half {
	if w == Good {
		return &l.Good
	}
	return &l.Bad
}

// Half is one telling of the story.
type Half struct {
	Title  string
	Flaw   string   // the known mistake in the queue's statements; empty: none
	Dedup  bool     // the world outside ignores an effect whose operation id it knows
	Actors []Actor  // the lanes, in order
	Jobs   []NewJob // what is in the queue at the beginning
	Lines  []LineUp // destructive queues instead of the lease queue; empty: none
	Steps  []Step
	Claim  string // the invariant in one sentence
	Moral  string // what there is to learn from it, after the last step

	holds func(f *Facts) []string // the faults; none: the invariant holds
}

// NewJob is a job of the story. Jobs are counted from one.
type NewJob struct {
	What     string // its payload: what the worker has to do
	Bound    int64  // attempts; 0: five
	Priority int64  // 0: the table's default; the smaller is claimed first
}

// Actor is somebody with a lane.
type Actor string

// The actors. Time has no lane: it only passes.
const (
	WorkerA  Actor = "worker A"
	WorkerB  Actor = "worker B"
	WorkerC  Actor = "worker C"
	Recovery Actor = "recovery"
	Operator Actor = "operator"
	Session  Actor = "another session"
	Time     Actor = "time"
)

// Verb is what an actor does in a step.
type Verb uint8

// The verbs. A worker's verbs are about the job that it holds, unless they say
// otherwise; Step.Job names another.
const (
	Read     Verb = iota // looks for the first ready job, and does no more
	Take                 // updates the row that it read, by its key
	Claim                // claims one job in one statement
	Work                 // does what the job says, in the world outside
	Complete             // ends the job as done
	LoseDone             // the same, and its reply is lost
	Reread               // reads its job's row and judges by it what became of its claim
	Beat                 // renews the lease
	Fail                 // ends the attempt with a diagnostic
	Die                  // is killed
	Stall                // stands still
	Recover              // takes back what is over, and promotes what is due
	Pass                 // time passes: Step.Leases
	List                 // lists the leases that are over
	Reclaim              // takes back Step.Job as it was listed
	Requeue              // makes a dead letter ready again
	Lock                 // holds the row of Step.Job in an open transaction
	Unlock               // ends that transaction
	Arrive               // rows come in: Step.N
	Dequeue              // deletes rows and takes them: Step.N
	Hold                 // the same in a transaction that stays open
	Commit               // ends that transaction
)

// Step is one thing that one actor does.
type Step struct {
	Who    Actor
	Do     Verb
	Job    int     // where the verb needs one
	N      int     // how many rows
	Leases float64 // how much time passes, in leases
	Says   string  // what the actor does, as it is told before: "reads the first ready job"
	Comes  string  // what comes out, exactly as the stage will say it; anything else, and the lesson is broken
	Means  string  // what it means, in plain words
	Notes  string  // for whoever presents it
	Ask    *Question
}

// Question is what the learner predicts before a step.
type Question struct {
	Text    string
	Choices []string
	Right   int    // the choice that comes true
	Why     string // told with the step
}

// lease is the lease of every claim as the story counts it, where time is the
// lab's; a lab that waits has its own.
const lease = 30 * time.Second

// enqueued is the n-th job as it goes into the queue.
func (j NewJob) enqueued(n int) model.NewJob {
	out := model.NewJob{Payload: j.What, Operation: operation(n)}
	if j.Bound > 0 {
		out.MaxAttempts = model.NumberOf(j.Bound)
	}
	if j.Priority > 0 {
		out.Priority = model.NumberOf(j.Priority)
	}
	return out
}
