package kit

import (
	"fmt"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/leasetop/leasetop/model"
)

// Marked are the jobs that the keys of the acts are about, where they are about
// more than the one under the cursor.
type Marked struct {
	Queue string
	Jobs  []*model.Job
	At    time.Time // the server's time of the rows
	What  string    // what they have in common
}

// judged is how many jobs are asked about an act: if none of them allows it, the
// reason is one that all have.
const judged = 32

// MarkedKeys are the keys of the acts on many jobs: those that the state of any of
// them is made for, and dimmed those that none of them allows.
func MarkedKeys(e *Env, m Marked) []Binding {
	var out, others []Binding
	for _, a := range acts() {
		b := a.binding.Refused(e.allowedAny(a.action, m))
		if m.fits(a.action) {
			help := b.Help()
			b.SetHelp(help.Key, fmt.Sprintf("%s %d", help.Desc, len(m.Jobs)))
			out = append(out, b)
		} else {
			others = append(others, b.Hushed())
		}
	}
	return append(out, others...)
}

// ActMarked asks for the act on many jobs whose key was pressed, or says why it is
// refused. ok is false when it was none of their keys.
func ActMarked(e *Env, msg tea.Msg, m Marked) (a Action, ok bool) {
	for _, x := range acts() {
		if !Pressed(msg, x.binding) {
			continue
		}
		if b := x.binding.Refused(e.allowedAny(x.action, m)); b.Why != "" {
			return Refuse(b), true
		}
		return AskBulk{Queue: m.Queue, Action: x.action, Jobs: m.Jobs, At: m.At, What: m.What}, true
	}
	return nil, false
}

// fits reports whether the state of one of the jobs is made for an act.
func (m Marked) fits(a model.Action) bool {
	return slices.ContainsFunc(m.Jobs[:min(judged, len(m.Jobs))], func(j *model.Job) bool {
		return slices.Contains(Chosen{Job: j}.fitting(), a)
	})
}

func (e *Env) allowedAny(a model.Action, m Marked) model.Verdict {
	v := model.No("none of the marked jobs is in the list any more", "")
	for i, j := range m.Jobs[:min(judged, len(m.Jobs))] {
		x := e.allowed(a, Chosen{Queue: m.Queue, Job: j, At: m.At})
		if x.OK {
			return x
		}
		if i == 0 {
			v = x
		}
	}
	return v
}
