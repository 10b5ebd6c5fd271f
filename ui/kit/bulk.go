package kit

import (
	"time"

	"github.com/leasetop/leasetop/actions"
	"github.com/leasetop/leasetop/model"
)

// AskBulk opens the dialog of an act on several jobs of a queue, taken as they were
// shown: what joins the list later is not among them.
type AskBulk struct {
	Queue  string
	Action model.Action
	Jobs   []*model.Job
	At     time.Time // the server's time of the rows
	What   string    // how they were chosen, such as "marked" or "filter lease expired"
}

// MakePreview asks the desk what a set would do. The answer is Previewed, with the
// same ID.
type MakePreview struct {
	ID  int
	Set actions.Set
}

// SendBulk carries a set out. Moved answers as it goes, Ended at its end, both with
// the same ID.
type SendBulk struct {
	ID    int
	Set   actions.Set
	Typed string
}

// StopBulk ends the run of that ID after the row in hand.
type StopBulk struct{ ID int }

// ShowResult opens the dialog of a run's end in place of the one that asked.
type ShowResult struct {
	Set    actions.Set
	Result actions.Result
}

func (AskBulk) action()     {}
func (MakePreview) action() {}
func (SendBulk) action()    {}
func (StopBulk) action()    {}
func (ShowResult) action()  {}

// Previewed is what a set would do, or why that could not be found out.
type Previewed struct {
	ID      int
	Preview actions.Preview
	Err     error
}

// Moved is how far a run has come.
type Moved struct {
	ID       int
	Progress actions.Progress
}

// Ended is how a run ended.
type Ended struct {
	ID     int
	Result actions.Result
}

func (Previewed) answer() {}
func (Moved) answer()     {}
func (Ended) answer()     {}
