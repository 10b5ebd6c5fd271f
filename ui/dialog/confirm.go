package dialog

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"github.com/leasetop/leasetop/actions"
	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/ui/kit"
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

	form
	planned terms // what the plan was made with
	script  bool  // the text is the statement for somebody else to run
	place   kit.Pager
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
			c.take(msg)
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
		c.put(msg)
	case tea.KeyPressMsg:
		return c.press(e, msg)
	}
	return nil
}

// take takes the plan that was asked for.
func (c *Confirm) take(msg kit.Planned) {
	c.stage, c.plan, c.failed, c.planned = open, msg.Plan, msg.Err, terms{msg.Reason, msg.By, msg.Far}
	c.want, c.printed = c.plan.Confirm, c.plan.PrintOnly
	c.script = c.script || c.printed
	if c.ask.Action == model.Extend && c.plan.Mapping != nil {
		c.usual = c.plan.Mapping.UsualLease()
	}
}

// watch compares the row as it was shown with the newest list that has it.
func (c *Confirm) watch(e *kit.Env) {
	if c.drift != "" || c.stage == sending {
		return
	}
	if c.ask.Action.OnQueue() {
		c.watchBrake(e)
		return
	}
	s := e.Live.Queue(c.ask.Queue)
	if s == nil || s.Page.Err != nil || !s.Page.At.After(c.ask.At) {
		return
	}
	for _, j := range s.Page.Data.Jobs {
		if j.Key == c.ask.Job.Key {
			c.drift = actions.Drift(c.ask.Action, s.Mapping.Column(model.RoleToken), c.ask.Job, j, s.Page.At)
			return
		}
	}
	if v := model.ViewOf(c.ask.Job.State); v != model.ViewNone && s.Page.Data.View == v && !s.Page.Data.More {
		c.drift = left(c.ask.Job.State)
	}
}

func (c *Confirm) press(e *kit.Env, msg tea.KeyPressMsg) kit.Action {
	c.hint = ""
	switch msg.String() {
	case "esc":
		return c.cancel()
	case "ctrl+y":
		if script := c.plan.Statement.Script; c.script && script != "" {
			return kit.Copy{What: "the script", Text: text.CleanBlock(script, 1<<20)}
		}
		if c.plan.Statement.Text != "" {
			return kit.Copy{What: "the statement", Text: kit.StatementText(c.plan.Statement)}
		}
	case "tab":
		return c.step(1)
	case "shift+tab":
		return c.step(-1)
	case "ctrl+p":
		c.script, c.place = !c.script || c.printed, kit.Pager{}
	case "enter":
		return c.enter()
	default:
		return c.other(e, msg)
	}
	return nil
}

// other is a key that may be meant for an input, the text, or an arrow between the
// buttons.
func (c *Confirm) other(e *kit.Env, msg tea.KeyPressMsg) kit.Action {
	if c.put(msg) {
		return nil
	}
	switch msg.String() {
	case "right", "l":
		return c.step(1)
	case "left", "h":
		return c.step(-1)
	}
	page, _ := footed(e, c.text, c.foot)
	c.place.Press(page, msg.String())
	return nil
}

// put gives text to the form while it may still be changed.
func (c *Confirm) put(msg tea.Msg) bool {
	return c.stage != sending && c.drift == "" && c.write(msg)
}

// step moves the focus. Leaving an input makes the plan anew, so that the statement
// on the screen is the one that would be sent.
func (c *Confirm) step(by int) kit.Action {
	if c.stage == sending {
		return nil
	}
	c.move(by)
	return c.replan()
}

func (c *Confirm) replan() kit.Action {
	t, bad := c.terms()
	if c.stage != open || c.failed != nil || c.focus == onReason || c.focus == onSpan || bad != "" || t == c.planned {
		return nil
	}
	c.stage = planning
	return kit.MakePlan{ID: c.id, Ask: c.ask, Reason: t.reason, By: t.by, Far: t.far}
}

func (c *Confirm) enter() kit.Action {
	switch c.focus {
	case onCancel:
		if c.moved || c.printed {
			return c.cancel()
		}
		c.hint = fmt.Sprintf("nothing was sent: ⇥ moves to %s, esc closes", verb(c.ask.Action))
		return nil
	case onSpan, onFar, onReason, onTyped:
		return c.step(1)
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
	switch {
	case c.drift != "":
		return "changed while you were reading"
	case c.stage == sending:
		return "it was sent already"
	case c.stage == planning:
		return "the plan is being made"
	case c.failed != nil:
		return "there is no plan"
	}
	if why := c.form.blocked(); why != "" {
		return why
	}
	if t, _ := c.terms(); t != c.planned {
		return "the plan is being made with this"
	}
	if !c.plan.Refusal.OK {
		return "refused"
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
	keys := AskKeys()
	if c.script {
		keys[len(keys)-2].SetHelp("ctrl+y", "copy script")
		keys[len(keys)-1].SetHelp("ctrl+p", "back")
	}
	if c.printed {
		return keys[:len(keys)-1]
	}
	return keys
}

// AskKeys are the keys while an act is asked about, the last two those of its
// statement.
func AskKeys() []kit.Binding {
	return []kit.Binding{
		kit.Bind("esc", "esc", "cancel"), kit.Bind("tab shift+tab", "⇥", "move"),
		kit.Bind("enter", "↵", "choose"), kit.ReadOn,
		kit.Bind("ctrl+y", "ctrl+y", "copy statement"), kit.Bind("ctrl+p", "ctrl+p", "print"),
	}
}
