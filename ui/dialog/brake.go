// Package dialog is the boxes that lie over a screen: they confirm acts, show what
// became of them, and help.
package dialog

import (
	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/themes"
	"github.com/leasetop/leasetop/ui/kit"
)

// watchBrake compares the brake that the plan was made about with the newest pulse.
func (c *Confirm) watchBrake(e *kit.Env) {
	s, was := e.Live.Queue(c.ask.Queue), c.plan.Brake
	if s == nil || was == nil || s.Pulse.Err != nil || s.Pulse.Data.Brake == nil || !s.Pulse.At.After(c.plan.At) {
		return
	}
	switch now := s.Pulse.Data.Brake; {
	case now.On && !was.On:
		c.drift = "the brake was put " + now.Words()
	case !now.On && was.On:
		c.drift = "the brake was released " + now.Words()
	}
}

// brakeRow is the brake as it was read for the plan.
func (c *Confirm) brakeRow(e *kit.Env, width int) []string {
	b := c.plan.Brake
	if b == nil {
		return nil
	}
	state := "the brake is off"
	if b.On {
		state = "the brake is on, put " + b.Words()
	}
	return append(paragraphs(e.Styles.Of(themes.Strong), "as read at "+e.Clock(c.plan.At, true)+": "+text.Clean(state), width), "")
}
