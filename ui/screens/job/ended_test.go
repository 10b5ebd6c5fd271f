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

// TestWhatEndedLiesFurtherBack holds that the page of a job which has ended, and
// which no poll reads again, does not go on to say that it ended just now.
func TestWhatEndedLiesFurtherBack(t *testing.T) {
	snap := fixture.Snapshot()
	e := env(90, 40, snap)
	s := open()
	s.Update(e, kit.News{})
	done := *fixture.Jobs()[0]
	done.State, done.Ended = model.Done, fixture.At(0)
	s.Update(e, read(&done, fixture.Now()))
	ends := func() string {
		for _, l := range s.View(e) {
			if l = ansi.Strip(l); strings.Contains(l, "CompletedAt") {
				return strings.TrimSpace(l[strings.LastIndex(l, "  "):])
			}
		}
		return ""
	}
	if got := ends(); got != "0s ago" {
		t.Fatalf("it ended %q", got)
	}
	snap.Pulse.At = fixture.Now().Add(95 * time.Second)
	if got := ends(); got != "1m35s ago" {
		t.Errorf("95 seconds later it ended %q", got)
	}
	done.State = model.Working
	if got := ends(); got != "0s ago" {
		t.Errorf("of a job in work that was not read again it says %q", got)
	}
}

// TestARowThatIsGoneHoldsNothing holds that the page of a row which is gone does not
// go on to say that it waits or is locked.
func TestARowThatIsGoneHoldsNothing(t *testing.T) {
	snap := fixture.RowsEmulated()
	row := snap.Page.Data.Jobs[0]
	e := env(80, 30, snap)
	s, _ := New(kit.OpenJob{Queue: snap.Queue, Key: row.Key, Job: row, At: snap.Now()})
	s.Update(e, kit.News{})
	view := func() string { return ansi.Strip(strings.Join(s.View(e), "\n")) }
	if v := view(); !strings.Contains(v, "locked now") || !strings.Contains(v, "waiting") {
		t.Fatalf("a locked row\n%s", v)
	}
	s.Update(e, kit.JobRead{Queue: snap.Queue, Key: row.Key, At: snap.Now()})
	if v := view(); !strings.Contains(v, "gone") || strings.Contains(v, "locked now") || strings.Contains(v, "waiting") {
		t.Errorf("a row that is gone\n%s", v)
	}
}
