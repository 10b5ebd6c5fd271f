package drill_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/leasetop/leasetop/internal/drill"
	"github.com/leasetop/leasetop/internal/scratch"
)

// small is the size of the suite's drills.
func small() drill.Options {
	return drill.Options{Claimers: 4, Jobs: 60, Ahead: 4000, Seed: 7, Lease: 300 * time.Millisecond, Patience: 3 * time.Second}
}

func lab(t *testing.T) *scratch.Lab {
	t.Helper()
	l, err := scratch.Embedded(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	})
	return l
}

// The queue as it is keeps every guarantee.
func TestEveryGuaranteeHolds(t *testing.T) {
	o := small()
	o.Patience = time.Minute // nothing waits it out unless something is wrong
	out, err := drill.Run(t.Context(), lab(t), o)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range out.Verdicts {
		t.Logf("%-26s %6.4g  %s", v.Name, v.Figure, v.Text)
		if !v.OK || v.Text == "" {
			t.Errorf("%s: %g of %g: %s", v.Name, v.Figure, v.Limit, v.Text)
		}
	}
	if len(out.Verdicts) != len(drill.Guarantees()) || !out.OK() {
		t.Errorf("%d verdicts on %d guarantees", len(out.Verdicts), len(drill.Guarantees()))
	}
}

// Each known mistake is found by the checks that are there for it.
func TestEveryMistakeIsFound(t *testing.T) {
	for _, b := range drill.Breaks() {
		t.Run(b.Name, func(t *testing.T) {
			o := small()
			o.Break, o.Only = b.Name, b.Fails
			out, err := drill.Run(t.Context(), lab(t), o)
			if err != nil {
				t.Fatal(err)
			}
			for _, v := range out.Verdicts {
				t.Logf("%-26s %6.4g  %s", v.Name, v.Figure, v.Text)
				if v.OK || v.Figure <= 0 {
					t.Errorf("%s is green: %s", v.Name, v.Text)
				}
			}
			if len(out.Verdicts) != len(b.Fails) {
				t.Errorf("%d verdicts on %v", len(out.Verdicts), b.Fails)
			}
		})
	}
}

// Every guarantee is broken by some mistake: a check that nothing turns red proves
// nothing.
func TestEveryGuaranteeCanFail(t *testing.T) {
	var found []string
	for _, b := range drill.Breaks() {
		found = append(found, b.Fails...)
	}
	// A history that honours a replaced token takes two mistakes at once; the planted
	// facts of TestLies show that this check can fail.
	found = append(found, "fence")
	for _, g := range drill.Guarantees() {
		if !slices.Contains(found, g.Name) {
			t.Errorf("%s is broken by none of the known mistakes", g.Name)
		}
	}
}

// A drill with one claimer breaks no guarantee either: where one is killed there is
// another.
func TestOneClaimerIsEnough(t *testing.T) {
	out, err := drill.Run(t.Context(), lab(t), drill.Options{Claimers: 1, Jobs: 4, Only: []string{"claims-not-shared", "rows-not-shared", "rows-conserved", "brake-stops-claims"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range out.Verdicts {
		if !v.OK {
			t.Errorf("%s: %s", v.Name, v.Text)
		}
	}
}

// A drill that is stopped proves nothing, whatever it had reached by then.
func TestADrillThatIsCutShortProvesNothing(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	o := small()
	o.Progress = func(p drill.Progress) {
		if p.Done == 1 {
			stop()
		}
	}
	out, err := drill.Run(ctx, lab(t), o)
	if err == nil || strings.Count(err.Error(), "canceled") != 1 {
		t.Errorf("it ended with %v", err)
	}
	if len(out.Verdicts) == 0 || !out.Cut || out.OK() {
		t.Errorf("%d verdicts, cut %v, ok %v", len(out.Verdicts), out.Cut, out.OK())
	}
}
