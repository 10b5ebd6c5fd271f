package cli

import (
	"testing"

	"github.com/leasetop/leasetop/internal/drill"
	"github.com/leasetop/leasetop/internal/drill/lesson"
	"github.com/leasetop/leasetop/internal/scratch"
	"github.com/leasetop/leasetop/internal/store"
)

// Every step that sends a statement has its T-SQL beside it, and the half with the
// mistake shows another text than the sound one where they differ.
func TestEveryStepHasItsStatement(t *testing.T) {
	texts, err := lessonTexts()
	if err != nil {
		t.Fatal(err)
	}
	lab, err := scratch.Embedded(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer lab.Close()
	for _, l := range lesson.All() {
		p, err := lesson.Open(t.Context(), lab, l, lesson.Bad, texts)
		if err != nil {
			t.Fatal(err)
		}
		for !p.Stage().Over() {
			if err := p.Next(t.Context()); err != nil {
				t.Fatal(err)
			}
			if s := p.Stage(); s.Op != "" && s.SQL == "" {
				t.Errorf("lesson %d, step %d: %s has no statement", l.Number, s.Step, s.Op)
			}
		}
		if err := p.Close(t.Context()); err != nil {
			t.Error(err)
		}
	}
	if texts("complete", "completion-by-key") == texts("complete", "") || texts("claim", "completion-by-key") != texts("claim", "") {
		t.Error("the mistake is not in the statement that it is about, or in another one")
	}
}

// Every mistake of a statement that the drill or a lesson orders is one that the
// store has.
func TestMistakesAreOnesThatTheStoreHas(t *testing.T) {
	known := map[string]bool{"": true}
	for _, f := range append(store.Flaws(), store.RowFlaws()...) {
		known[string(f)] = true
	}
	ordered := map[string]bool{}
	for _, b := range drill.Breaks() {
		ordered[b.Flaw], ordered[b.RowFlaw] = true, true
	}
	for _, l := range lesson.All() {
		ordered[l.Bad.Flaw], ordered[l.Good.Flaw] = true, true
	}
	for f := range ordered {
		if !known[f] {
			t.Errorf("the store has no mistake %q", f)
		}
	}
	for f := range known {
		if !ordered[f] {
			t.Errorf("the mistake %q of the store is ordered by nobody", f)
		}
	}
}
