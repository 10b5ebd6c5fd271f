package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/leasetop/leasetop/model"
)

// TestNothingWasBegunOfATornSet cuts a record within its first line, as a process that
// is killed while it writes a long set leaves it: nobody is to be warned of it for ever.
func TestNothingWasBegunOfATornSet(t *testing.T) {
	path := filepath.Join(t.TempDir(), "list.jsonl")
	for _, whole := range []bool{false, true} {
		line := `{"event":"set","action":"reclaim","queue":"orders","rows":[{"key":"7","tok`
		if whole {
			line += "\n"
		}
		if err := os.WriteFile(path, []byte(line), 0o600); err != nil {
			t.Fatal(err)
		}
		runs, err := unfinished(filepath.Dir(path))
		if len(runs) != 0 || (err != nil) != whole {
			t.Errorf("with its line end %v: %d runs, error %v", whole, len(runs), err)
		}
	}
	if err := os.WriteFile(path, []byte(`{"event":"set","ac`), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := reopen(path); err == nil || !strings.Contains(err.Error(), "nothing was begun") {
		t.Errorf("going on with it: %v", err)
	}
}

// TestARunThatNotedItsEndIsNotRead holds by what a record is left alone: by its last line,
// whatever is before it. Its end without the others says that it was not looked at.
func TestARunThatNotedItsEndIsNotRead(t *testing.T) {
	const (
		set  = `{"event":"set","action":"reclaim","queue":"orders","rows":[{"key":"7","token":"none"}]}` + "\n"
		sent = `{"event":"sent","action_id":"A1","key":"7"}` + "\n"
		end  = `{"event":"end","applied":1,"changed":0,"gone":0,"refused":0,"unknown":0,"left":0}` + "\n"
	)
	long := strings.Repeat(sent, 100)
	for name, tc := range map[string]struct {
		text string
		left int
	}{
		"at its end":              {set + sent + end, 0},
		"a long one at its end":   {set + long + end, 0},
		"gone on with and cut":    {set + end + sent, 1},
		"its end is torn":         {set + sent + end[:len(end)-2], 1},
		"its end has no line end": {set + sent + end[:len(end)-1], 1},
		"one is left":             {set + sent + strings.Replace(end, `"left":0`, `"left":1`, 1), 1},
		"one is unknown":          {set + sent + strings.Replace(end, `"unknown":0`, `"unknown":1`, 1), 1},
		"nothing but the set":     {set, 1},
		"empty":                   {"", 0},
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "list.jsonl"), []byte(tc.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if runs, err := unfinished(dir); err != nil || len(runs) != tc.left {
			t.Errorf("%s: %d unfinished, want %d; error %v", name, len(runs), tc.left, err)
		}
	}
}

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
