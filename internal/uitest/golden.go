package uitest

import (
	"errors"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
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
	files, _ := filepath.Glob(filepath.Join(dir, "*.golden"))
	for _, f := range files {
		if s.used[f] {
			continue
		}
		if *update {
			_ = os.Remove(f)
			continue
		}
		s.Errorf("no step asks for %s: remove it", f)
	}
}

// Orphans lists the folders of goldens below testdata that belong to no test of
// the package in the current folder.
func Orphans() ([]string, error) {
	dirs, err := filepath.Glob(filepath.Join("testdata", "Test*"))
	if err != nil {
		return nil, err
	}
	sources, err := filepath.Glob("*_test.go")
	if err != nil {
		return nil, err
	}
	tests := map[string]bool{}
	for _, f := range sources {
		src, err := os.ReadFile(f)
		if err != nil {
			return nil, err
		}
		for _, m := range regexp.MustCompile(`(?m)^func (Test\w+)\(`).FindAllStringSubmatch(string(src), -1) {
			tests[filepath.Join("testdata", m[1])] = true
		}
	}
	var orphans []string
	for _, d := range dirs {
		if !tests[d] {
			orphans = append(orphans, d)
		}
	}
	return orphans, nil
}
