package kit

import (
	"fmt"
	"strings"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
)

// Copy puts text on the terminal's clipboard and says what it was.
type Copy struct {
	What string // such as "the key"
	Text string // cleaned
}

// CopyStatement makes the plan of an act and puts its statement on the clipboard.
type CopyStatement struct{ Ask Ask }

func (Copy) action()          {}
func (CopyStatement) action() {}

// Foremost is the act that fits a job best of those that are allowed, with the
// verdict on it; where none is, model.ActionNone with the verdict on the best.
func (e *Env) Foremost(c Chosen) (model.Action, model.Verdict) {
	v := model.No("no act fits its state", "")
	for i, want := range c.fitting() {
		x := e.allowed(want, c)
		if x.OK {
			return want, x
		}
		if i == 0 {
			v = x
		}
	}
	return model.ActionNone, v
}

// StatementText is a statement for somebody else to read or to run, its values
// above it.
func StatementText(s model.Statement) string {
	var b strings.Builder
	for _, x := range s.Args {
		b.WriteString("-- @" + text.Clean(fmt.Sprintf("%s %s = %s", strings.TrimPrefix(x.Name, "@"), x.Declared, x.Value)) + "\n")
	}
	return b.String() + strings.TrimRight(text.CleanBlock(s.Text, 1<<16), "\n") + "\n"
}
