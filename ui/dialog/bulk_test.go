package dialog

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/leasetop/leasetop/actions"
	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/ui/internal/fixture"
	"github.com/leasetop/leasetop/ui/internal/shot"
	"github.com/leasetop/leasetop/ui/kit"
)

func askBulk(a model.Action) kit.AskBulk {
	return kit.AskBulk{Queue: "orders", Action: a, Jobs: fixture.Jobs(), At: fixture.Now(), What: "marked"}
}

func preview(c model.Confirm) actions.Preview {
	n := len(fixture.Jobs())
	return actions.Preview{
		Total: n, Fit: n, Confirm: c, Refusal: model.Yes(), First: plan(c),
		Effects: []string{"Each job becomes ready under a new token.", "Workers may still be at them: their completions will be refused from then on."},
	}
}

// driveBulk gives keys to a dialog whose previews are made at once, and tells in
// words what it asked for.
func driveBulk(e *kit.Env, b *Bulk, p actions.Preview, keys string) string {
	var did []string
	note := func(a kit.Action) {
		switch a := a.(type) {
		case kit.Close:
			did = append(did, "close")
		case kit.StopBulk:
			did = append(did, "stop")
		case kit.SendBulk:
			did = append(did, "send "+a.Set.Reason+"/"+a.Typed)
		case kit.MakePreview:
			did = append(did, "preview "+a.Set.Reason)
			b.Update(e, kit.Previewed{ID: a.ID, Preview: p})
		}
	}
	for k := range strings.FieldsSeq(keys) {
		if word, ok := strings.CutPrefix(k, "'"); ok {
			for _, r := range word {
				note(b.Update(e, key(string(r))))
			}
			continue
		}
		note(b.Update(e, key(k)))
	}
	return strings.Join(did, ", ")
}

// TestBulkKeys holds what Enter does in every place.
func TestBulkKeys(t *testing.T) {
	refused := preview(model.Confirm{})
	refused.Refusal = model.No("control is off", "")
	printed := preview(model.Confirm{})
	printed.First.PrintOnly = true
	printed.Refusal = model.No("acts are only printed here", "")
	both := preview(model.Confirm{Type: "orders", Reason: true})
	for _, c := range []struct {
		name    string
		preview actions.Preview
		keys    string
		want    string
	}{
		{"enter on the default does nothing", preview(model.Confirm{}), "enter enter", ""},
		{"escape closes", preview(model.Confirm{}), "esc", "close"},
		{"tab, enter sends", preview(model.Confirm{}), "tab enter", "send /"},
		{"sent once, however often enter is pressed", preview(model.Confirm{}), "tab enter enter enter", "send /"},
		{"sent: escape stops it", preview(model.Confirm{}), "tab enter esc", "send /, stop"},
		{"reason, then name", both, "'hung tab 'orders tab enter", "preview hung, send hung/orders"},
		{"half a name is none", both, "'hung tab 'order tab enter", "preview hung"},
		{"no reason", both, "shift+tab enter", ""},
		{"refused", refused, "tab enter", ""},
		{"only printed: there is no button", printed, "tab tab enter", "close"},
	} {
		e := env(80, 21)
		b, next := NewBulk(e, 1, askBulk(model.Reclaim))
		if m, ok := next.(kit.MakePreview); !ok || m.ID != 1 || len(m.Set.Rows) != len(fixture.Jobs()) {
			t.Fatalf("%s: it begins with %v", c.name, next)
		}
		if got := driveBulk(e, b, c.preview, "tab enter shift+tab"); got != "" {
			t.Errorf("%s: before there is a preview %q was asked for", c.name, got)
		}
		b, _ = NewBulk(e, 1, askBulk(model.Reclaim))
		b.Update(e, kit.Previewed{ID: 1, Preview: c.preview})
		if got := driveBulk(e, b, c.preview, c.keys); got != c.want {
			t.Errorf("%s: %q, not %q", c.name, got, c.want)
		}
	}
}

// TestBulkViews are the pictures of the dialog from the question to the end.
func TestBulkViews(t *testing.T) {
	e := env(76, 26)
	b, _ := NewBulk(e, 1, askBulk(model.Reclaim))
	shot.Golden(t, "bulk-planning", box(b.View(e)))
	b.Update(e, kit.Previewed{ID: 1, Preview: preview(model.Confirm{})})
	shot.Golden(t, "bulk-preview", box(b.View(e)))

	s := fixture.Snapshot()
	s.Page.At = s.Page.At.Add(time.Second)
	jobs := s.Page.Data.Jobs
	renewed, other := *jobs[0], *jobs[4]
	renewed.Lease, other.Token = fixture.At(time.Minute), fixture.Token(7)
	s.Page.Data.Jobs = append([]*model.Job{&renewed, &other}, append(jobs[1:4:4], jobs[6:]...)...)
	e.Live = fixture.Board(s)
	b.Update(e, kit.News{})
	p := preview(model.Confirm{Type: "orders", Reason: true})
	p.Fit, p.Unfit = p.Total-3, "the lease still runs for 41s: wait, or force if its worker is known to hang"
	p.Wait, p.For = "12 of 14 leases ran out within 5m00s: their workers may be alive and cut off", 290*time.Second
	b, _ = NewBulk(e, 1, askBulk(model.Reclaim))
	b.Update(e, kit.Previewed{ID: 1, Preview: p})
	shot.Golden(t, "bulk-changed", box(b.View(e)))

	driveBulk(e, b, p, "'hung tab 'orders tab enter")
	b.Update(e, kit.Moved{ID: 1, Progress: actions.Progress{Total: 30, Waiting: p.Wait, For: 289 * time.Second}})
	shot.Golden(t, "bulk-waiting", box(b.View(e)))
	b.Update(e, kit.Moved{ID: 1, Progress: actions.Progress{Total: 30, Tally: actions.Tally{Applied: 11, Changed: 1}, Took: 1200 * time.Millisecond}})
	shot.Golden(t, "bulk-running", box(b.View(e)))
	b.Update(e, kit.Moved{ID: 1, Progress: actions.Progress{Total: 30, Tally: actions.Tally{Applied: 11, Changed: 1}, Looking: true}})
	shot.Golden(t, "bulk-looking", box(b.View(e)))
	driveBulk(e, b, p, "esc")
	shot.Golden(t, "bulk-stopping", box(b.View(e)))
	if x, ok := b.Update(e, kit.Ended{ID: 1}).(kit.ShowResult); !ok || len(x.Set.Rows) != len(fixture.Jobs()) {
		t.Error("its end does not show the result")
	}

	b, _ = NewBulk(e, 1, askBulk(model.Extend))
	b.Update(e, kit.Previewed{ID: 1, Err: errors.New("no answer")})
	shot.Golden(t, "bulk-no-preview", box(b.View(e)))
}

func TestResultViews(t *testing.T) {
	set := actions.Freeze("orders", model.Reclaim, fixture.Jobs(), fixture.Now(), "marked")
	not := func(i int, o model.Outcome, why string) model.Receipt {
		return model.Receipt{Intent: model.Intent{Action: model.Reclaim, Key: set.Rows[i].Key}, Outcome: o, Message: why}
	}
	r := actions.Result{
		Total: 30, Tally: actions.Tally{Applied: 22, Changed: 2, Gone: 1, Refused: 1, Unknown: 1}, Left: 3, Place: "/home/ops/.local/state/leasetop/bulk/20261130T120431-reclaim-1.jsonl",
		Stopped: "the connection was lost, and it is not known what became of job 10477",
		NotApplied: []model.Receipt{
			not(0, model.Changed, "nothing was changed: the lease still runs for 4m31s"),
			not(1, model.Changed, "nothing was changed: another claim holds the job: token 77B0E2AA-0000-4000-8000-000000000002 instead of 9F3CA1D2-0000-4000-8000-000000000001"),
			not(2, model.Gone, "nothing was changed: there is no such job any more"), not(3, model.Refused, "nothing was changed: the server refused: lock request time out (error 1222)"),
			not(4, model.OutcomeUnknown, "unknown: the reply was lost and the row cannot be read now; look again when the server answers"),
		},
	}
	e := env(76, 22)
	d := NewResult(set, r)
	shot.Golden(t, "bulk-result", box(d.View(e)))
	for range 40 {
		d.Update(e, key("pgdown"))
	}
	shot.Golden(t, "bulk-result-end", box(d.View(e)))
	if _, ok := d.Update(e, key("enter")).(kit.Close); !ok {
		t.Error("enter does not close it")
	}
	all := actions.Result{Total: 30, Tally: actions.Tally{Applied: 30}, Place: r.Place}
	shot.Golden(t, "bulk-result-all", box(NewResult(set, all).View(e)))
}
