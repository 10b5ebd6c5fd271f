package kit

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/leasetop/leasetop/model"
)

// AskWhy opens the dialog that says why a job is not moving.
type AskWhy struct {
	Queue string
	Key   model.Key
	Job   *model.Job // as it was shown; nil: it was not
	At    time.Time  // the server's time of Job
}

// ReadWhy finds out why a job is not moving. The answer is WhyRead.
type ReadWhy struct {
	Queue string
	Key   model.Key
	Job   *model.Job // as it was shown; nil: it was not
}

func (AskWhy) action()  {}
func (ReadWhy) action() {}

// WhyRead is why a job is not moving.
type WhyRead struct {
	Queue string
	Why   model.Why
}

func (WhyRead) answer() {}

// why is the key that asks.
var why = Bind("w", "w", "why")

// WhyKey is the key that asks why the chosen job is not moving. It is quiet where
// the state of a job leaves nothing to ask.
func WhyKey(e *Env, c Chosen) Binding {
	switch {
	case e.Off != "":
		return why.Refused(model.No(e.Off, ""))
	case c.Job == nil && !c.Key.IsZero():
		return why
	case c.Job == nil && c.None != "":
		return why.Refused(model.No(c.None, ""))
	case c.Job == nil:
		return why.Refused(model.No("no job is chosen", "↑ and ↓ choose one"))
	case c.Job.State == model.Done, c.Job.State == model.Failed:
		return why.Hushed()
	}
	return why
}

// AskedWhy opens the dialog if the key for it was pressed, or says why not. ok is
// false when it was another.
func AskedWhy(e *Env, msg tea.Msg, c Chosen) (a Action, ok bool) {
	b := WhyKey(e, c)
	switch {
	case !Pressed(msg, b):
		return nil, false
	case b.Why != "":
		return Refuse(b), true
	case c.Job == nil:
		return AskWhy{Queue: c.Queue, Key: c.Key}, true
	}
	return AskWhy{Queue: c.Queue, Key: c.Job.Key, Job: c.Job, At: c.At}, true
}
