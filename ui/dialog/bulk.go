package dialog

import (
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/leasetop/leasetop/actions"
	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/ui/kit"
)

// Bulk asks whether an act is to be sent to several jobs, and shows how far it has
// come while it is. It is about the jobs as they were shown: it counts what has
// changed since, and each job's own statement matches it as it was.
type Bulk struct {
	id      int
	set     actions.Set
	stage   stage
	preview actions.Preview
	failed  error         // there is no preview
	since   actions.Moved // how the jobs have changed, as far as the newest list tells

	form
	planned terms // what the preview was made with
	place   kit.Pager

	progress actions.Progress
	halting  bool // it was told to stop
}

// NewBulk opens the dialog and asks for its preview. id names the dialog in the
// answers.
func NewBulk(e *kit.Env, id int, ask kit.AskBulk) (*Bulk, kit.Action) {
	b := &Bulk{id: id, set: actions.Freeze(ask.Queue, ask.Action, ask.Jobs, ask.At, ask.What)}
	b.watch(e)
	return b, kit.MakePreview{ID: id, Set: b.set}
}

// Update implements kit.Dialog.
func (b *Bulk) Update(e *kit.Env, msg tea.Msg) kit.Action {
	switch msg := msg.(type) {
	case kit.News:
		b.watch(e)
	case kit.Previewed:
		if msg.ID == b.id && b.stage == planning {
			b.take(msg)
			return b.replan()
		}
	case kit.Moved:
		if msg.ID == b.id {
			b.progress = msg.Progress
		}
	case kit.Ended:
		if msg.ID == b.id {
			return kit.ShowResult{Set: b.set, Result: msg.Result}
		}
	case tea.PasteMsg:
		b.put(msg)
	case tea.KeyPressMsg:
		return b.press(e, msg)
	}
	return nil
}

// take takes the preview that was asked for.
func (b *Bulk) take(msg kit.Previewed) {
	b.stage, b.preview, b.failed, b.planned = open, msg.Preview, msg.Err, terms{b.set.Reason, b.set.By, b.set.Far}
	b.want, b.printed = b.preview.Confirm, b.preview.First.PrintOnly
	if m := b.preview.First.Mapping; b.set.Action == model.Extend && m != nil {
		b.usual = m.UsualLease()
	}
	if b.want.Reason && b.preview.Refusal.OK && !b.moved {
		b.hint = "a reason is wanted first: type it, ⇥ goes on"
	}
}

// watch compares the jobs with the newest list.
func (b *Bulk) watch(e *kit.Env) {
	s := e.Live.Queue(b.set.Queue)
	if b.stage == sending || s == nil || s.Page.Err != nil || !s.Page.At.After(b.set.At) {
		return
	}
	b.since = b.set.Since(s.Page.Data, s.Page.At)
}

func (b *Bulk) press(e *kit.Env, msg tea.KeyPressMsg) kit.Action {
	b.hint = ""
	if b.stage == sending {
		return b.stop(msg)
	}
	switch msg.String() {
	case "esc":
		return kit.Close{}
	case "tab":
		return b.step(1)
	case "shift+tab":
		return b.step(-1)
	case "enter":
		return b.enter()
	default:
		if b.put(msg) {
			return nil
		}
		switch msg.String() {
		case "right", "l":
			return b.step(1)
		case "left", "h":
			return b.step(-1)
		}
		page, _ := footed(e, b.text, b.foot)
		b.place.Press(page, msg.String())
	}
	return nil
}

// stop is a key while the jobs are being done: only esc means something.
func (b *Bulk) stop(msg tea.KeyPressMsg) kit.Action {
	if msg.String() != "esc" {
		return nil
	}
	b.halting = true
	return kit.StopBulk{ID: b.id}
}

func (b *Bulk) put(msg tea.Msg) bool { return b.stage != sending && b.write(msg) }

// step moves the focus. Leaving an input makes the preview anew, so that what is on
// the screen is what would be sent.
func (b *Bulk) step(by int) kit.Action {
	b.move(by)
	return b.replan()
}

func (b *Bulk) replan() kit.Action {
	t, bad := b.terms()
	if b.stage != open || b.failed != nil || b.focus == onReason || b.focus == onSpan || bad != "" || t == b.planned {
		return nil
	}
	b.stage = planning
	b.set.Reason, b.set.By, b.set.Far = t.reason, t.by, t.far
	return kit.MakePreview{ID: b.id, Set: b.set}
}

func (b *Bulk) enter() kit.Action {
	switch b.focus {
	case onCancel:
		if b.moved || b.printed {
			return kit.Close{}
		}
		b.hint = fmt.Sprintf("nothing was sent: ⇥ moves to %s, esc closes", b.word())
		return nil
	case onSpan, onFar, onReason, onTyped:
		return b.step(1)
	case onApply:
	}
	if why := b.blocked(); why != "" {
		b.hint = why
		return nil
	}
	b.stage, b.progress = sending, actions.Progress{Total: len(b.set.Rows)}
	return kit.SendBulk{ID: b.id, Set: b.set, Typed: b.typed.String()}
}

// blocked says why the set cannot be sent now, empty when it can.
func (b *Bulk) blocked() string {
	switch {
	case b.stage == sending:
		return "it was sent already"
	case b.stage == planning:
		return "the preview is being made"
	case b.failed != nil:
		return "there is no preview"
	case !b.preview.Refusal.OK:
		return "refused"
	}
	if why := b.form.blocked(); why != "" {
		return why
	}
	if t, _ := b.terms(); t != b.planned {
		return "the preview is being made with this"
	}
	return ""
}

// word is what stands on the button: how many jobs it would be tried on.
func (b *Bulk) word() string { return fmt.Sprintf("%s %d", verb(b.set.Action), len(b.set.Rows)) }

// Keys implements kit.Dialog.
func (b *Bulk) Keys(*kit.Env) []kit.Binding {
	if b.stage == sending {
		return []kit.Binding{
			kit.Bind("esc", "esc", "stop after the job in hand"), kit.Bind("ctrl+c", "ctrl+c", "stop and leave"),
		}
	}
	return []kit.Binding{
		kit.Bind("esc", "esc", "cancel"), kit.Bind("tab shift+tab", "⇥", "move"),
		kit.Bind("enter", "↵", "choose"), kit.ReadOn,
	}
}

// pace is how long a set takes at the usual pace.
func pace(n int) time.Duration {
	return time.Duration(float64(n) / actions.DefaultPace * float64(time.Second))
}
