package queue

import (
	"strings"
	"testing"

	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/ui/internal/fixture"
	"github.com/leasetop/leasetop/ui/kit"
)

// TestGroupIsRequeued holds that what failed alike is one row, that an act on it is
// about all of its jobs as they were seen, and that its jobs can be looked at.
func TestGroupIsRequeued(t *testing.T) {
	u := sit(t, 120, 37, fixture.FailedAlike())
	u.keys("4", "down")
	u.expect("19 in 5 groups over 1d", "▸ 12 jobs", "crash loop: lease expired")
	if f := u.footer(); !strings.Contains(f, "↵ open the group, u requeue 12") {
		t.Errorf("it offers %s", f)
	}
	ask, ok := u.keys("u").(kit.AskBulk)
	if !ok || len(ask.Jobs) != 12 || ask.Action != model.Requeue || ask.What != "group ‹HTTP 503 from the carrier for order # after # ms›" {
		t.Errorf("it asks for %d jobs of %q", len(ask.Jobs), ask.What)
	}
	if say, ok := u.keys("w").(kit.Say); !ok || say.Text != "12 jobs together: enter opens the group, and there is each for itself" {
		t.Errorf("w says %v", say)
	}
	u.keys("enter")
	u.expect("▾ 12 jobs  HTTP 503 from the carrier for order # after # ms", "▸ 10500", "order 4011")
	u.expectNot("poison")
	if f := u.footer(); !strings.Contains(f, "esc back to the groups") {
		t.Errorf("it offers %s", f)
	}
	open, ok := u.keys("down", "enter").(kit.OpenJob)
	if !ok || open.Key != fixture.Key(10501) || open.Job == nil {
		t.Errorf("Enter opens %+v", open)
	}
	u.keys("esc")
	u.expect("▸ 12 jobs")
}

// TestGroupsFollow holds that a group stays open, and the cursor on it, while its
// jobs come and go.
func TestGroupsFollow(t *testing.T) {
	u := sit(t, 120, 37, fixture.FailedAlike())
	u.keys("4", "down", "enter")
	fewer := fixture.FailedAlike()
	fewer.Page.Data.Jobs = append(fewer.Page.Data.Jobs[:5:5], fewer.Page.Data.Jobs[9:]...)
	u.polled(fewer)
	u.expect("▾ 8 jobs", "10500")
	u.keys("home")
	u.polled(fixture.FailedList())
	u.expect("▾ 0 jobs", "no job of this group is left", "10500 left this list")
	u.keys("esc")
	u.expect("it left this list")
	if say, ok := u.keys("enter").(kit.Say); !ok || !strings.Contains(say.Text, "no row is chosen") {
		t.Errorf("Enter says %v", say)
	}
	if say, ok := u.keys("u").(kit.Say); !ok || say.Text != "the group left this list" {
		t.Errorf("u says %v", say)
	}
	u.polled(fixture.FailedAlike())
	u.expect("▸ 12 jobs")
}

// TestGroupsMarked holds that marked groups are acted on together, that a filter
// finds a group by the key of a job in it, and that one by one is one by one.
func TestGroupsMarked(t *testing.T) {
	u := sit(t, 120, 37, fixture.FailedAlike())
	u.keys("4", "space", "space")
	u.expect("2 marked", "■ 4 jobs", "■ 12 jobs")
	if ask, ok := u.keys("u").(kit.AskBulk); !ok || len(ask.Jobs) != 16 || ask.What != "marked" {
		t.Errorf("it asks for %+v", ask)
	}
	u.keys("esc", "/")
	u.types("10507")
	u.keys("enter")
	u.expect("1 of the 5 groups", "▸ 12 jobs")
	u.keys("esc", "v")
	u.expect("▸ 10402", "order 4011")
	if got := len(u.list().rows); got != 19 {
		t.Errorf("one by one there are %d", got)
	}
	u.keys("v")
	u.expect("19 in 5 groups")
}

// TestWorkerLeadsToItsJobs holds that a worker is silent in words, is no job, and
// that Enter shows what it holds.
func TestWorkerLeadsToItsJobs(t *testing.T) {
	u := sit(t, 120, 37, fixture.Crew())
	u.keys("5")
	u.expect("5 Workers 5", "silent 9m00s, may be alive", "silent 4m00s, still leased", "idle 3m00s", "12.0")
	for k, want := range map[string]string{"r": "a worker is chosen and no job", "space": "only jobs can be marked", "A": "only jobs can be marked"} {
		if say, ok := u.keys(k).(kit.Say); !ok || !strings.Contains(say.Text, want) {
			t.Errorf("%s says %v", k, say)
		}
	}
	u.keys("enter")
	u.polled(fixture.Snapshot())
	u.expect("/ worker:pick-07", "▸ 10421", "3 of the 32 listed")
}

func TestHeldBy(t *testing.T) {
	u := sit(t, 120, 37, fixture.Snapshot())
	for _, name := range []string{"", "pick-07", "host 1:pid", `a"b`, "!x", "größe"} {
		j := *fixture.Jobs()[0]
		j.Worker = name
		s := fixture.Snapshot()
		s.Page.Data.Jobs[0] = &j
		u.polled(s)
		u.follow(name)
		if !strings.Contains(" "+u.rows()+" ", " 10421 ") {
			t.Errorf("the filter %q does not find the job of %q", u.list().typed.String(), name)
		}
	}
}

// TestHistoryStaysOnTop holds that a cursor on the newest event stays there, and
// one on another event stays on that.
func TestHistoryStaysOnTop(t *testing.T) {
	u := sit(t, 120, 37, fixture.Past())
	u.keys("6")
	u.expect("▸      2s  10390    completed", "reclaimed", "ops", "the first 4")
	newer := func(n int) *model.Snapshot {
		s := fixture.Past()
		for i := range n {
			e := fixture.Event(0, model.EventCompleted, 1, "pick-02", "")
			e.Key = fixture.Key(int64(20_000 + i))
			s.Page.Data.Events = append([]model.Event{e}, s.Page.Data.Events...)
		}
		return s
	}
	u.polled(newer(1))
	u.expect("▸      0s  20000")
	u.keys("down", "down")
	u.polled(newer(2))
	if r, _ := u.list().selected(); r.event == nil || r.event.Key != fixture.Key(10421) {
		t.Errorf("the cursor is on %+v", r.event)
	}
	open, ok := u.keys("enter").(kit.OpenJob)
	if !ok || open.Key != fixture.Key(10421) || open.Job != nil {
		t.Errorf("Enter opens %+v", open)
	}
}

// TestBareTable holds which lists the five columns cannot have, and why.
func TestBareTable(t *testing.T) {
	s := fixture.Snapshot()
	s.Mapping = fixture.Bare()
	delete(s.Mapping.States, model.Failed)
	u := sit(t, 120, 37, s)
	for k, want := range map[string]string{
		"3": "counts neither attempts nor claims", "4": "names no value for the failed state", "5": "does not record who claims", "6": "has no history",
	} {
		if say, ok := u.keys(k).(kit.Say); !ok || !strings.Contains(say.Text, want) {
			t.Errorf("%s says %v", k, say)
		}
	}
	u.keys("tab", "tab")
	if u.tab != 0 {
		t.Errorf("two lists on it is at %d", u.tab)
	}
	s.Caps.Can = map[model.Feature]model.Verdict{model.CanHistory: model.No("SELECT on the history is missing", "")}
	s.Mapping = fixture.Mapping()
	u.polled(s)
	if say, ok := u.keys("6").(kit.Say); !ok || !strings.Contains(say.Text, "SELECT on the history") {
		t.Errorf("without the right it says %v", say)
	}
}
