package queue

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"github.com/leasetop/leasetop/internal/diagnose"
	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/ui/internal/fixture"
	"github.com/leasetop/leasetop/ui/kit"
)

// TestNoFigureIsCut holds that a rate or a forecast which is longer than usual is
// told in full or in a word, and never without its end.
func TestNoFigureIsCut(t *testing.T) {
	for rate, want := range map[string]string{"0.5": " 0.5", "~12.3": "~12.3", "~1,204": "~1,204"} {
		if got := padded(rate, 4); got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
	s := fixture.Snapshot()
	p := s.Figures()
	p.Corrupt = model.Count{} // its alarm would take the room
	for net, want := range map[float64]string{-0.3: "DRAIN growing ~0.3/s", -12.3: "DRAIN growing ~12.3/s", -1204: "DRAIN growing"} {
		d := kit.Drain{Forecast: diagnose.Forecast{Outlook: diagnose.OutlookForecast, About: true, Net: net}}
		if line := ansi.Strip(figures(env(120, 30), &p, 0, d, false)); !strings.HasSuffix(strings.TrimSpace(line), want) {
			t.Errorf("%q does not end with %q", line, want)
		}
	}
}

// TestTheReleaseComesFirst holds that a narrow footer has the key of a brake that
// is on.
func TestTheReleaseComesFirst(t *testing.T) {
	s := New("orders")
	braked := fixture.Snapshot()
	braked.Pulse.Data.Brake = &model.Brake{On: true}
	e := env(80, 21, braked)
	s.Update(e, kit.News{})
	if b := s.Keys(e)[1]; b.Help().Key != "B" || b.Quiet {
		t.Errorf("the second key is %s, %s", b.Help().Key, b.Help().Desc)
	}
}

// TestARowHasAValueOnANarrowScreen holds that a list of rows without a key names each
// by one of its values at least: they are all that a row is.
func TestARowHasAValueOnANarrowScreen(t *testing.T) {
	for _, at := range []struct {
		list          string
		width, height int
	}{{"1", 40, 9}, {"3", 40, 9}, {"1", 30, 5}, {"3", 30, 5}} {
		u := sit(t, at.width, at.height, fixture.RowsEmulated())
		u.Screen = New(fixture.RowsEmulated().Queue)
		u.Update(u.e, kit.News{})
		u.keys(at.list)
		if at.list == "3" {
			u.polled(fixture.RowsDead())
		}
		u.expect("CUSTOMERID")
	}
}
