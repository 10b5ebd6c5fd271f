package cli

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/leasetop/leasetop/model"
)

// TestAJudgedRowNeedsNothingMore reads a row back whose request is proved to have
// been lost and that a later run found to be something else: nothing is left to do.
func TestAJudgedRowNeedsNothingMore(t *testing.T) {
	path := filepath.Join(t.TempDir(), "list.jsonl")
	lines := `{"event":"set","action":"reclaim","queue":"orders","rows":[{"key":"7","token":"none"}]}
{"event":"sent","action_id":"A1","key":"7"}
{"event":"done","action_id":"A1","key":"7","outcome":"refused","again":true}
{"event":"done","action_id":"","key":"7","outcome":"changed"}
{"event":"end"}
`
	if err := os.WriteFile(path, []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := readRun(path)
	if err != nil {
		t.Fatal(err)
	}
	if settled, unsure, left := r.counts(); settled != 1 || unsure != 0 || left != 0 {
		t.Errorf("%d settled, %d unsure, %d left", settled, unsure, left)
	}
	if e := r.rows["7"]; e.Outcome != model.Changed.String() {
		t.Errorf("the last word is %q", e.Outcome)
	}
}
