package queue

import (
	"strings"
	"testing"

	"github.com/leasetop/leasetop/ui/internal/fixture"
	"github.com/leasetop/leasetop/ui/kit"
)

// TestWords holds that the help explains the words that the screen has, and for each
// family its own.
func TestWords(t *testing.T) {
	rows := &user{T: t, Screen: New(fixture.Rows().Queue), e: env(120, 37, fixture.Rows())}
	rows.Update(rows.e, kit.News{})
	for _, c := range []struct {
		u          *user
		has, lacks string
	}{
		{sit(t, 120, 37, fixture.Snapshot()), "drain", "head"},
		{rows, "head", "drain"},
	} {
		view := strings.ToLower(strings.Join(c.u.View(c.u.e), "\n"))
		said := map[string]bool{}
		for _, w := range kit.Explainer(c.u.Screen).Words(c.u.e) {
			said[w.Word] = true
			if w.Means == "" || len(w.Word) > 12 {
				t.Errorf("%q means %q", w.Word, w.Means)
			}
		}
		if !said[c.has] || !strings.Contains(view, c.has) || said[c.lacks] {
			t.Errorf("%q and not %q: %v", c.has, c.lacks, said)
		}
	}
}
