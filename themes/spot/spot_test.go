package spot

import (
	"strings"
	"testing"

	uv "github.com/charmbracelet/ultraviolet"

	"github.com/leasetop/leasetop/themes"
)

// TestNamesComeBack holds that what is drawn in a token's ink is read as that
// token, so that goldens mean something.
func TestNamesComeBack(t *testing.T) {
	for _, tok := range themes.Tokens() {
		if tok == themes.Plain || tok == themes.Selected {
			continue
		}
		for on, line := range map[bool]string{false: Styles().Of(tok).Render("x"), true: Styles().On(tok).Render("x")} {
			buf := uv.NewScreenBuffer(3, 1)
			uv.NewStyledString(strings.TrimSpace(line)).Draw(buf, buf.Bounds())
			c := buf.CellAt(0, 0)
			if got := Name(c.Style.Fg); got != tok.String() {
				t.Errorf("%s is read as %s", tok, got)
			}
			if got := Name(c.Style.Bg) == themes.Selected.String(); got != on {
				t.Errorf("%s: selected is read as %v, not %v", tok, got, on)
			}
		}
	}
}
