package dialog

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/leasetop/leasetop/actions"
	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/ui/kit"
)

// slot is a place that the focus can be on.
type slot uint8

const (
	onCancel slot = iota // the default, which does nothing
	onReason
	onTyped
	onApply
)

// stage is how far a confirmation has come.
type stage uint8

const (
	planning stage = iota // the desk was asked for the plan
	open                  // the plan is on the screen
	sending               // the statement is on its way: there is no way back
)

// Confirm asks whether an act is to be sent. It is about the row that was shown:
// when that row changes meanwhile it says so and sends nothing any more.
type Confirm struct {
	id     int
	ask    kit.Ask
	stage  stage
	plan   model.Plan
	failed error  // no plan could be made
	drift  string // how the row has changed since it was shown; never taken back

	focus         slot
	moved         bool // the operator has moved the focus
	reason, typed input
	planned       string // the reason that the plan was made with
	scroll, below int    // first line of the text, and how far it can be scrolled
	hint          string
}

// NewConfirm opens a confirmation and asks for its plan. id names the dialog in
// the answers.
func NewConfirm(e *kit.Env, id int, ask kit.Ask) (*Confirm, kit.Action) {
	c := &Confirm{id: id, ask: ask}
	c.watch(e)
	return c, kit.MakePlan{ID: id, Ask: ask}
}

// Update implements kit.Dialog.
func (c *Confirm) Update(e *kit.Env, msg tea.Msg) kit.Action {
	switch msg := msg.(type) {
	case kit.News:
		c.watch(e)
	case kit.Planned:
		if msg.ID == c.id && c.stage == planning {
			c.stage, c.plan, c.failed, c.planned = open, msg.Plan, msg.Err, msg.Reason
			if c.plan.Confirm.Reason && c.plan.Refusal.OK && !c.moved {
				c.hint = "a reason is wanted first: type it, ⇥ goes on"
			}
			return c.replan()
		}
	case kit.Receipted:
		if msg.ID == c.id {
			return kit.ShowReceipt{Receipt: msg.Receipt}
		}
	case tea.PasteMsg:
		c.write(msg)
	case tea.KeyPressMsg:
		return c.press(msg)
	}
	return nil
}

// watch compares the row as it was shown with the newest list that has it.
func (c *Confirm) watch(e *kit.Env) {
	if c.drift != "" || c.stage == sending {
		return
	}
	s := e.Live.Queue(c.ask.Queue)
	if s == nil || s.Page.Err != nil || !s.Page.At.After(c.ask.At) {
		return
	}
	for _, j := range s.Page.Data.Jobs {
		if j.Key == c.ask.Job.Key {
			c.drift = actions.Drift(c.ask.Action, c.ask.Job, j, s.Page.At)
			return
		}
	}
	if v := kit.ViewOf(c.ask.Job.State); v != model.ViewNone && s.Page.Data.View == v && !s.Page.Data.More {
		c.drift = left(c.ask.Job.State)
	}
}

func (c *Confirm) press(msg tea.KeyPressMsg) kit.Action {
	c.hint = ""
	switch msg.String() {
	case "esc":
		return c.cancel()
	case "up":
		c.scroll = max(0, c.scroll-1)
	case "down":
		c.scroll = min(c.scroll+1, c.below)
	case "pgup":
		c.scroll = max(0, c.scroll-8)
	case "pgdown":
		c.scroll = min(c.scroll+8, c.below)
	case "tab":
		return c.move(1)
	case "shift+tab":
		return c.move(-1)
	case "enter":
		return c.enter()
	default:
		return c.other(msg)
	}
	return nil
}

// other is a key that may be meant for an input, or an arrow between the buttons.
func (c *Confirm) other(msg tea.KeyPressMsg) kit.Action {
	if c.write(msg) {
		return nil
	}
	switch msg.String() {
	case "right", "l":
		return c.move(1)
	case "left", "h":
		return c.move(-1)
	}
	return nil
}

// write gives text to the input in focus. Text typed on the buttons goes to the
// first input there is, because that is what it was meant for.
func (c *Confirm) write(msg tea.Msg) bool {
	if c.stage == sending || c.drift != "" {
		return false
	}
	on := c.focus
	if k, isKey := msg.(tea.KeyPressMsg); on == onCancel && len(c.slots()) > 2 && (!isKey || k.Text != "") {
		on = c.slots()[1]
	}
	switch {
	case on == onReason && c.reason.update(msg):
	case on == onTyped && c.typed.update(msg):
	default:
		return false
	}
	c.focus, c.moved = on, true
	return true
}

// slots are the places of the focus in their order.
func (c *Confirm) slots() []slot {
	s := []slot{onCancel}
	if c.plan.Confirm.Reason {
		s = append(s, onReason)
	}
	if c.plan.Confirm.Type != "" {
		s = append(s, onTyped)
	}
	return append(s, onApply)
}

// move moves the focus. Leaving the reason makes the plan anew, so that the
// statement on the screen is the one that would be sent.
func (c *Confirm) move(by int) kit.Action {
	if c.stage == sending {
		return nil
	}
	s := c.slots()
	at := 0
	for i, x := range s {
		if x == c.focus {
			at = i
		}
	}
	c.focus, c.moved = s[(at+by+len(s))%len(s)], true
	return c.replan()
}

func (c *Confirm) replan() kit.Action {
	reason := strings.TrimSpace(c.reason.String())
	if c.stage != open || c.failed != nil || c.focus == onReason || reason == c.planned {
		return nil
	}
	c.stage = planning
	return kit.MakePlan{ID: c.id, Ask: c.ask, Reason: reason}
}

func (c *Confirm) enter() kit.Action {
	switch c.focus {
	case onCancel:
		if c.moved {
			return c.cancel()
		}
		c.hint = fmt.Sprintf("nothing was sent: ⇥ moves to %s, esc closes", verb(c.ask.Action))
		return nil
	case onReason, onTyped:
		return c.move(1)
	case onApply:
	}
	if why := c.blocked(); why != "" {
		c.hint = why
		return nil
	}
	c.stage = sending
	return kit.Send{ID: c.id, Plan: c.plan, Typed: c.typed.String()}
}

func (c *Confirm) cancel() kit.Action {
	if c.stage == sending {
		c.hint = "the statement is on its way: its receipt comes in a moment"
		return nil
	}
	return kit.Close{}
}

// blocked says why the act cannot be sent now, empty when it can.
func (c *Confirm) blocked() string {
	reason := strings.TrimSpace(c.reason.String())
	switch {
	case c.drift != "":
		return "changed while you were reading"
	case c.stage == sending:
		return "it was sent already"
	case c.stage == planning:
		return "the plan is being made"
	case c.failed != nil:
		return "there is no plan"
	case !c.plan.Refusal.OK:
		return "refused"
	case c.plan.Confirm.Reason && reason == "":
		return "a reason is wanted first"
	case c.plan.Confirm.Type != "" && c.typed.String() != c.plan.Confirm.Type:
		return fmt.Sprintf("type %s first", c.plan.Confirm.Type)
	case reason != c.planned:
		return "the plan is being made with this reason"
	}
	return ""
}

// Keys implements kit.Dialog.
func (c *Confirm) Keys(*kit.Env) []kit.Binding {
	if c.stage == sending {
		return []kit.Binding{kit.Bind("ctrl+c", "ctrl+c", "leave: the journal has noted what was sent")}
	}
	if c.drift != "" {
		return []kit.Binding{kit.Bind("esc", "esc", "close")}
	}
	return []kit.Binding{
		kit.Bind("esc", "esc", "cancel"), kit.Bind("tab shift+tab", "⇥", "move"),
		kit.Bind("enter", "↵", "choose"), kit.Bind("up down", "↑ ↓", "read on"),
	}
}
