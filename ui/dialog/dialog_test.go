package dialog

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/ui/internal/fixture"
	"github.com/leasetop/leasetop/ui/internal/shot"
	"github.com/leasetop/leasetop/ui/kit"
)

func receipt(o model.Outcome) model.Receipt {
	before := fixture.Jobs()[0]
	after := *before
	after.State, after.Token, after.Lease = model.Ready, fixture.Token(0x018F0000), model.Instant{}
	r := model.Receipt{
		Intent:  model.Intent{Action: model.Reclaim, Queue: "orders", Key: before.Key, ActionID: "018F0000-0000-7000-8000-000000000001"},
		Outcome: o, Before: before, At: fixture.Now(), Message: "one sentence of what happened",
	}
	switch o {
	case model.Applied:
		r.After = &after
	case model.Changed:
		other := *before
		other.Token, other.Worker = fixture.Token(7), "pick-09"
		r.After, r.Holder = &other, "pick-09"
	case model.Refused, model.OutcomeUnknown:
		r.Fault = &model.Fault{Class: model.FaultRaced, Code: 1205, Text: "deadlock victim", Op: "reclaim"}
	case model.Gone:
	}
	return r
}

func TestReceiptGolden(t *testing.T) {
	for _, o := range []model.Outcome{model.Applied, model.Changed, model.Gone, model.Refused, model.OutcomeUnknown} {
		e := env(76, 24)
		shot.Golden(t, "receipt-"+o.String(), box(NewReceipt(1, receipt(o)).View(e)))
	}
}

// TestReceiptOfARequeue shows the attempts and the reason, which other receipts
// have no need of.
func TestReceiptOfARequeue(t *testing.T) {
	before := fixture.FailedList().Page.Data.Jobs[0]
	after := *before
	after.State, after.Token, after.Attempts = model.Ready, fixture.Token(0x018F0000), model.NumberOf(0)
	r := receipt(model.Applied)
	r.Intent.Action, r.Intent.Key, r.Intent.Reason, r.Before, r.After = model.Requeue, before.Key, "the bin is back", before, &after
	shot.Golden(t, "receipt-requeued", box(NewReceipt(1, r).View(env(76, 24))))
}

// TestLookAgain holds that only an unknown outcome can be looked at again, once
// at a time, and that the answer takes its place.
func TestLookAgain(t *testing.T) {
	e := env(76, 24)
	for _, o := range []model.Outcome{model.Applied, model.Changed, model.Gone, model.Refused} {
		if a := NewReceipt(1, receipt(o)).Update(e, key("u")); a != nil {
			t.Errorf("%s: %v was asked for", o, a)
		}
	}
	r := NewReceipt(5, receipt(model.OutcomeUnknown))
	if a, ok := r.Update(e, key("u")).(kit.LookAgain); !ok || a.ID != 5 {
		t.Fatal("it does not look again")
	}
	if a := r.Update(e, key("u")); a != nil {
		t.Error("it looks twice at once")
	}
	r.Update(e, kit.Receipted{ID: 4, Receipt: receipt(model.Gone)})
	if r.receipt.Resolved() {
		t.Error("it took another dialog's answer")
	}
	r.Update(e, kit.Receipted{ID: 5, Receipt: receipt(model.OutcomeUnknown)})
	if _, ok := r.Update(e, key("u")).(kit.LookAgain); !ok {
		t.Error("still unknown, and it cannot look again")
	}
	r.Update(e, kit.Receipted{ID: 5, Receipt: receipt(model.Applied)})
	if view := shot.Of(strings.Join(r.View(e), "\n"), 76, 24).Text(); !strings.Contains(view, "✓ APPLIED") {
		t.Errorf("the outcome is not shown:\n%s", view)
	}
	for _, k := range []string{"esc", "enter", "q"} {
		if _, ok := r.Update(e, key(k)).(kit.Close); !ok {
			t.Errorf("%s does not close it", k)
		}
	}
}

func TestHelp(t *testing.T) {
	h := NewHelp([]Section{
		{"this screen", []kit.Binding{kit.Bind("enter", "↵", "inspect"), kit.Bind("r", "r", "reclaim").Refused(model.No("its lease runs for another 3m48s", "wait, or force"))}},
		{"everywhere", []kit.Binding{kit.Bind("?", "?", "help"), kit.Bind("q", "q", "quit")}},
	}, []kit.Word{{Word: "TRY", Means: "which attempt it is, of how many"}, {Word: "fenced", Means: "a completion names its claim's token: after a reclaim the old worker is refused"}})
	e := env(76, 24)
	shot.Golden(t, "help", box(h.View(e)))
	e = env(40, 7)
	h.View(e)
	h.Update(e, key("pgdown"))
	if lines := h.View(e); strings.Contains(ansi.Strip(lines[1]), "this screen") {
		t.Errorf("pgdown does not turn the page: %q", lines)
	}
	for range 50 {
		h.Update(e, key("down"))
	}
	if lines := h.View(e); !strings.Contains(ansi.Strip(lines[len(lines)-2]), "not known") {
		t.Errorf("its end cannot be reached: %q", lines)
	}
	if _, ok := h.Update(e, key("?")).(kit.Close); !ok {
		t.Error("? does not close it")
	}
}

// TestEverySize draws every dialog at every small size.
func TestEverySize(t *testing.T) {
	for w := 0; w < 90; w += 4 {
		for h := 0; h < 26; h += 2 {
			e := env(w, h)
			c, _ := NewConfirm(e, 1, ask(model.Force))
			c.Update(e, kit.Planned{ID: 1, Plan: plan(model.Confirm{Type: "orders", Reason: true})})
			for _, d := range []kit.Dialog{c, NewReceipt(1, receipt(model.Changed)), NewHelp([]Section{{"one", c.Keys(e)}, {"two", c.Keys(e)}}, nil)} {
				lines := d.View(e)
				if len(lines) > h {
					t.Fatalf("%T at %dx%d has %d lines", d, w, h, len(lines))
				}
				for _, l := range lines {
					if got := ansi.StringWidth(l); got > w {
						t.Fatalf("%T at %dx%d has a line of %d cells: %q", d, w, h, got, l)
					}
				}
			}
		}
	}
}

// TestAFaultIsToldOnce holds that a receipt whose words hold what the server said
// does not say it again, and that one whose words do not says it.
func TestAFaultIsToldOnce(t *testing.T) {
	f := &model.Fault{Op: "dead-letter", Text: "database is locked", Code: 5, Cure: "another process holds the file's write lock"}
	for message, want := range map[string]int{"nothing was changed: the server refused: " + f.Error(): 1, "nothing was changed": 1} {
		r := receipt(model.Refused)
		r.Message, r.Fault = message, f
		if got := strings.Count(ansi.Strip(strings.Join(NewReceipt(1, r).View(env(120, 40)), "\n")), "(error 5)"); got != want {
			t.Errorf("%q: it is told %d times, want %d", message, got, want)
		}
	}
}
