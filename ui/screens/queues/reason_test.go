package queues

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/themes/spot"
	"github.com/leasetop/leasetop/ui/internal/fixture"
	"github.com/leasetop/leasetop/ui/kit"
)

// TestTheChosenQueuesHealthIsSaidInFull holds that what a row has no room for stands
// below the list, with its cure and how much else there is, and that the list gives
// the room up on a low screen.
func TestTheChosenQueuesHealthIsSaidInFull(t *testing.T) {
	long := strings.Repeat("a very long reason ", 20)
	b := fixture.Board(
		named("a", func(s *model.Snapshot) {
			s.Watch = model.Watch{Health: model.Down, Err: &model.Fault{Op: "probe", Code: 18456, Text: "the login was refused", Cure: "give the right password"}}
		}),
		named("b", func(s *model.Snapshot) {
			f := model.Finding{Severity: model.Bad, Text: "3 leases have run out", Cure: "run leasetop recover"}
			s.Findings = []model.Finding{f, f, f, {Text: "a remark"}}
		}),
		named("c", func(s *model.Snapshot) { s.Findings = []model.Finding{{Severity: model.Warn, Text: long}} }),
		named("d", func(*model.Snapshot) {}),
	)
	e := &kit.Env{Width: 80, Height: 21, Styles: spot.Styles(), Board: b}
	s := New()
	s.Update(e, kit.News{})
	for _, want := range []string{
		"  a  DOWN: the login was refused (error 18456): give the right password",
		"  b  ! 3 leases have run out: run leasetop recover · +2 more",
		"  c  ! a very long reason",
		"  d  ● fine",
	} {
		lines := s.View(e)
		if len(lines) > e.Height {
			t.Fatalf("%d lines", len(lines))
		}
		got := ansi.Strip(strings.Join(lines[e.Height-reasonLines:], "\n"))
		if !strings.HasPrefix(got, want) {
			t.Errorf("below the list stands %q, not %q", got, want)
		}
		if strings.Contains(want, "long") && !strings.HasSuffix(got, "…") {
			t.Errorf("what is cut does not say so: %q", got)
		}
		s.Update(e, tea.KeyPressMsg{Code: tea.KeyDown})
	}
	e.Height = reasonHeight - 1
	if got := ansi.Strip(strings.Join(s.View(e), "\n")); strings.Count(got, "● fine") != 1 {
		t.Errorf("a low screen says it twice:\n%s", got)
	}
}
