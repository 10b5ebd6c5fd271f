package job

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/ui/internal/fixture"
	"github.com/leasetop/leasetop/ui/kit"
)

// TestADeepPayloadIsNotIndented draws a payload of brackets only: indented it would
// be two hundred megabytes.
func TestADeepPayloadIsNotIndented(t *testing.T) {
	for _, c := range []struct {
		depth, lines int // the least that it must be, and the most for what is too deep
	}{{3, 5}, {deepest, 2*deepest - 1}, {deepest + 1, 1}, {9000, 300}} {
		deep := strings.Repeat("[", c.depth) + strings.Repeat("]", c.depth)
		got := wrap(model.Payload{Text: deep}, 76)
		if c.depth <= deepest && len(got) != c.lines || c.depth > deepest && len(got) > c.lines {
			t.Errorf("%d brackets are %d lines", c.depth, len(got))
		}
	}
}

// TestADeadRowIsCleaned holds that no byte of a dead letter steers the terminal.
func TestADeadRowIsCleaned(t *testing.T) {
	snap := fixture.RowsDead()
	row := *snap.Page.Data.Jobs[0]
	row.Worker, row.Error = "ops\x1b]0;gotcha\a\nroot", "no such\rcustomer\x1b[2J"
	snap.Page.Data.Jobs[0] = &row
	e := env(76, 20, snap)
	s, _ := New(kit.OpenJob{Queue: snap.Queue, Key: row.Key, Job: &row, At: fixture.Now().Add(-time.Second)})
	s.Update(e, kit.News{})
	view := ansi.Strip(strings.Join(s.View(e), "|"))
	if strings.ContainsAny(strings.Join(s.View(e), ""), "\r\n\a") || strings.Contains(view, "gotcha") || !strings.Contains(view, "no such⏎customer") {
		t.Errorf("%q", view)
	}
}
