package kit

import (
	tea "charm.land/bubbletea/v2"

	"github.com/leasetop/leasetop/model"
)

// braked reports whether the brake of a queue is on, as far as is known.
func (e *Env) braked(queue string) bool {
	s := e.Live.Queue(queue)
	return s != nil && s.Pulse.Data.Brake != nil && s.Pulse.Data.Brake.On
}

// BrakeKey is the key of the queue's brake: it puts the brake, or releases the one
// that is on. While it is on, the key is one that is looked for.
func BrakeKey(e *Env, queue string) Binding {
	b, act := Bind("B", "B", "brake: stop all claims").Hushed(), model.PutBrake
	if e.braked(queue) {
		b, act = Bind("B", "B", "release the brake"), model.FreeBrake
	}
	if e.Judge == nil {
		return b.Refused(model.No("nothing can be changed here", ""))
	}
	return b.Refused(e.Judge.Allowed(queue, act, nil, e.Now))
}

// AskedBrake opens the dialog of the brake if its key was pressed, or says why not.
// ok is false when it was another key.
func AskedBrake(e *Env, msg tea.Msg, queue string) (a Action, ok bool) {
	b := BrakeKey(e, queue)
	if !Pressed(msg, b) {
		return nil, false
	}
	if b.Why != "" {
		return Refuse(b), true
	}
	act := model.PutBrake
	if e.braked(queue) {
		act = model.FreeBrake
	}
	return Ask{Queue: queue, Action: act}, true
}
