// Package shot turns drawn views into text that a person can read in a diff, for
// tests: the cells first, then where which ink is.
package shot

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	uv "github.com/charmbracelet/ultraviolet"

	"github.com/leasetop/leasetop/themes"
	"github.com/leasetop/leasetop/themes/spot"
)

// Screen is a drawn view of width × height cells.
type Screen struct {
	buf           uv.ScreenBuffer
	width, height int
}

// Of draws a view as a terminal would.
func Of(view string, width, height int) Screen {
	s := Screen{uv.NewScreenBuffer(width, height), width, height}
	uv.NewStyledString(view).Draw(s.buf, s.buf.Bounds())
	return s
}

// Line is the text of a line, without what trails.
func (s Screen) Line(y int) string {
	var b strings.Builder
	for x := 0; x < s.width; {
		c := s.buf.CellAt(x, y)
		if c == nil || c.Width == 0 {
			b.WriteByte(' ')
			x++
			continue
		}
		b.WriteString(c.Content)
		x += c.Width
	}
	return strings.TrimRight(b.String(), " ")
}

// Text is all lines.
func (s Screen) Text() string {
	lines := make([]string, s.height)
	for y := range lines {
		lines[y] = s.Line(y)
	}
	return strings.Join(lines, "\n") + "\n"
}

// Token is the ink of a cell, and whether the selection lies under it. The view
// must have been drawn in the theme of themes/spot.
func (s Screen) Token(x, y int) (token string, selected bool) {
	c := s.buf.CellAt(x, y)
	if c == nil {
		return themes.Plain.String(), false
	}
	return spot.Name(c.Style.Fg), spot.Name(c.Style.Bg) == themes.Selected.String()
}

// Runs lists the inks, a line of the screen a line: "r07 0-2 accent, 4-9 bad".
// Plain text is left out.
func (s Screen) Runs() string {
	var b strings.Builder
	for y := range s.height {
		var runs []string
		for x := 0; x < s.width; {
			from, name := x, s.name(x, y)
			for x < s.width && s.name(x, y) == name {
				x++
			}
			if name != themes.Plain.String() {
				runs = append(runs, fmt.Sprintf("%d-%d %s", from, x-1, name))
			}
		}
		if len(runs) > 0 {
			fmt.Fprintf(&b, "r%02d %s\n", y, strings.Join(runs, ", "))
		}
	}
	return b.String()
}

func (s Screen) name(x, y int) string {
	n, on := s.Token(x, y)
	switch {
	case on && n == themes.Plain.String():
		return "on"
	case on:
		return "on+" + n
	}
	return n
}

// Golden compares the screen with testdata/<name>.golden. With the environment
// variable LEASETOP_UPDATE set it writes that file instead, to be read before it
// is committed.
func Golden(t *testing.T, name string, s Screen) {
	t.Helper()
	got := s.Text() + "---\n" + s.Runs()
	path := filepath.Join("testdata", name+".golden")
	if os.Getenv("LEASETOP_UPDATE") != "" {
		if err := os.MkdirAll("testdata", 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("no golden: run with LEASETOP_UPDATE=1 and read what it wrote: %v", err)
	}
	if got != string(want) {
		t.Errorf("%s differs.\n--- want\n%s\n--- got\n%s", path, want, got)
	}
}

// Cell is what stands in a cell; empty in the second half of a wide glyph.
func (s Screen) Cell(x, y int) string {
	if c := s.buf.CellAt(x, y); c != nil {
		return c.Content
	}
	return ""
}
