package sqlserver

import (
	"slices"
	"testing"
	"testing/synctest"

	"github.com/leasetop/leasetop/internal/store"
)

// TestTheProbeIsListedAsItIsSent holds that a DBA reads every question that a probe
// asks, and no other but those of which it is said when they are.
func TestTheProbeIsListedAsItIsSent(t *testing.T) {
	for name, f := range map[string]facts{
		"a lease queue":                      {},
		"one that lacks history and brake":   {noHistory: true, noBrake: 208},
		"one whose procedures are looked at": {noInsert: true},
		"a destructive queue":                destructive(),
		"a lease queue on Babelfish":         {babelfish: "4.3.0"},
		"a destructive queue on Babelfish":   {profile: destructive().profile, babelfish: "4.3.0"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := probed(t, f, always(nothing()))
				caps, _ := w.q.Caps()
				listed := Dialect{}.Questions(f.mapping(t), &caps)
				var sent []string
				for _, r := range w.Requests() {
					sent = append(sent, r.Text)
					if !slices.ContainsFunc(listed, func(s store.Stmt) bool { return s.Texts[0] == r.Text }) {
						t.Errorf("sent and not listed:\n%s", r.Text)
					}
				}
				for _, s := range listed {
					if !slices.Contains(sent, s.Texts[0]) && s.When == "" {
						t.Errorf("%s is listed and was not sent", s.Op)
					}
				}
			})
		})
	}
}
