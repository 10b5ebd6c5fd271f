package ui

import (
	"slices"
	"testing"
	"time"

	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/ui/internal/fixture"
	"github.com/leasetop/leasetop/ui/internal/shot"
	"github.com/leasetop/leasetop/ui/kit"
)

// TestWhyFromTheList presses w on a ready job: the dialog says what one look at the
// row, its place and its locks found out, and no act was asked for.
func TestWhyFromTheList(t *testing.T) {
	for _, size := range []struct {
		name          string
		width, height int
	}{{"why-80x24", 80, 24}, {"why-120x40", 120, 40}} {
		list := fixture.ReadyList()
		r := newRig(size.width, size.height, nil, list)
		job := *list.Page.Data.Jobs[2]
		r.details.job, r.details.page = &job, list.Page.Data
		r.details.locks = model.Locks{Skipped: model.NumberOf(1), Holders: []model.Holder{{
			Session: 61, Level: model.LockRow, Mode: "X", Program: "Billing", Host: "APP-3", Login: "svc_billing", Status: "sleeping",
			Held: model.Age{D: 252 * time.Second, Trust: model.Exact}, Running: "UPDATE dbo.QueueDemo SET State = 'R' WHERE JobId = 10390",
		}}}
		r.press("2", "down", "down", "w")
		shot.Golden(t, size.name, shot.Of(r.draw(), size.width, size.height))
		r.press("esc")
		if r.dialog != nil || len(r.desk.sent) > 0 {
			t.Error("the dialog is open, or something was sent")
		}
	}
}

// TestWhyGathers holds what is asked of the store for a job in each state.
func TestWhyGathers(t *testing.T) {
	shown := fixture.Working(10421, "pick-07", 3, 0, time.Minute, 0)
	shown.Held = model.Age{D: 12 * time.Minute, Trust: model.AtLeast}
	for name, tc := range map[string]struct {
		job   *model.Job
		locks bool
		kinds []string
	}{
		"working": {fixture.Working(10421, "pick-07", 3, 0, time.Minute, 0), true, []string{"locked", "leased"}},
		"ready":   {fixture.Ready(10421, 0, time.Minute), true, []string{"locked", "next"}},
		"failed":  {fixture.Failed(10421, 5, time.Minute, ""), false, []string{"ended"}},
		"gone":    {nil, false, []string{"gone"}},
	} {
		r := newRig(80, 24, nil, fixture.Snapshot())
		r.details.job, r.details.locks = tc.job, model.Locks{Skipped: model.NumberOf(1)}
		if tc.job != nil {
			r.details.page = model.Page{View: model.ViewReady, Jobs: []*model.Job{tc.job}}
		}
		got := r.readWhy(t.Context(), kit.ReadWhy{Queue: "orders", Key: fixture.Key(10421), Job: shown}).Why
		var kinds []string
		for _, x := range got.Reasons {
			kinds = append(kinds, x.Kind)
		}
		if !slices.Equal(kinds, tc.kinds) {
			t.Errorf("%s: %v, want %v", name, kinds, tc.kinds)
		}
	}
}

// TestSighted holds that a row keeps the age that was watched of it only while it is
// in the same hands.
func TestSighted(t *testing.T) {
	row := fixture.Working(10421, "", 1, 0, time.Minute, 0)
	row.Held = model.Age{}
	shown := *row
	shown.Held = model.Age{D: time.Minute, Trust: model.AtLeast}
	if got := sighted(row, &shown); got.Held != shown.Held || row.Held.Known() {
		t.Errorf("held %v; the row itself %v", got.Held, row.Held)
	}
	shown.Token = fixture.Token(7)
	if got := sighted(row, &shown); got.Held.Known() {
		t.Errorf("another claim is held %v", got.Held)
	}
	if got := sighted(row, nil); got != row {
		t.Error("a row that was never shown has changed")
	}
}

// TestWhoLocksAJobThatCannotBeRead follows the finding of a job that only a look past
// all locks has: its row cannot be read, and w says all the same who holds it.
func TestWhoLocksAJobThatCannotBeRead(t *testing.T) {
	snap := fixture.Snapshot()
	snap.Findings = []model.Finding{{
		Kind: "hidden", Severity: model.Warn, Key: fixture.Key(10388),
		Text: "10388 is ready for 6m00s but locked by another session: claims pass over it", Cure: ":job 10388, then w says who holds it",
	}}
	r := newRig(100, 30, nil, snap)
	r.expect(t, "10388 is ready for 6m00s but locked by another session")
	r.details.job, r.details.err = nil, &model.Fault{Class: model.FaultRaced, Code: 1222, Text: "Lock request time out period exceeded."}
	r.details.locks = model.Locks{Skipped: model.NumberOf(1), Holders: []model.Holder{{
		Session: 61, Level: model.LockRow, Mode: "X", Program: "SSMS", Host: "ADMIN-3", Login: "anna", Status: "sleeping",
	}}}
	r.say("job 10388")
	r.expect(t, "could not be read: Lock request time out")
	r.press("w")
	r.expect(t, "its row is locked by session 61: claims pass over it", "SSMS", "anna", "not known: the job could not be read")
	r.press("esc", "r")
	r.expect(t, "the job could not be read: R reads it again")
	if len(r.desk.sent) > 0 {
		t.Error("an act was sent")
	}
	r.details.err = &model.Fault{Class: model.FaultDenied, Code: 229, Text: "SELECT is denied"}
	r.press("w")
	r.expectNot(t, "session 61")
}
