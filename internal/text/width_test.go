package text_test

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"github.com/leasetop/leasetop/internal/text"
)

func TestCutAndPad(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		in             string
		cells          int
		cut, left, rig string
	}{
		{"pick-07", 8, "pick-07", " pick-07", "pick-07 "},
		{"pick-07", 7, "pick-07", "pick-07", "pick-07"},
		{"pick-07", 4, "pic…", "pic…", "pic…"},
		{"pick-07", 1, "…", "…", "…"},
		{"pick-07", 0, "", "", ""},
		{"pick-07", -3, "", "", ""},
		{"数量数量", 8, "数量数量", "数量数量", "数量数量"},
		{"数量数量", 5, "数量…", "数量…", "数量…"},
		{"数量数量", 4, "数…", " 数…", "数… "},
		{"cafe\u0301s", 5, "cafe\u0301s", "cafe\u0301s", "cafe\u0301s"},
		{"cafe\u0301s!", 5, "cafe\u0301…", "cafe\u0301…", "cafe\u0301…"},
		{"", 2, "", "  ", "  "},
	} {
		if got := text.Cut(c.in, c.cells); got != c.cut {
			t.Errorf("Cut(%q, %d) = %q, want %q", c.in, c.cells, got, c.cut)
		}
		if got := text.PadLeft(c.in, c.cells); got != c.left {
			t.Errorf("PadLeft(%q, %d) = %q, want %q", c.in, c.cells, got, c.left)
		}
		if got := text.PadRight(c.in, c.cells); got != c.rig {
			t.Errorf("PadRight(%q, %d) = %q, want %q", c.in, c.cells, got, c.rig)
		}
	}
}

func TestWidthIgnoresEscapes(t *testing.T) {
	t.Parallel()
	if got := text.Width("\x1b[31m数\x1b[0m–"); got != 3 {
		t.Errorf("got %d cells, want 3", got)
	}
}

// TestEveryGlyphAsItsLibrarySays holds the short way of Width to the long one.
func TestEveryGlyphAsItsLibrarySays(t *testing.T) {
	t.Parallel()
	for r := ' '; r <= 0x3000; r++ {
		if r == 0x7f || r >= 0x80 && r < 0xa0 {
			continue // controls: Clean leaves none
		}
		for _, s := range []string{string(r), "a" + string(r), string(r) + string(r) + "z"} {
			if got, want := text.Width(s), max(ansi.StringWidth(s), ansi.StringWidthWc(s)); got != want {
				t.Errorf("%U in %q is %d wide, want %d", r, s, got, want)
			}
		}
	}
}

func TestCutProperties(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := text.Clean(hostile().Draw(t, "s"))
		cells := rapid.IntRange(-1, 30).Draw(t, "cells")
		got := text.Cut(s, cells)
		if w := text.Width(got); w > max(cells, 0) {
			t.Errorf("Cut(%q, %d) = %q is %d wide", s, cells, got, w)
		}
		if got != s && got != "" && !strings.HasPrefix(s, strings.TrimSuffix(got, "…")) {
			t.Errorf("Cut(%q, %d) = %q is no beginning of it", s, cells, got)
		}
		if w := text.Width(s); w <= cells && got != s {
			t.Errorf("Cut(%q, %d) = %q although it fits", s, cells, got)
		}
		for _, padded := range []string{text.PadLeft(s, cells), text.PadRight(s, cells)} {
			if w := text.Width(padded); w != max(cells, 0) {
				t.Errorf("%q padded to %d is %d wide: %q", s, cells, w, padded)
			}
		}
	})
}

func TestASCIIKeepsTheWidth(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"≥ 4m15s": ">=4m15s", "–": "-", "−2m00s": "-2m00s", "pick…": "pick>", "a⏎b·c": "a|b.c", "~48.2k": "~48.2k",
	} {
		got := text.ASCII(in)
		if got != want || text.Width(got) != text.Width(in) {
			t.Errorf("ASCII(%q) = %q, want %q", in, got, want)
		}
	}
}

func FuzzCut(f *testing.F) {
	f.Add("数量", 3)
	f.Add("क्ष🏽e\u0301", 2)
	f.Fuzz(func(t *testing.T, s string, cells int) {
		cells %= 200
		s = text.Clean(s)
		if got := text.Cut(s, cells); text.Width(got) > max(cells, 0) {
			t.Errorf("Cut(%q, %d) = %q is %d wide", s, cells, got, text.Width(got))
		}
	})
}

func BenchmarkPadRight(b *testing.B) {
	for b.Loop() {
		text.PadRight("dbo.usp_Retry: Größe überschritten", 24)
	}
}
