package dialog

import (
	tea "charm.land/bubbletea/v2"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/themes"
	"github.com/leasetop/leasetop/ui/kit"
)

// Copy lets it be chosen what of a job goes to the clipboard.
type Copy struct{ of kit.Chosen }

// NewCopy opens the choice.
func NewCopy(of kit.Chosen) *Copy { return &Copy{of} }

// part is something of a job that can be copied.
type part struct {
	kit.Binding
	what, shown string
	action      kit.Action
}

// parts are what there is to copy.
func (c *Copy) parts(e *kit.Env) []part {
	j := c.of.Job
	out := []part{c.part("k", "key", text.Clean(j.Key.String()))}
	if !j.Token.IsZero() {
		out = append(out, c.part("t", "token", text.Clean(j.Token.String())))
	}
	if j.Operation != "" {
		out = append(out, c.part("o", "operation", text.Clean(j.Operation)))
	}
	act, v := e.Foremost(c.of)
	s := part{Binding: kit.Bind("s", "s", "statement").Refused(v), what: "the statement", shown: "of " + act.String()}
	if s.action = (kit.CopyStatement{Ask: kit.Ask{Queue: c.of.Queue, Action: act, Job: j, At: c.of.At}}); act == model.ActionNone {
		s.shown, s.action = s.Why, kit.Refuse(s.Binding)
	}
	return append(out, s)
}

func (c *Copy) part(key, what, value string) part {
	return part{Binding: kit.Bind(key, key, what), what: "the " + what, shown: value, action: kit.Copy{What: "the " + what, Text: value}}
}

// Keys implements kit.Dialog.
func (c *Copy) Keys(e *kit.Env) []kit.Binding {
	var out []kit.Binding
	for _, p := range c.parts(e) {
		out = append(out, p.Binding)
	}
	return append(out, kit.Bind("esc y q", "esc", "close"))
}

// Update implements kit.Dialog.
func (c *Copy) Update(e *kit.Env, msg tea.Msg) kit.Action {
	k, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return nil
	}
	for _, p := range c.parts(e) {
		if kit.Pressed(msg, p.Binding) {
			return kit.Many{kit.Close{}, p.action}
		}
	}
	switch k.String() {
	case "esc", "y", "q":
		return kit.Close{}
	}
	return nil
}

// copyWidth is how wide the choice gets: an operation id and its name.
const copyWidth = 60

// View implements kit.Dialog.
func (c *Copy) View(e *kit.Env) []string {
	width := widthOf(e, copyWidth)
	if width < 12 || e.Height < 6 {
		return nil
	}
	var body []string
	for _, p := range c.parts(e) {
		key, value := themes.Accent, themes.Plain
		if p.Why != "" {
			key, value = themes.Off, themes.Off
		}
		var l kit.Line
		l.Text(e.Styles.Of(key), " "+p.Label(e.ASCII)+"  ")
		l.Text(e.Styles.Of(themes.Dim), text.PadRight(p.Help().Desc, 11))
		l.Text(e.Styles.Of(value), text.Cut(p.shown, width-l.Width()-3))
		body = append(body, l.String())
	}
	name := text.Cut(text.Clean(c.of.Job.Key.String()), 24)
	b := kit.Box{Edge: e.Edge, Title: kit.Spans{{Tone: themes.Strong, Text: "copy of " + name}}}
	return b.Draw(e.Styles, width, body)
}
