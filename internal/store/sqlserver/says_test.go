package sqlserver

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"unicode"

	"github.com/leasetop/leasetop/internal/tdstest"
)

// TestWhatAServerSaysOfItselfIsClean: whoever may make a database names it, and its name
// stands on the screen of whoever watches it.
func TestWhatAServerSaysOfItselfIsClean(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const hostile = "Shop\x1b]0;owned\x07\u202e\r\n"
		f := facts{server: map[string]any{"edition": hostile, "collation": hostile}}
		w := serve(t, f, func(r tdstest.Request) tdstest.Reply {
			a, _ := f.answer(t, r)
			for _, part := range a {
				set, _ := part.(tdstest.Set)
				for i, name := range set.Columns {
					if slices.Contains([]string{"database", "login", "version"}, name) {
						set.Rows[0][i] = hostile
					}
				}
			}
			return a
		})
		c, err := w.q.Probe(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for name, got := range map[string]string{
			"database": c.Database, "login": c.Login, "version": c.Version, "edition": c.Server.Edition, "collation": c.Server.Collation,
		} {
			if !strings.HasPrefix(got, "Shop") || strings.ContainsFunc(got, func(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) }) {
				t.Errorf("the %s is %q", name, got)
			}
		}
	})
}
