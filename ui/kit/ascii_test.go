package kit_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/ui/kit"
)

// drawn are the folders whose words and glyphs come onto a screen.
var drawn = []string{"ui", "actions", "model", "themes", "internal/diagnose", "internal/drill/lesson", "internal/tape", "internal/text", "internal/worker"}

// TestEveryGlyphHasAPlainOne looks through the sources for what is not ASCII: each
// glyph is one cell wide, and has a plain one of that width for terminals without.
func TestEveryGlyphHasAPlainOne(t *testing.T) {
	t.Parallel()
	glyphs := map[rune]string{}
	for _, dir := range drawn {
		literals(t, filepath.Join("..", "..", dir), func(at, s string) {
			if label := kit.Bind("x", s, "").Label(true); !strings.ContainsFunc(s, unicode.IsLetter) && isPlain(label) {
				return // a key's name, which becomes a word
			}
			for _, r := range s {
				if r >= utf8.RuneSelf && r != utf8.RuneError {
					glyphs[r] = at
				}
			}
		})
	}
	if len(glyphs) < 20 {
		t.Fatalf("only %d glyphs were found", len(glyphs))
	}
	for r, at := range glyphs {
		plain := kit.ASCII(string(r))
		if text.Width(string(r)) != 1 {
			t.Errorf("%s: %q is %d cells wide", at, r, text.Width(string(r)))
		}
		if len(plain) != 1 || !isPlain(plain) {
			t.Errorf("%s: %q (%U) becomes %q on a terminal without it", at, r, r, plain)
		}
	}
}

func isPlain(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r >= utf8.RuneSelf })
}

// read are the sources that name glyphs to look for them, and draw none.
var read = []string{"clean.go", "signature.go"}

// literals gives every string of the sources below a folder, tests left out.
func literals(t *testing.T, dir string, each func(at, s string)) {
	t.Helper()
	files := token.NewFileSet()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || slices.Contains(read, d.Name()) {
			return err
		}
		f, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if l, ok := n.(*ast.BasicLit); ok && (l.Kind == token.STRING || l.Kind == token.CHAR) {
				if s, err := strconv.Unquote(l.Value); err == nil {
					each(files.Position(l.Pos()).String(), s)
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
