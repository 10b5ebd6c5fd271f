package actions

import (
	"strings"
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
	const buried = "nothing was changed: the job is failed under another token: 77B0E2AA-0000-4000-8000-000000000002 instead of 6F9619FF-8B86-D011-B42D-00C04FC964FF"
	if r, _ := d.Found("q", model.Requeue, key, mine, &model.Job{Key: key, Token: other, State: model.Failed}, at); r.Message != buried {
		t.Errorf("of a dead letter that nobody holds it is said: %s", r.Message)
	}
	for _, c := range []struct {
		row     *model.Job
		message string
	}{
		{&model.Job{Key: key, Token: other, State: model.Failed}, "the job is failed under another token: 77B0E2AA-0000-4000-8000-000000000002 instead of none"},
		{&model.Job{Key: key, State: model.Failed}, "the job is failed now"},
	} { // it need not have been in work: --token none is of a job that never was
		if r, ok := d.Found("q", model.DeadLetter, key, model.Token{}, c.row, at); !ok || r.Message != "nothing was changed: "+c.message {
			t.Errorf("of a job that was never claimed it is said: %s", r.Message)
		}
	}
	// A text column may hold an empty token, which is nobody's: nothing was sent.
	empty := &model.Job{Key: key, Token: model.TokenOf(model.GUIDValue("")), State: model.Working}
	if r, ok := d.Found("q", model.Force, key, model.Token{}, empty, at); !ok || r.Outcome != model.Changed {
		t.Errorf("an empty token in the row is taken for the act's: ok %v, %v: %s", ok, r.Outcome, r.Message)
	}
	if r, ok := d.Found("q", model.Reclaim, key, mine, &model.Job{Key: key, Token: mine, State: model.Working}, at); ok {
		t.Errorf("a claim that stands is judged: %+v", r)
	}
}

// TestAnotherTokenIsToldByItsColumn holds that only a column whose tokens the server or
// each heartbeat makes leaves open who changed the row, not a token of that length.
func TestAnotherTokenIsToldByItsColumn(t *testing.T) {
	was, is := model.TokenOf(model.Value{Type: model.Binary, Text: "0x00000000000007D1"}), model.TokenOf(model.Value{Type: model.Binary, Text: "0x00000000000007D2"})
	for declared, want := range map[string]string{
		"rowversion": "by a heartbeat or another claim", "binary(8)": "another claim holds the job", "varbinary(16)": "another claim holds the job",
	} {
		s := newScript()
		s.mapping.Columns = map[model.Role]model.Column{model.RoleToken: {Name: "Ver", Type: model.Binary, Declared: declared}}
		got, over := desk(s, Target{Control: true}, nil).Found("orders", model.Reclaim, job7, was, row(model.Working, is, noon), noon)
		if !over || !strings.Contains(got.Message, want) {
			t.Errorf("%s: %s, want %q", declared, got.Message, want)
		}
	}
}
