package kit

import (
	"time"

	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/themes"
)

// Action is what a screen or a dialog wants done. Nil is nothing. Only the root
// turns one into a command.
type Action interface{ action() }

// Many is several actions, carried out in order.
type Many []Action

// Back leaves the screen; on the last one it does nothing.
type Back struct{}

// Close closes the dialog.
type Close struct{}

// OpenQueue shows a queue.
type OpenQueue struct{ Queue string }

// OpenJob shows one job, beginning with the row as it was seen at the server's
// time At. A nil Job was not seen: it is looked up.
type OpenJob struct {
	Queue string
	Key   model.Key
	Job   *model.Job
	At    time.Time
}

// Ask opens the dialog that confirms an act on the row as it was shown, or on the
// queue as a whole, which has no Job.
type Ask struct {
	Queue  string
	Action model.Action
	Job    *model.Job
	At     time.Time // the server's time of the row
}

// Kick polls a queue at once, all of them for the empty name.
type Kick struct{ Queue string }

// Say shows one line until the next key.
type Say struct {
	Tone themes.Token
	Text string
}

// Refuse is what a screen says when a key is pressed that is not allowed now.
func Refuse(b Binding) Say { return Say{themes.Warn, b.Why} }

// ReadJob reads a job and its history anew. The answer is JobRead.
type ReadJob struct {
	Queue string
	Key   model.Key
}

// ReadPayload reads at most Limit bytes of a job's payload. The answer is
// PayloadRead.
type ReadPayload struct {
	Queue string
	Key   model.Key
	Limit int
}

// MakePlan asks the desk for a plan. The answer is Planned, with the same ID.
type MakePlan struct {
	ID     int
	Ask    Ask
	Reason string
	By     time.Duration // extend: zero is the usual lease
	Far    bool          // extend: beyond one usual lease on purpose
}

// Send applies a plan, once. The answer is Receipted, with the same ID.
type Send struct {
	ID    int
	Plan  model.Plan
	Typed string
}

// LookAgain resolves a receipt whose outcome is unknown. The answer is Receipted.
type LookAgain struct {
	ID      int
	Receipt model.Receipt
}

// ShowReceipt opens the dialog of a receipt in place of the one that asked.
type ShowReceipt struct{ Receipt model.Receipt }

func (Many) action()        {}
func (Back) action()        {}
func (Close) action()       {}
func (OpenQueue) action()   {}
func (OpenJob) action()     {}
func (Ask) action()         {}
func (Kick) action()        {}
func (Say) action()         {}
func (ReadJob) action()     {}
func (ReadPayload) action() {}
func (MakePlan) action()    {}
func (Send) action()        {}
func (LookAgain) action()   {}
func (ShowReceipt) action() {}

// Answer is a message that a command of the root brings back.
type Answer interface{ answer() }

// JobRead is a job and its newest history, newest first. A nil Job with a nil Err
// means that there is no such row.
type JobRead struct {
	Queue     string
	Key       model.Key
	Job       *model.Job
	At        time.Time
	Err       error
	Events    []model.Event
	EventsErr error
}

// PayloadRead is a job's payload.
type PayloadRead struct {
	Queue   string
	Key     model.Key
	Payload model.Payload
	Err     error

	Kept    bool  // it is remembered, and goes into what is recorded or saved
	KeptErr error // why it could not be, although it should
}

// Planned is a plan, or why none could be made.
type Planned struct {
	ID     int
	Reason string // what the plan was made with, as By and Far are
	By     time.Duration
	Far    bool
	Plan   model.Plan
	Err    error
}

// Receipted is the receipt of an act.
type Receipted struct {
	ID      int
	Receipt model.Receipt
}

func (JobRead) answer()     {}
func (PayloadRead) answer() {}
func (Planned) answer()     {}
func (Receipted) answer()   {}
