package kit

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/leasetop/leasetop/model"
)

// Chosen is the job that the keys of the acts are about.
type Chosen struct {
	Queue string
	Job   *model.Job // nil: there is none
	At    time.Time  // the server's time of the row
	List  model.View // where it was chosen, which says what is offered while there is none
	None  string     // why there is none; empty: none was chosen
	Key   model.Key  // of a job that could not be read, which may be asked why
}

// Chooser is a screen that can say which job its keys are about.
type Chooser interface {
	// Chosen is the job, if there is one.
	Chosen(e *Env) Chosen
}

// Lister is a screen of several queues.
type Lister interface {
	// Listed is the queue that is chosen, empty where none is.
	Listed() string
}

// act is a key and the act that it asks for.
type act struct {
	binding Binding
	action  model.Action
}

func acts() []act {
	return []act{
		{Bind("r", "r", "reclaim"), model.Reclaim},
		{Bind("f", "f", "force"), model.Force},
		{Bind("e", "e", "extend"), model.Extend},
		{Bind("d", "d", "dead-letter"), model.DeadLetter},
		{Bind("u", "u", "requeue"), model.Requeue},
		{Bind("m", "m", "grant one more"), model.Grant},
	}
}

// fitting are the acts that the state of a job is made for, the most useful first.
func (c Chosen) fitting() []model.Action {
	j := c.Job
	if j == nil {
		j = &model.Job{}
		switch c.List {
		case model.ViewReady, model.ViewTail:
			j.State = model.Ready
		case model.ViewFailed:
			j.State = model.Failed
		case model.ViewWorking, model.ViewRepeaters, model.ViewWorkers, model.ViewHistory, model.ViewNone:
			j.State, j.Token = model.Working, model.TokenOf(model.TextValue("any"))
		}
	}
	switch {
	case j.State == model.Failed:
		return []model.Action{model.Requeue}
	case j.State == model.Ready, j.State == model.Scheduled:
		return []model.Action{model.DeadLetter}
	case j.State == model.Working && j.Token.IsZero(): // no statement can name this claim
		return []model.Action{model.DeadLetter}
	case j.State == model.Working && j.Exhausted(): // nobody could claim it again
		return []model.Action{model.Grant, model.DeadLetter, model.Extend}
	case j.State == model.Working:
		return []model.Action{model.Reclaim, model.Force, model.Extend, model.DeadLetter}
	}
	return nil
}

// ActKeys are the keys of the acts on a job: those that its state is made for
// first, the others in the help only, and dimmed all that are not allowed.
func ActKeys(e *Env, c Chosen) []Binding {
	fit := c.fitting()
	var out, others []Binding
	for _, a := range acts() {
		b := a.binding.Refused(e.allowed(a.action, c))
		if !slices.Contains(fit, a.action) {
			others = append(others, b.Hushed())
		}
	}
	for _, want := range fit {
		for _, a := range acts() {
			if a.action == want {
				out = append(out, a.binding.Refused(e.allowed(want, c)))
			}
		}
	}
	return append(out, others...)
}

// Act asks for the act whose key was pressed, or says why it is refused. ok is
// false when it was none of their keys.
func Act(e *Env, msg tea.Msg, c Chosen) (a Action, ok bool) {
	for _, x := range acts() {
		if !Pressed(msg, x.binding) {
			continue
		}
		if b := x.binding.Refused(e.allowed(x.action, c)); b.Why != "" {
			return Refuse(b), true
		}
		return Ask{Queue: c.Queue, Action: x.action, Job: c.Job, At: c.At}, true
	}
	return nil, false
}

func (e *Env) allowed(a model.Action, c Chosen) model.Verdict {
	switch {
	case e.Off != "":
		return model.No(e.Off, "")
	case c.Job == nil && c.None != "":
		return model.No(c.None, "")
	case c.Job == nil:
		return model.No("no job is chosen", "↑ and ↓ choose one")
	case e.Judge == nil:
		return model.No("nothing can be changed here", "")
	}
	return e.Judge.Allowed(c.Queue, a, c.Job, c.At)
}
