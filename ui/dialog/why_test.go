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

func askWhy() kit.AskWhy {
	return kit.AskWhy{Queue: "orders", Key: fixture.Key(10388), Job: fixture.Ready(10388, 1, 0), At: fixture.Now()}
}

// lockedWhy is a ready job that somebody's transaction hides from every claim.
func lockedWhy() model.Why {
	return model.Why{
		Key: fixture.Key(10388), Job: fixture.Ready(10388, 1, 0), At: fixture.Now(),
		Reasons: []model.Reason{
			{
				Kind: "locked", Severity: model.Bad, Text: "its row is locked by session 61: claims pass over it",
				Evidence: []string{
					"session 61 has X on the row: Billing on APP-3 as svc_billing, its transaction is open for 4m12s, sleeping: its client is busy elsewhere or forgot to commit",
					"which ran last: UPDATE dbo.QueueDemo SET State = 'R' WHERE JobId = 10388",
				},
				Cure: "it moves on when that transaction ends; ask whoever runs it",
			},
			{Kind: "next", Text: "it is ready and the next in line", Evidence: []string{"it has been ready for 6m12s"}},
		},
		Unknown: []string{"whether its row is locked: locked: no answer within the deadline"},
	}
}

func TestWhyGolden(t *testing.T) {
	w, first := NewWhy(askWhy())
	if a, ok := first.(kit.ReadWhy); !ok || a.Queue != "orders" || a.Key != fixture.Key(10388) {
		t.Fatalf("it begins with %#v", first)
	}
	e := env(76, 24)
	shot.Golden(t, "why-looking", box(w.View(e)))
	w.Update(e, kit.WhyRead{Queue: "orders", Why: lockedWhy()})
	shot.Golden(t, "why-locked", box(w.View(e)))
}

// TestWhyLooksOnceAtATime holds that one look is under way at the most, that the
// answer to another question is not taken, and that nothing moves by itself.
func TestWhyLooksOnceAtATime(t *testing.T) {
	e := env(76, 24)
	w, _ := NewWhy(askWhy())
	if a := w.Update(e, key("w")); a != nil {
		t.Errorf("a second look while the first is under way: %v", a)
	}
	other := lockedWhy()
	other.Key = fixture.Key(1)
	w.Update(e, kit.WhyRead{Queue: "orders", Why: other})
	w.Update(e, kit.WhyRead{Queue: "returns", Why: lockedWhy()})
	if w.done {
		t.Error("it took the answer to another question")
	}
	w.Update(e, kit.WhyRead{Queue: "orders", Why: lockedWhy()})
	if a := w.Update(e, kit.News{}); a != nil {
		t.Errorf("news makes it ask for %v", a)
	}
	if _, ok := w.Update(e, key("w")).(kit.ReadWhy); !ok {
		t.Error("w does not look again")
	}
	if _, ok := w.Update(e, key("esc")).(kit.Close); !ok {
		t.Error("esc does not close it")
	}
}

// TestWhySmall holds that all of it can be read in a small terminal.
func TestWhySmall(t *testing.T) {
	e := env(40, 9)
	w, _ := NewWhy(askWhy())
	w.Update(e, kit.WhyRead{Queue: "orders", Why: lockedWhy()})
	var seen strings.Builder
	seen.WriteString(ansi.Strip(strings.Join(w.View(e), "\n")))
	for range 40 {
		w.Update(e, key("down"))
		seen.WriteString(ansi.Strip(strings.Join(w.View(e), "\n")))
	}
	for _, want := range []string{"session 61", "forgot to commit", "next in line", "deadline"} {
		if !strings.Contains(seen.String(), want) {
			t.Errorf("%q cannot be reached", want)
		}
	}
}
