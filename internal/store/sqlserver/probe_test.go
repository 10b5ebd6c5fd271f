package sqlserver

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/tdstest"
	"github.com/leasetop/leasetop/model"
)

// TestProbeChoosesForms holds which variant of a statement is chosen where.
func TestProbeChoosesForms(t *testing.T) {
	tests := map[string]struct {
		facts                        facts
		pulse, ready, inspect, claim string
		low                          bool
	}{
		"row versions":                        {facts{}, "rcsi", "rcsi", "committed", "", false},
		"snapshot is allowed":                 {facts{noRCSI: true, snapshot: true}, "snapshot", "snapshot", "snapshot", "", false},
		"neither":                             {facts{noRCSI: true}, "readpast", "readpast", "committed", "", true},
		"a readable secondary":                {facts{noRCSI: true, readOnly: true}, "rcsi", "rcsi", "committed", "", false},
		"a small table without an index":      {facts{noIndex: true, rows: 10_000}, "rcsi-scan", "rcsi-scan", "committed", "scan", false},
		"a large table without an index":      {facts{noIndex: true, rows: 10_001}, "rcsi-unindexed", "rcsi-unindexed", "committed", "scan", false},
		"the same, and somebody insists":      {facts{noIndex: true, rows: 10_001, insist: true}, "rcsi-scan-unordered", "rcsi-scan-unordered", "committed", "scan", false},
		"insisting where an index leads":      {facts{insist: true, rows: 1e7}, "rcsi", "rcsi", "committed", "", false},
		"an index in another order":           {facts{unordered: true, rows: 1e6}, "rcsi-unordered", "rcsi-unordered", "committed", "", false},
		"an index that runs both ways":        {facts{bothWays: true, rows: 1e6}, "rcsi-unordered", "rcsi-unordered", "committed", "", false},
		"a history that may not be read":      {facts{noRecall: true}, "rcsi-norate", "rcsi", "committed", "", false},
		"a history without an index on At":    {facts{noAtIndex: true}, "rcsi-norate", "rcsi", "committed", "", false},
		"more rights":                         {facts{state: true}, "rcsi-stats", "rcsi", "committed", "", false},
		"more rights over a heap":             {facts{state: true, unclustered: true}, "rcsi-unordered", "rcsi-unordered", "committed", "", false},
		"more rights and less of the history": {facts{state: true, noAtIndex: true}, "rcsi-norate-stats", "rcsi", "committed", "", false},
		"Babelfish":                           {facts{babelfish: "4.3.0", noRCSI: true, rows: 1e6}, "babelfish", "babelfish", "committed", "scan", false},
		"Babelfish without an index":          {facts{babelfish: "4.3.0", noIndex: true}, "babelfish-unindexed", "babelfish-unindexed", "committed", "scan", false},
		"memory-optimised":                    {facts{memory: true, noRCSI: true, snapshot: true, rows: 9}, "rcsi-scan", "rcsi-scan", "committed", "scan", false},
		"the database says nothing of itself": {facts{refused: "server"}, "readpast", "readpast", "committed", "", true},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := dial(t, tc.facts, always(nothing()))
				c, err := w.q.Probe(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				for op, want := range map[store.Op]string{
					store.OpPulse: tc.pulse, store.OpReady: tc.ready, store.OpInspect: tc.inspect, store.OpClaim: tc.claim,
				} {
					if got := c.Form[string(op)]; got != want {
						t.Errorf("%s has the form %q, want %q", op, got, want)
					}
				}
				if c.LowCounts != tc.low {
					t.Errorf("low counts %v, want %v", c.LowCounts, tc.low)
				}
			})
		})
	}
}

// TestProbeSaysWhatCanBeDone holds every reason for which something is off.
func TestProbeSaysWhatCanBeDone(t *testing.T) {
	tests := map[string]struct {
		facts facts
		off   map[model.Feature]string // what is off, and a word of the reason
		fix   string
	}{
		"a healthy table":       {facts: facts{}},
		"an AFTER trigger":      {facts: facts{after: true}},
		"an INSTEAD OF trigger": {facts{instead: true}, map[model.Feature]string{model.CanControl: "INSTEAD OF", model.CanWork: "INSTEAD OF", canMake: "INSTEAD OF"}, "disable it"},
		"a secondary":           {facts{readOnly: true}, map[model.Feature]string{model.CanControl: "read-only", model.CanWork: "read-only", canMake: "read-only"}, "primary"},
		"memory-optimised":      {facts{memory: true}, map[model.Feature]string{model.CanControl: "memory", model.CanWork: "memory", canMake: "memory"}, ""},
		"no right to write the token": {
			facts{unwritten: []string{"ClaimToken"}},
			map[model.Feature]string{model.CanControl: "UPDATE on dbo.QueueDemo (ClaimToken)", model.CanWork: "(ClaimToken)"}, "ask for UPDATE",
		},
		"no right to write what only workers write": {
			facts{unwritten: []string{"Attempts"}}, map[model.Feature]string{model.CanWork: "UPDATE on dbo.QueueDemo (Attempts)"}, "ask for UPDATE",
		},
		"no right to read the payload": {
			facts{unread: []string{"Payload"}}, map[model.Feature]string{model.CanPayload: "SELECT on dbo.QueueDemo (Payload)", model.CanWork: "(Payload)"}, "ask for it",
		},
		"a large table without an index": {
			facts{noIndex: true, rows: 12_000_000}, map[model.Feature]string{model.CanCount: "would read 12000000 rows"},
			"CREATE INDEX [IX_Claim] ON [dbo].[QueueDemo] ([State], [Priority], [AvailableAt], [JobId])",
		},
		"no history": {facts{noHistory: true}, map[model.Feature]string{model.CanHistory: "dbo.QueueDemo_History"}, "leasetop schema"},
		"no right to read the history": {
			facts{noRecall: true},
			map[model.Feature]string{model.CanHistory: "SELECT on dbo.QueueDemo_History", model.CanControl: "SELECT", model.CanWork: "SELECT"}, "ask for",
		},
		"no right to write the history": {
			facts{noInsert: true},
			map[model.Feature]string{model.CanControl: "INSERT on dbo.QueueDemo_History", model.CanWork: "INSERT"}, "ask for",
		},
		"a trigger on the history": {
			facts{obstacle: true},
			map[model.Feature]string{model.CanControl: "OUTPUT INTO", model.CanWork: "OUTPUT INTO"}, "drop it",
		},
		"no right to add jobs":       {facts{noEnqueue: true}, map[model.Feature]string{canMake: "INSERT on dbo.QueueDemo"}, "ask for INSERT"},
		"a key that is no identity":  {facts{heap: true}, map[model.Feature]string{canMake: "identity"}, ""},
		"an old compatibility level": {facts{level: 120}, map[model.Feature]string{canMake: "130"}, "130"},
		"Babelfish":                  {facts{babelfish: "4.3.0"}, map[model.Feature]string{model.CanWork: "lock hints"}, "SQL Server"},
	}
	all := []model.Feature{model.CanRead, model.CanCount, model.CanPayload, model.CanControl, model.CanWork, model.CanHistory, canMake}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := dial(t, tc.facts, always(nothing()))
				c, err := w.q.Probe(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				for _, f := range all {
					v, why := c.Allows(f), tc.off[f]
					if v.OK != (why == "") || !strings.Contains(v.Why, why) {
						t.Errorf("%s: %+v, want %q", f, v, why)
					}
					if why != "" && !strings.Contains(v.Fix, tc.fix) {
						t.Errorf("%s: the cure is %q, want %q", f, v.Fix, tc.fix)
					}
				}
			})
		})
	}
}

// TestProbeNamesWhatIsMissing holds that a wrong table is a state with a cure.
func TestProbeNamesWhatIsMissing(t *testing.T) {
	tests := map[string]struct {
		facts     facts
		class     model.FaultClass
		text, fix string
	}{
		"no table":  {facts{noTable: true}, model.FaultReshaped, "no table dbo.QueueDemo in Shop that ops can see", "--table"},
		"a view":    {facts{view: true}, model.FaultReshaped, "view", "table behind it"},
		"no column": {facts{without: "LeaseUntil"}, model.FaultReshaped, "no column LeaseUntil for the role lease", "AvailableAt"},
		"no right":  {facts{unread: []string{"ClaimToken", "LeaseUntil"}}, model.FaultDenied, "may not read ClaimToken, LeaseUntil", "SELECT on dbo.QueueDemo (ClaimToken, LeaseUntil)"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := dial(t, tc.facts, always(nothing()))
				_, err := w.q.Probe(t.Context())
				f := faultOf(t, err)
				if f.Class != tc.class || !strings.Contains(f.Text, tc.text) || !strings.Contains(f.Cure, tc.fix) {
					t.Errorf("%+v", f)
				}
			})
		})
	}
}

// TestEveryQuestionMayBeRefused holds that a server which lacks a system view costs
// one panel, and that silence is not taken for a refusal.
func TestEveryQuestionMayBeRefused(t *testing.T) {
	for _, name := range []string{"server", "tables", "indexes"} {
		synctest.Test(t, func(t *testing.T) {
			w := dial(t, facts{refused: name}, always(nothing()))
			c, err := w.q.Probe(t.Context())
			if err != nil || len(c.Notes) == 0 || !strings.Contains(c.Notes[0], name) {
				t.Errorf("%s: %v, notes %q", name, err, c.Notes)
			}
		})
	}
	synctest.Test(t, func(t *testing.T) {
		w := serve(t, facts{}, func(r tdstest.Request) tdstest.Reply {
			if r.Params != nil {
				return tdstest.Reply{tdstest.Silence{}}
			}
			a, _ := facts{}.answer(t, r)
			return a
		})
		if _, err := w.q.Probe(t.Context()); faultOf(t, err).Class != model.FaultHung {
			t.Errorf("silence: %v", err)
		}
	})
}

// TestProbeTellsWhoAnswers holds the header's facts.
func TestProbeTellsWhoAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := dial(t, facts{}, always(nothing()))
		c, err := w.q.Probe(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if c.Engine != Engine || c.Version != "16.0.4135.4" || c.Database != "Shop" || c.Login != "ops" || c.Encrypted != "plain" || !c.Ours {
			t.Errorf("%+v", c)
		}
		if want := time.Until(serverNow); c.Skew != want {
			t.Errorf("skew %v, want %v", c.Skew, want)
		}
		if c.Epoch == "" || !c.ProbedAt.Equal(serverNow) {
			t.Errorf("epoch %q, probed at %v", c.Epoch, c.ProbedAt)
		}
	})
}

// TestNothingIsCountedWithoutAnIndex holds that no statement by state leaves for a
// large table that would be scanned.
func TestNothingIsCountedWithoutAnIndex(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := probed(t, facts{noIndex: true, rows: 1e7}, always(nothing()))
		if _, _, err := w.q.Pulse(t.Context(), model.PulseAsk{}); err != nil {
			t.Fatal(err)
		}
		for _, r := range w.sent(t) {
			if strings.Contains(r.Text, "[dbo].[QueueDemo] ") || strings.Contains(r.Text, "[State]") {
				t.Errorf("sent\n%s", r.Text)
			}
		}
		_, _, err := w.q.Page(t.Context(), model.ViewWorking)
		if f := faultOf(t, err); f.Class != model.FaultReshaped || !strings.Contains(f.Text, "CREATE INDEX") {
			t.Errorf("%+v", f)
		}
	})
}

// TestInsistingReadsTheWholeTable holds that where somebody insists the figures are
// asked for without a demand for a seek and bounded all the same, that the oldest
// job is looked for once, and that what it costs and what would end it is known.
func TestInsistingReadsTheWholeTable(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := probed(t, facts{noIndex: true, rows: 12_000_000, insist: true}, always(nothing()))
		if _, _, err := w.q.Pulse(t.Context(), model.PulseAsk{}); err != nil {
			t.Fatal(err)
		}
		if _, _, err := w.q.Page(t.Context(), model.ViewReady); err != nil {
			t.Fatal(err)
		}
		sent := w.sent(t)
		for _, r := range sent {
			if strings.Contains(r.Text, "[dbo].[QueueDemo] AS q WITH (FORCESEEK") {
				t.Errorf("demands a seek that no index gives:\n%s", r.Text)
			}
		}
		pulse := sent[0].Text
		if reads, bounds := strings.Count(pulse, "FROM [dbo].[QueueDemo] AS q"), strings.Count(pulse, "TOP ("); reads != 5 || bounds < reads {
			t.Errorf("%d reads of the table, %d bounds, want 5 reads and each bounded:\n%s", reads, bounds, pulse)
		}
		c, err := w.q.Probe(t.Context())
		want := model.Scan{On: true, Rows: model.NumberOf(12_000_000), Index: "CREATE INDEX [IX_Claim] ON [dbo].[QueueDemo] ([State], [Priority], [AvailableAt], [JobId])"}
		if err != nil || c.Scan != want || !c.Allows(model.CanCount).OK {
			t.Errorf("%v, %+v, counting %+v", err, c.Scan, c.Allows(model.CanCount))
		}
	})
}

// TestSkewIsTakenFromTheQuickestAnswer holds that what the first answer costs, with
// the connection to be made, is not taken for a difference of clocks.
func TestSkewIsTakenFromTheQuickestAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := serve(t, facts{}, func(r tdstest.Request) tdstest.Reply {
			a, _ := facts{}.answer(t, r)
			if r.Text == askServer { // the first question
				return append(tdstest.Reply{tdstest.Sleep(time.Second)}, a...)
			}
			return a
		})
		c, err := w.q.Probe(t.Context())
		if want := time.Until(serverNow); err != nil || c.Skew != want {
			t.Errorf("skew %v, %v, want %v", c.Skew, err, want)
		}
	})
}
