package dialog

import (
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/themes"
	"github.com/leasetop/leasetop/ui/kit"
)

// slot is a place that the focus can be on.
type slot uint8

const (
	onCancel slot = iota // the default, which does nothing
	onSpan
	onFar
	onReason
	onTyped
	onApply
)

// form is what an operator gives before something is sent, and the choice between
// leaving and sending.
type form struct {
	want    model.Confirm
	usual   time.Duration // an extension's usual length; zero: no length is asked for
	printed bool          // nothing can be sent from here: there is no button for it

	focus               slot
	moved               bool // the operator has moved the focus
	reason, typed, span kit.Input
	far                 bool
	hint                string
}

// terms are what a plan is made with.
type terms struct {
	reason string
	by     time.Duration // zero: the usual length
	far    bool
}

// terms reads the inputs; bad says what cannot be read.
func (f *form) terms() (t terms, bad string) {
	t.reason = strings.TrimSpace(f.reason.String())
	s := strings.TrimSpace(f.span.String())
	if f.usual == 0 || s == "" {
		return t, ""
	}
	d, err := time.ParseDuration(s)
	if err != nil || d < time.Second {
		return t, fmt.Sprintf("%q is no length: write it as 90s, 10m or 1h", s)
	}
	t.by = d.Truncate(time.Second)
	t.far = f.far && t.by > f.usual
	return t, ""
}

// slots are the places of the focus in their order.
func (f *form) slots() []slot {
	s := []slot{onCancel}
	if f.usual > 0 {
		s = append(s, onSpan)
		if t, _ := f.terms(); t.by > f.usual {
			s = append(s, onFar)
		}
	}
	if f.want.Reason {
		s = append(s, onReason)
	}
	if f.want.Type != "" {
		s = append(s, onTyped)
	}
	if f.printed {
		return s
	}
	return append(s, onApply)
}

// move moves the focus.
func (f *form) move(by int) {
	s := f.slots()
	at := 0
	for i, x := range s {
		if x == f.focus {
			at = i
		}
	}
	f.focus, f.moved = s[(at+by+len(s))%len(s)], true
}

// input is the input on a slot, nil where there is none.
func (f *form) input(on slot) *kit.Input {
	switch on {
	case onSpan:
		return &f.span
	case onReason:
		return &f.reason
	case onTyped:
		return &f.typed
	case onCancel, onFar, onApply:
	}
	return nil
}

// write gives text to the input in focus. Text typed on the buttons goes to the
// first input there is, because that is what it was meant for.
func (f *form) write(msg tea.Msg) bool {
	on := f.focus
	k, isKey := msg.(tea.KeyPressMsg)
	if on == onFar && isKey && k.Text == " " {
		f.far, f.moved = !f.far, true
		return true
	}
	if s := f.slots(); on == onCancel && len(s) > 1 && f.input(s[1]) != nil && (!isKey || k.Text != "") {
		on = s[1]
	}
	in := f.input(on)
	if in == nil || !in.Update(msg) {
		return false
	}
	f.focus, f.moved = on, true
	return true
}

// blocked says what is missing, empty when all is given.
func (f *form) blocked() string {
	t, bad := f.terms()
	switch {
	case bad != "":
		return bad
	case f.want.Reason && t.reason == "":
		return "a reason is wanted first"
	case f.want.Type != "" && f.typed.String() != f.want.Type:
		return fmt.Sprintf("type %s first", f.want.Type)
	}
	return ""
}

// fields draws the inputs.
func (f *form) fields(e *kit.Env, width int) []string {
	st := e.Styles
	var out []string
	for _, on := range f.slots() {
		label := ""
		switch on {
		case onSpan:
			label = "for (empty: " + text.Exact(f.usual) + ")"
		case onFar:
			out = append(out, f.choice(e, width))
			continue
		case onReason:
			label = "reason"
		case onTyped:
			label = "type " + text.Cut(text.Clean(f.want.Type), 24)
		case onCancel, onApply:
			continue
		}
		out = append(out, field(st, label, f.input(on), width, f.focus == on))
	}
	return out
}

// choice is the opt-in of an extension beyond the usual lease.
func (f *form) choice(e *kit.Env, width int) string {
	mark, tone := "[ ]", themes.Dim
	if f.far {
		mark = "[x]"
	}
	if f.focus == onFar {
		tone = themes.Accent
	}
	s := mark + " also beyond one lease: should the worker be dead, the job lies parked that long (space)"
	return e.Styles.Of(tone).Render(text.Cut(s, width))
}

// buttons draws the way out and, where something can be sent, its button. A word that
// is cut says so: a number without its end is another.
func (f *form) buttons(st *themes.Styles, word string, tone themes.Token, width int) string {
	var l kit.Line
	leave := "Cancel"
	if f.printed {
		leave = "Close"
	}
	button(st, &l, leave, f.focus == onCancel, themes.Plain)
	if f.printed {
		return l.String()
	}
	l.Blank(3)
	const around = len("> ") + len(" ")
	button(st, &l, text.Cut(word, width-l.Width()-around), f.focus == onApply, tone)
	return l.String()
}

func button(st *themes.Styles, l *kit.Line, word string, focused bool, tone themes.Token) {
	if focused {
		l.Text(st.On(tone), "▸ "+word+" ")
		return
	}
	l.Text(st.Of(tone), "  "+word+" ")
}

func field(st *themes.Styles, label string, in *kit.Input, width int, focused bool) string {
	tone := themes.Dim
	if focused {
		tone = themes.Accent
	}
	var l kit.Line
	l.Text(st.Of(tone), text.Cut(label, width/2)+" ")
	l.Text(st.Of(themes.Border), "│")
	return l.String() + in.Draw(st, width-l.Width(), focused)
}

func hintLine(st *themes.Styles, hint string, width int) string {
	return st.Of(themes.Warn).Render(text.Cut(text.Clean(hint), width))
}
