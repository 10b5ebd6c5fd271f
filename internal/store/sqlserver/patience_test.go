package sqlserver

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/leasetop/leasetop/internal/tdstest"
	"github.com/leasetop/leasetop/model"
)

// TestASlowParserIsWaitedFor holds that a statement may take longer on a server
// whose connections each begin with a parser that has learnt nothing, and no longer
// anywhere else.
func TestASlowParserIsWaitedFor(t *testing.T) {
	for name, tc := range map[string]struct {
		facts facts
		says  string
	}{
		"SQL Server": {facts{}, "no answer within 2s"},
		"Babelfish":  {facts{babelfish: "4.3.0"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := probed(t, tc.facts, always(tdstest.Sleep(6*time.Second), nothing()))
				_, _, err := w.q.Pulse(t.Context(), model.PulseAsk{})
				said := ""
				var f *model.Fault
				if errors.As(err, &f) {
					said = f.Text
				}
				if said != tc.says {
					t.Errorf("a pulse of six seconds: %v, want %q", err, tc.says)
				}
			})
		})
	}
}

// TestAProbeThatHangsSaysWhere holds that of many questions the one is named that
// got no answer, and how long it was waited for.
func TestAProbeThatHangsSaysWhere(t *testing.T) {
	for name, part := range questions() {
		if name == "who" || name == "there" || name == "edition" || name == "procedures" || name == "rows" || name == "row-columns" {
			continue
		}
		text, err := part.Text()
		if err != nil {
			t.Fatal(err)
		}
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := serve(t, facts{}, func(r tdstest.Request) tdstest.Reply {
					if r.Text == text {
						return tdstest.Reply{tdstest.Silence{}}
					}
					a, _ := facts{}.answer(t, r)
					return a
				})
				_, err := w.q.Probe(t.Context())
				var f *model.Fault
				if !errors.As(err, &f) || f.Class != model.FaultHung || f.Op != "probe: "+name || f.Text != "no answer within 10s" {
					t.Errorf("it says %v", err)
				}
			})
		})
	}
}

// TestAProbeOfBabelfishKeepsItsConnection holds that nothing is asked there of which
// is known that it will be refused: a refusal costs the connection.
func TestAProbeOfBabelfishKeepsItsConnection(t *testing.T) {
	for name, f := range map[string]facts{
		"lease": {}, "bare": {profile: "bare"}, "destructive": {profile: "destructive"},
	} {
		t.Run(name, func(t *testing.T) {
			f.babelfish, f.refused = "4.3.0", "facts"
			w := probed(t, f, always(nothing()))
			for range 3 {
				if _, err := w.q.Probe(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			if n := len(w.Logins()); n != 1 {
				t.Errorf("%d connections for four probes, want one", n)
			}
		})
	}
}
