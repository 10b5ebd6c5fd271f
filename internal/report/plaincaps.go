package report

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
)

// PlainCaps writes what a probe found out, as comments above the statements that
// follow from it: the server, and of each thing that cannot be done here the reason
// and the cure.
func PlainCaps(w io.Writer, c *model.Caps) error {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, "-- %s\n", text.Clean(fmt.Sprintf(format, args...))) }
	line("%s %s, database %s, login %s, connection %s", or(c.Server.Product, c.Engine), c.Version, or(c.Database, "–"), or(c.Login, "–"), or(c.Encrypted, "–"))
	for _, l := range c.Server.Lines() {
		line("%s", l)
	}
	for _, f := range slices.Sorted(maps.Keys(c.Can)) {
		if v := c.Can[f]; !v.OK {
			line("cannot %s: %s", f, Sentence(v))
		}
	}
	for _, n := range c.Notes {
		line("%s", n)
	}
	b.WriteByte('\n')
	_, err := io.WriteString(w, b.String())
	return err
}
