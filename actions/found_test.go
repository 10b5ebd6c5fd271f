package actions

import (
	"testing"
	"time"

	"github.com/leasetop/leasetop/model"
)

func TestFound(t *testing.T) {
	key := model.KeyOf(model.IntValue(7))
	mine := model.TokenOf(model.GUIDValue("6f9619ff-8b86-d011-b42d-00c04fc964ff"))
	other := model.TokenOf(model.GUIDValue("77b0e2aa-0000-4000-8000-000000000002"))
	at := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	d := New(nil, nil, "me")
	for name, c := range map[string]struct {
		row     *model.Job
		outcome model.Outcome
		message string
		holder  string
	}{
		"gone":      {nil, model.Gone, "nothing was changed: there is no such job any more", ""},
		"completed": {&model.Job{Key: key, Token: mine, State: model.Done}, model.Changed, "nothing was changed: its worker has completed the job meanwhile", ""},
		"ready":     {&model.Job{Key: key, Token: other, State: model.Ready}, model.Changed, "nothing was changed: the job is ready now, it was working", ""},
		"held by another": {
			&model.Job{Key: key, Token: other, State: model.Working, Worker: "pick-07"}, model.Changed,
			"nothing was changed: another claim holds the job: token 77B0E2AA-0000-4000-8000-000000000002 instead of 6F9619FF-8B86-D011-B42D-00C04FC964FF", "pick-07",
		},
	} {
		r, ok := d.Found("q", model.Reclaim, key, mine, c.row, at)
		if !ok || r.Outcome != c.outcome || r.Message != c.message || r.Holder != c.holder || r.After != c.row || !r.At.Equal(at) {
			t.Errorf("%s: ok %v, %+v", name, ok, r)
		}
	}
	if r, ok := d.Found("q", model.Reclaim, key, mine, &model.Job{Key: key, Token: mine, State: model.Working}, at); ok {
		t.Errorf("a claim that stands is judged: %+v", r)
	}
}
