package worker

import (
	"time"

	"github.com/leasetop/leasetop/model"
)

// Kind says what an Event tells.
type Kind string

// The kinds of events.
const (
	EventClaimed   Kind = "claimed"        // a worker received a job
	EventCompleted Kind = "completed"      // the statement captured the row
	EventFailed    Kind = "failed"         // the attempt was recorded as failed; State says what follows
	EventReleased  Kind = "released"       // given back untouched
	EventConfirmed Kind = "confirmed"      // Step had been applied, its reply was lost
	EventLost      Kind = "lost"           // the claim is gone; nothing was ended by this worker
	EventUnsure    Kind = "unsure"         // Step was not proved either way before the fence
	EventLeft      Kind = "left"           // the handler did not stop at the end of the drain: left to its lease
	EventRecovered Kind = "recovered"      // an expired row was taken back; State says what follows
	EventPromoted  Kind = "promoted"       // N due rows were made ready
	EventWaiting   Kind = "waiting"        // recovery waits For, Text says why
	EventTrouble   Kind = "trouble"        // a call failed: Step and Err
	EventBraked    Kind = "braked"         // the queue's brake stops claims: Text says by whom and why; once for all workers
	EventUnbraked  Kind = "brake-released" // claims go on
)

// Step names the call that an event is about.
type Step string

// The steps.
const (
	StepClaim    Step = "claim"
	StepBeat     Step = "heartbeat"
	StepComplete Step = "complete"
	StepFail     Step = "fail"
	StepRelease  Step = "release"
	StepRecover  Step = "recover"
	StepPromote  Step = "promote"
	StepPulse    Step = "pulse"
	StepEnqueue  Step = "enqueue"
)

// Event is one thing that happened to a worker or to its recovery. Fields that do
// not belong to its kind are zero.
type Event struct {
	Kind     Kind
	Step     Step
	Worker   string
	Key      model.Key
	Token    model.Token // the claim's token; the old one when recovered
	Next     string      // the replacement that was written, empty where the token stays
	State    model.State // the row's state afterwards; unknown when it was not captured
	Attempts model.Number
	Bound    model.Number  // most attempts, where the claim said
	N        int           // how many rows
	For      time.Duration // how long it took, or waits
	Text     string        // the diagnostic, or why
	Err      error
}

// emit calls the hook, if there is one.
func emit(hook func(Event), e Event) {
	if hook != nil {
		hook(e)
	}
}
