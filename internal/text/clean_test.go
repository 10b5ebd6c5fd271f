package text_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"github.com/leasetop/leasetop/internal/text"
)

func TestClean(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, in, want string }{
		{"plain", "order 12 failed", "order 12 failed"},
		{"letters stay", "Größe 数量 ключ", "Größe 数量 ключ"},
		{"colour", "\x1b[31mred\x1b[0m", "red"},
		{"erase and title", "a\x1b[2Jb\x1b]0;pwned\x07c", "abc"},
		{"clipboard with ST", "a\x1b]52;c;cm0gLXJm\x1b\\b", "ab"},
		{"sixel", "a\x1bPq#0~\x1b\\b", "ab"},
		{"reset", "a\x1bcb", "ab"},
		{"an introducer without end hides nothing", "a\x1b]0;b", "a·]0;b"},
		{"nested", "\x1b\x1b[31m[31m", "·[31m"},
		{"eight-bit control", "a\x9b2Jb", "a·2Jb"},
		{"eight-bit control as a rune", "a\u009b2Jb", "a·2Jb"},
		{"lines", "a\r\nb\nc\rd\u2028e", "a⏎b⏎c⏎d⏎e"},
		{"tab and odd spaces", "a\tb\u00a0c\u3000d", "a b c d"},
		{"bidi", "abc\u202Etxt.exe\u2066x", "abc·txt.exe·x"},
		{"zero width", "a\u200bb\u200dc\ufeffd\u00ade", "a·b·c·d·e"},
		{"invisible letters", "a\u3164b\u115fc\u2800d\u034fe", "a·b·c·d·e"},
		{"selectors and joined emoji", "\u2764\ufe0f 👍🏽", "\u2764· 👍·"},
		{"flags", "\U0001f1e9\U0001f1ea", "··"},
		{"letters are composed", "e\u0301 \u1112\u1161\u11ab", "é 한"},
		{"a mark without a composed letter stays", "x\u0301", "x\u0301"},
		{"half a syllable", "\u1112 \u1161\u11ab", "\u1112 ··"},
		{"a leading mark is not lent to the frame", "\u0301e", "·e"},
		{"invalid bytes", "a\xff\xfeb", "a··b"},
		{"NUL and DEL", "a\x00b\x7fc", "a·b·c"},
		{"private and unassigned", "a\ue000b\U000e0fffc", "a·b·c"},
		{"empty", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := text.Clean(c.in); got != c.want {
				t.Errorf("Clean(%q) = %q, want %q", c.in, got, c.want)
			}
		})
	}
}

func TestCleanBlockKeepsLines(t *testing.T) {
	t.Parallel()
	got := text.CleanBlock("{\r\n\t\"a\": 1\n\u0301}\x1b[H", 100)
	if want := "{\n    \"a\": 1\n·}"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestCleanIsBounded(t *testing.T) {
	t.Parallel()
	for _, unit := range []string{"x", "é", "数", "\x1b[31m", "\xff", "\u202e", "\t"} {
		s := strings.Repeat(unit, 2<<20/len(unit))
		if got := text.Clean(s); len(got) > text.MaxLine || !utf8.ValidString(got) {
			t.Errorf("of 2 MB of %q %d bytes are left", unit, len(got))
		}
		if got := text.CleanBlock(s, 10); len(got) > 10 {
			t.Errorf("of 2 MB of %q %d bytes are left in a block", unit, len(got))
		}
	}
}

// hostile draws strings of the pieces that have broken terminals before, between
// text of all kinds.
func hostile() *rapid.Generator[string] {
	piece := rapid.OneOf(
		rapid.SampledFrom([]string{
			"\x1b[31m", "\x1b]0;t\x07", "\x1b]52;c;x\x1b\\", "\x1b[", "\x1bP", "\x1b", "\x9b", "\u009d", "\u202e", "\u2066", "\u200d",
			"\ufe0f", "\r\n", "\n", "\t", "\x00", "\xff", "数", "e\u0301", "👍", "🏽", "\U0001f1e9", "क्ष", "ᄀ", "ᅡ", "\u0301", "\u20e3",
		}),
		rapid.String(),
		rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }),
	)
	return rapid.Map(rapid.SliceOfN(piece, 0, 8), func(ps []string) string { return strings.Join(ps, "") })
}

// harmless fails unless nothing in s can steer a terminal or hide.
func harmless(t interface {
	Helper()
	Errorf(string, ...any)
}, s string, block bool,
) {
	t.Helper()
	if !utf8.ValidString(s) {
		t.Errorf("%q is not valid UTF-8", s)
	}
	for _, r := range s {
		if r == '\n' && block {
			continue
		}
		if unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Bidi_Control, unicode.Variation_Selector) {
			t.Errorf("%q holds %U", s, r)
		}
	}
	if ansi.Strip(s) != s {
		t.Errorf("%q holds an escape sequence", s)
	}
}

func TestCleanProperties(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := hostile().Draw(t, "s")
		got := text.Clean(s)
		harmless(t, got, false)
		if again := text.Clean(got); again != got {
			t.Errorf("cleaned twice %q becomes %q", got, again)
		}
		limit := rapid.IntRange(0, 40).Draw(t, "limit")
		block := text.CleanBlock(s, limit)
		harmless(t, block, true)
		if len(block) > limit {
			t.Errorf("%d bytes, limit %d", len(block), limit)
		}
		if again := text.CleanBlock(block, limit); again != block {
			t.Errorf("cleaned twice %q becomes %q", block, again)
		}
	})
}

func FuzzClean(f *testing.F) {
	for _, s := range []string{"a\x1b[31mb", "\x1b]0;t\x07", "\x1bPq\x1b\\", "\u202e", "a\r\nb", "\xff", "e\u0301", "\U0001f1e9"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := text.Clean(s)
		harmless(t, got, false)
		if text.Clean(got) != got {
			t.Errorf("not idempotent on %q", s)
		}
		harmless(t, text.CleanBlock(s, 200), true)
	})
}

func BenchmarkCleanPlain(b *testing.B) {
	s := strings.Repeat("an ordinary error text ", 8)
	for b.Loop() {
		text.Clean(s)
	}
}

func BenchmarkCleanHostile(b *testing.B) {
	s := strings.Repeat("\x1b[31mé\u202e", 1000)
	for b.Loop() {
		text.Clean(s)
	}
}

func TestBrief(t *testing.T) {
	if got := text.Brief("pick\x1b[31m-07"); got != "pick-07" {
		t.Errorf("a short name is %q", got)
	}
	row := "QDateTime=2026-03-14T12:04:31.123,CustomerID=2947,OrderID="
	if a, b := text.Brief(row+"8784"), text.Brief(row+"4859"); a == b || !strings.HasPrefix(a, "QDateTime=2026-03-14T12:04:31") || !strings.HasSuffix(a, ",OrderID=8784") {
		t.Errorf("two rows are %q and %q", a, b)
	}
	for _, s := range []string{strings.Repeat("界", 1000), strings.Repeat("e\u0301\u0316", 500) + "x", strings.Repeat("k", 5000)} {
		if got := text.Brief(s); text.Width(got) > 60 || text.Width(got) < 56 || strings.Count(got, "…") != 1 {
			t.Errorf("%d cells take %d: %q", text.Width(s), text.Width(got), got)
		}
	}
}
