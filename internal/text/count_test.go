package text_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
)

func TestCounts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		n    int64
		how  model.Trust
		want string
	}{
		{7, model.Unknown, "–"},
		{0, model.Exact, "0"},
		{1284, model.Exact, "1,284"},
		{1234567, model.Exact, "1,234,567"},
		{12, model.AtLeast, "≥ 12"},
		{10_000, model.Capped, "10k+"},
		{500, model.Capped, "500+"},
		{1234, model.Capped, "1,234+"},
		{9_400, model.Estimated, "~9,400"},
		{48_230, model.Estimated, "~48.2k"},
		{999_960, model.Estimated, "~1.0M"},
		{10_400_000, model.Estimated, "~10.4M"},
		{math.MaxInt64, model.Estimated, "~9.2E"},
		{-3, model.Exact, "−3"},
	} {
		if got := text.Count(model.Count{N: c.n, Trust: c.how}); got != c.want {
			t.Errorf("Count(%d, %v) = %q, want %q", c.n, c.how, got, c.want)
		}
	}
}

func TestOnlyUnknownIsUnknown(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		c := model.Count{N: rapid.Int64().Draw(t, "n"), Trust: model.Trust(rapid.IntRange(0, 4).Draw(t, "trust"))}
		if got := text.Count(c); (got == text.Unknown) == c.Known() {
			t.Errorf("%+v prints as %q", c, got)
		}
	})
}

func TestRates(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		f    float64
		how  model.Trust
		want string
	}{
		{3, model.Unknown, "–"},
		{0, model.Exact, "0.0"},
		{0.02, model.Exact, "<0.1"},
		{11.24, model.Exact, "11.2"},
		{99.96, model.Exact, "100"},
		{1204.4, model.AtLeast, "≥ 1,204"},
		{12_345, model.Estimated, "~12.3k"},
		{9_999.6, model.Exact, "10.0k"},
		{-0.8, model.Exact, "−0.8"},
		{-0.01, model.Exact, ">−0.1"},
		{math.NaN(), model.Exact, "–"},
		{math.Inf(1), model.Exact, "–"},
	} {
		if got := text.Rate(model.Rate{PerSec: c.f, Trust: c.how}); got != c.want {
			t.Errorf("Rate(%v, %v) = %q, want %q", c.f, c.how, got, c.want)
		}
	}
}

func TestBytesAndPlural(t *testing.T) {
	t.Parallel()
	for in, want := range map[int64]string{0: "0 B", 999: "999 B", 1000: "1.0 kB", 2_097_152: "2.1 MB", math.MaxInt64: "9.2 EB"} {
		if got := text.Bytes(in); got != want {
			t.Errorf("Bytes(%d) = %q, want %q", in, got, want)
		}
	}
	for in, want := range map[int64]string{0: "0 rows", 1: "1 row", 1284: "1,284 rows"} {
		if got := text.Plural(in, "row", "rows"); got != want {
			t.Errorf("Plural(%d) = %q, want %q", in, got, want)
		}
	}
}
