package cli

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/leasetop/leasetop/model"
)

// TestPrune keeps what is young, what is unresolved, what a process still writes
// to, and a later word on an act as long as the act's own line.
func TestPrune(t *testing.T) {
	dir := t.TempDir()
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	file := func(name string, age time.Duration, lines ...string) {
		path := filepath.Join(dir, name+".jsonl")
		err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o600)
		if err = errors.Join(err, os.Chtimes(path, now.Add(-age), now.Add(-age))); err != nil {
			t.Fatal(err)
		}
	}
	sent := func(id string) string { return `{"event":"sent","action_id":"` + id + `"}` }
	done := func(id string, o model.Outcome) string {
		return `{"event":"done","action_id":"` + id + `","outcome":"` + o.String() + `"}`
	}
	const old, young = 31 * 24 * time.Hour, 29 * 24 * time.Hour
	file("a-resolved", old, sent("1"), done("1", model.Applied))
	file("b-young", young, sent("2"), done("2", model.Applied))
	file("c-unresolved", old, sent("3"), done("3", model.OutcomeUnknown))
	file("d-asked-later", old, sent("4"))
	file("e-its-answer", old, done("4", model.Changed))
	file("f-young-act", young, sent("5"))
	file("g-old-word-on-it", old, done("5", model.Refused), sent("6"), done("6", model.Applied))
	file("h-for-good", old, sent("7"), `{"event":"done","action_id":"7","outcome":"unknown","final":true}`)
	file("i-empty", old)
	file("j-open", old, sent("8"), done("8", model.Applied))
	f, err := os.OpenFile(filepath.Join(dir, "j-open.jsonl"), os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if free, err := lockFile(f); err != nil || !free {
		t.Fatal(free, err)
	}
	prune(dir, now)
	var left []string
	files, _ := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	for _, f := range files {
		left = append(left, strings.TrimSuffix(filepath.Base(f), ".jsonl"))
	}
	if want := []string{"b-young", "c-unresolved", "f-young-act", "g-old-word-on-it", "j-open"}; !slices.Equal(left, want) {
		t.Errorf("left are %v, want %v", left, want)
	}
}
