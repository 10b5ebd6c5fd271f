package cli

import (
	"strings"
	"testing"

	"github.com/leasetop/leasetop/model"
)

// TestEnqueueNeedsNoClaims holds that jobs can be added wherever a row may be inserted,
// also by a login that may do nothing else, and that a refusal names the right that
// is missing for what was asked.
func TestEnqueueNeedsNoClaims(t *testing.T) {
	yes, update, insert := model.Yes(), model.No("UPDATE is missing", ""), model.No("INSERT is missing", "")
	for name, tc := range map[string]struct {
		control, work, enqueue model.Verdict
		want                   map[string]string // empty: allowed
	}{
		"a healthy table":     {yes, yes, yes, map[string]string{"enqueue": "", "work": ""}},
		"no claims":           {yes, update, yes, map[string]string{"enqueue": "", "work": "UPDATE"}},
		"one who only adds":   {update, update, yes, map[string]string{"enqueue": "", "work": "UPDATE"}},
		"an operator's login": {yes, update, insert, map[string]string{"enqueue": "INSERT", "work": "UPDATE"}},
		"a worker's login":    {update, yes, insert, map[string]string{"enqueue": "INSERT", "work": ""}},
	} {
		caps := model.Caps{Can: map[model.Feature]model.Verdict{model.CanControl: tc.control, model.CanWork: tc.work, model.CanEnqueue: tc.enqueue}}
		for what, want := range tc.want {
			switch err := allowed(&caps, what); {
			case want == "" && err != nil:
				t.Errorf("%s: %s: %v", name, what, err)
			case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
				t.Errorf("%s: %s: %v, want a word of %s", name, what, err, want)
			}
		}
	}
}
