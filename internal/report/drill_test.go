package report

import (
	"bytes"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/leasetop/leasetop/internal/drill"
	"github.com/leasetop/leasetop/internal/text"
)

func TestDrill(t *testing.T) {
	o := drill.Outcome{
		Engine: drill.Engine{Name: "sqlite", Version: "3.54.1", Locking: "emulated"}, Break: "completion-by-key",
		Seed: 7, Claimers: 64, Jobs: 100_000, Took: 93_241 * time.Millisecond,
		Verdicts: []drill.Verdict{
			{Guarantee: drill.Guarantee{Name: "claims-not-shared", Says: "Claimers never share."}, OK: true, Text: "64 claimers: 100000 jobs came out of 100000"},
			{Guarantee: drill.Guarantee{Name: "replaced-token", Says: "A token is not honoured once it was replaced."}, Figure: 1204,
				Text: "job 1: completion by a token that recovery had replaced was honoured; job 5: completion by a token that a re\x1b[2Jclaim had replaced was honoured"},
			{Guarantee: drill.Guarantee{Name: "claim-cost", Says: "A claim costs at most twice as much."}, OK: true, Figure: 1.13457, Limit: 2, Text: "112µs a claim, 127µs"},
		},
	}
	var j, txt bytes.Buffer
	if err := WriteJSON(&j, FromDrill(o)); err != nil {
		t.Fatal(err)
	}
	holds[Drill](t, "drill", j.Bytes())
	green := o
	green.Break, green.Verdicts = "", o.Verdicts[:1]
	for _, o := range []drill.Outcome{o, green, {Engine: o.Engine}} {
		if err := PlainDrill(&txt, o); err != nil {
			t.Fatal(err)
		}
	}
	golden(t, "testdata/drill.json", j.Bytes())
	golden(t, "testdata/drill.txt", txt.Bytes())
}

// The reports are read on jump boxes: no line is wider than their terminals, and no
// word is broken by them.
func TestADrillFits80Columns(t *testing.T) {
	var b bytes.Buffer
	if err := PlainDrillList(&b); err != nil {
		t.Fatal(err)
	}
	o := drill.Outcome{Engine: drill.Engine{Name: "Microsoft SQL Server", Version: "16.0.4135.4", Locking: "real"}, Claimers: 64, Jobs: 100_000, Took: 93_241 * time.Millisecond, Seed: math.MaxUint32}
	for _, g := range drill.Guarantees() {
		o.Verdicts = append(o.Verdicts, drill.Verdict{Guarantee: g, Figure: 12345.67, Text: g.Says + " " + g.Says})
	}
	if err := PlainDrill(&b, o); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(b.String()) {
		if n := text.Width(strings.TrimRight(line, "\n")); n > 80 {
			t.Errorf("%d cells: %s", n, line)
		}
	}
}

func TestWrapped(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		{"", nil},
		{"one two three", []string{"one two", "three"}},
		{"overlongwithoutabreak x", []string{"overlongwithoutabreak", "x"}},
	} {
		got := wrapped(c.text, 8)
		if len(got) != len(c.want) {
			t.Errorf("%q became %q, want %q", c.text, got, c.want)
			continue
		}
		for i := range got {
			if got[i] != c.want[i] {
				t.Errorf("%q became %q, want %q", c.text, got, c.want)
			}
		}
	}
}
