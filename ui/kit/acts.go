package kit

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/leasetop/leasetop/model"
)

// act is a key and the act that it asks for.
type act struct {
	binding Binding
	action  model.Action
}

func acts() []act {
	return []act{
		{Bind("r", "r", "reclaim"), model.Reclaim},
		{Bind("f", "f", "force"), model.Force},
	}
}

// ActKeys are the keys of the acts on a job, dimmed where the act is not allowed.
// A nil job is none chosen.
func ActKeys(e *Env, queue string, j *model.Job, at time.Time) []Binding {
	var out []Binding
	for _, a := range acts() {
		out = append(out, a.binding.Refused(e.allowed(queue, a.action, j, at)))
	}
	return out
}

// Act asks for the act whose key was pressed, or says why it is refused. ok is
// false when it was none of their keys.
func Act(e *Env, msg tea.Msg, queue string, j *model.Job, at time.Time) (a Action, ok bool) {
	for _, x := range acts() {
		if !Pressed(msg, x.binding) {
			continue
		}
		if b := x.binding.Refused(e.allowed(queue, x.action, j, at)); b.Why != "" {
			return Refuse(b), true
		}
		return Ask{Queue: queue, Action: x.action, Job: j, At: at}, true
	}
	return nil, false
}

func (e *Env) allowed(queue string, a model.Action, j *model.Job, at time.Time) model.Verdict {
	if j == nil {
		return model.No("no job is chosen", "↑ and ↓ choose one")
	}
	if e.Judge == nil {
		return model.No("nothing can be changed here", "")
	}
	return e.Judge.Allowed(queue, a, j, at)
}
