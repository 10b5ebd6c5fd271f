package drill

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/leasetop/leasetop/internal/worker"
	"github.com/leasetop/leasetop/model"
)

// noLab is a lab that can make nothing.
type noLab struct {
	make func(ctx context.Context) error
}

func (noLab) Engine() Engine { return Engine{Name: "sqlite", Locking: "emulated"} }

func (l noLab) Make(ctx context.Context, _ Order) (Bench, error) { return nil, l.make(ctx) }

func (l noLab) MakeRows(ctx context.Context, _ RowOrder) (RowBench, error) { return nil, l.make(ctx) }

// What could not be played is no guarantee that holds, and an empty drill neither.
func TestWhatWasNotShownIsRed(t *testing.T) {
	out, err := Run(t.Context(), noLab{func(context.Context) error { return errors.New("the disk is full") }}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(out.Verdicts) != len(Guarantees()) || out.OK() {
		t.Errorf("%d verdicts, ok %t", len(out.Verdicts), out.OK())
	}
	for _, v := range out.Verdicts {
		if v.OK || v.Figure <= v.Limit && v.Limit == 0 || !strings.Contains(v.Text, "the disk is full") {
			t.Errorf("%s: ok %t, figure %g, %q", v.Name, v.OK, v.Figure, v.Text)
		}
	}
	if (Outcome{}).OK() {
		t.Error("a drill that checked nothing is green")
	}
}

// A drill that is stopped says so and gives what it has found until then.
func TestStopped(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	made := 0
	out, err := Run(ctx, noLab{func(ctx context.Context) error {
		if made++; made == 2 {
			stop()
		}
		return errors.New("no")
	}}, Options{})
	if !errors.Is(err, context.Canceled) || len(out.Verdicts) != 1 {
		t.Errorf("error %v after %d verdicts", err, len(out.Verdicts))
	}
}

// A queue that gives nobody a job shows nothing about its brake.
func TestABrakeNeedsClaims(t *testing.T) {
	r := &round{o: Options{Patience: time.Millisecond}, tallies: map[string]*tally{}}
	if err := (&claimLog{jobs: 4}).brake(t.Context(), r, nil); err == nil {
		t.Error("the scene came to its end")
	}
}

func TestUnknownWordsAreErrors(t *testing.T) {
	for _, o := range []Options{{Break: "no-such-mistake"}, {Only: []string{"no-such-check"}}} {
		if _, err := Run(t.Context(), noLab{}, o); err == nil || !strings.Contains(err.Error(), "no-such-") {
			t.Errorf("%+v: %v", o, err)
		}
	}
}

// Names are found once, and every mistake names checks that there are.
func TestNames(t *testing.T) {
	seen := map[string]bool{}
	for _, g := range Guarantees() {
		if seen[g.Name] || g.Says == "" {
			t.Errorf("the guarantee %q is there twice or says nothing", g.Name)
		}
		seen[g.Name] = true
	}
	breaks := map[string]bool{}
	for _, b := range Breaks() {
		if breaks[b.Name] || b.Says == "" || len(b.Fails) == 0 || b.Flaw == "" && b.RowFlaw == "" && b.wrap == nil && b.wrapRows == nil {
			t.Errorf("the mistake %q is there twice, says nothing or does nothing", b.Name)
		}
		breaks[b.Name] = true
		for _, name := range b.Fails {
			if !seen[name] {
				t.Errorf("%s is said to break %q, which nobody checks", b.Name, name)
			}
		}
	}
}

func TestTally(t *testing.T) {
	g := Guarantee{Name: "x"}
	var fine, bad, slow tally
	fine.say("x", "%d of %d", 3, 3)
	for range maxFaults + 4 {
		bad.fault("no")
	}
	slow.measure(2.5, 2)
	slow.say("x", "slow")
	for _, c := range []struct {
		t      *tally
		ok     bool
		figure float64
		text   string
	}{
		{&fine, true, 0, "3 of 3"},
		{&bad, false, maxFaults + 4, "no; no; no; no; no; and 4 more"},
		{&slow, false, 2.5, "slow"},
	} {
		v := c.t.verdict(g)
		if v.OK != c.ok || v.Figure != c.figure || v.Text != c.text {
			t.Errorf("got %t, %g, %q; want %+v", v.OK, v.Figure, v.Text, c)
		}
	}
}

// Every kind of fault is among few jobs, the same seed goes wrong in the same
// places, and another one elsewhere.
func TestLoadFaults(t *testing.T) {
	keys := make([]model.Key, 60)
	for i := range keys {
		keys[i] = key(int64(i))
	}
	of := func(seed uint64) []worker.Fault {
		out := make([]worker.Fault, len(keys))
		f := loadFaults(seed, keys)
		for i, k := range keys {
			out[i] = f(model.Claim{Key: k, Attempts: model.NumberOf(1)})
		}
		return out
	}
	kinds := map[worker.Fault]int{}
	same, other := of(0), 0
	for i, f := range of(0) {
		kinds[f]++
		if f != same[i] {
			t.Errorf("job %d goes wrong in two ways", i)
		}
		if f != of(4)[i] {
			other++
		}
	}
	for _, f := range []worker.Fault{worker.Poison, worker.Kill, worker.Stall, worker.Flaky, worker.LoseReply} {
		if kinds[f] == 0 {
			t.Errorf("no job has fault %d", f)
		}
	}
	if other == 0 {
		t.Error("another seed goes wrong in the same places")
	}
}
