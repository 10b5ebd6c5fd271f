package uitest

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestForgottenGoldensAreFound(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, content string) {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("a_test.go", "package a\n\nfunc TestKept(t *testing.T) {}\n// func TestGone(t *testing.T)\n")
	write("testdata/TestKept/asked.golden", "")
	write("testdata/TestKept/unasked.golden", "")
	write("testdata/TestGone/x.golden", "")

	kept := filepath.Join(dir, "testdata", "TestKept")
	if got, want := unasked(kept, map[string]bool{filepath.Join(kept, "asked.golden"): true}), []string{filepath.Join(kept, "unasked.golden")}; !slices.Equal(got, want) {
		t.Errorf("not asked for: %v, want %v", got, want)
	}
	got, err := Orphans(dir)
	if want := []string{filepath.Join(dir, "testdata", "TestGone")}; err != nil || !slices.Equal(got, want) {
		t.Errorf("orphans: %v %v, want %v", got, err, want)
	}
}
