package uitest

import (
	"errors"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/aymanbagabas/go-udiff"
)

// update rewrites the goldens instead of comparing with them.
var update = flag.Bool("update", false, "rewrite the golden screens")

// Golden compares the screen with the file testdata/<test>/<name>.golden. The file
// holds the text, then the runs of cells that have a style:
//
//	r07-09 c03-12 bad bold on panel
//
// so that a re-layout changes the text and a restyle only the runs. With -update
// the file is written.
func (s *Session) Golden(name string) {
	s.Helper()
	path := filepath.Join(s.goldenDir(), strings.ReplaceAll(name, " ", "-")+".golden")
	if s.used == nil {
		s.used = map[string]bool{}
	}
	s.used[path] = true
	got := s.picture()
	want, err := os.ReadFile(path)
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		s.Fatal(err)
	case string(want) == got:
	case *update:
		s.write(path, got)
		s.Logf("%s:\n%s", path, udiff.Unified("before", "after", string(want), got))
	default:
		s.Errorf("the screen is not %s (go test -update rewrites it):\n%s", path, udiff.Unified("want", "got", string(want), got))
	}
}

func (s *Session) write(path, content string) {
	s.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
		s.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		s.Fatal(err)
	}
}

func (s *Session) goldenDir() string { return filepath.Join("testdata", s.Name()) }

// unused fails the test for every golden in the folder that no step asked for.
func (s *Session) unused(dir string) {
	if s.Failed() {
		return // steps may be missing
	}
	for _, f := range unasked(dir, s.used) {
		if *update {
			_ = os.Remove(f)
			continue
		}
		s.Errorf("no step asks for %s: remove it, or run go test -update", f)
	}
}

func unasked(dir string, used map[string]bool) []string {
	files, _ := filepath.Glob(filepath.Join(dir, "*.golden")) // the pattern is good
	return slices.DeleteFunc(files, func(f string) bool { return used[f] })
}

// Orphans lists the folders of goldens in a package's folder that belong to none
// of its tests.
func Orphans(pkg string) ([]string, error) {
	dirs, err := filepath.Glob(filepath.Join(pkg, "testdata", "Test*"))
	if err != nil {
		return nil, err
	}
	sources, err := filepath.Glob(filepath.Join(pkg, "*_test.go"))
	if err != nil {
		return nil, err
	}
	tests := map[string]bool{}
	declared := regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	for _, f := range sources {
		src, err := os.ReadFile(f)
		if err != nil {
			return nil, err
		}
		for _, m := range declared.FindAllStringSubmatch(string(src), -1) {
			tests[m[1]] = true
		}
	}
	return slices.DeleteFunc(dirs, func(d string) bool { return tests[filepath.Base(d)] }), nil
}
