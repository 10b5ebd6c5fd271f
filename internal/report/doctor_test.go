package report

import (
	"bytes"
	"testing"

	"github.com/leasetop/leasetop/model"
)

// checkups are a queue with something of everything, and one that does not answer.
func checkups() []model.Checkup {
	lost := bare()
	return []model.Checkup{
		{
			Queue: "orders", Mapping: mapping(), At: at(31), Caps: model.Caps{Engine: "sqlserver", Version: "16.0.4135.4"},
			Findings: []model.Diagnosis{
				{
					Finding:  model.Finding{Kind: "working-without-token", Severity: model.Bad, Key: model.KeyOf(model.IntValue(7)), Text: "1 working row has no token", Cure: "make sure that nobody works on it"},
					Evidence: []string{"the first is 7"}, Mend: "UPDATE [dbo].[QueueDemo] SET …;", Cost: "one row by its key",
				},
				{Finding: model.Finding{Kind: "lease-precision", Severity: model.Warn, Text: "the lease LeaseUntil is datetime"}},
				{Finding: model.Finding{Kind: "row-versions", Severity: model.Normal, Text: "read committed snapshot is off"}, Cost: "it is told only beside a statement"},
			},
			Unchecked: []model.Unchecked{{Rule: "done-with-lease", Why: "would read ~48.2k done rows; --allow-scan insists"}},
			Sound:     []string{"working-without-lease", "token-of-several-claims", "attempts-over-bound", "ready-at-bound", "unnamed-state", "key-null"},
		},
		{Queue: "mail", Mapping: mapping(), Err: lost.Watch.Err},
	}
}

func TestDoctor(t *testing.T) {
	var j, txt bytes.Buffer
	if err := WriteJSON(&j, FromCheckups(at(32), checkups())); err != nil {
		t.Fatal(err)
	}
	holds[Doctor](t, "doctor", j.Bytes())
	if err := PlainDoctor(&txt, checkups()); err != nil {
		t.Fatal(err)
	}
	golden(t, "testdata/doctor.json", j.Bytes())
	golden(t, "testdata/doctor.txt", txt.Bytes())
}

// TestSick holds what is worth an exit code: a warning or worse, or no answer.
func TestSick(t *testing.T) {
	all := checkups()
	for name, c := range map[string]struct {
		change func(*model.Checkup)
		want   bool
	}{
		"as it is":      {func(*model.Checkup) {}, true},
		"one warning":   {func(c *model.Checkup) { c.Findings = c.Findings[1:2] }, true},
		"remarks alone": {func(c *model.Checkup) { c.Findings = c.Findings[2:] }, false},
		"nothing":       {func(c *model.Checkup) { c.Findings = nil }, false},
		"no answer":     {func(c *model.Checkup) { *c = all[1] }, true},
	} {
		x := all[0]
		c.change(&x)
		if Sick(&x) != c.want {
			t.Errorf("%s: sick %v", name, !c.want)
		}
	}
}
