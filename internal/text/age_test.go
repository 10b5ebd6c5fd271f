package text_test

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
)

const (
	s = time.Second
	m = time.Minute
	h = time.Hour
	d = 24 * h
)

func TestSpans(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		in           time.Duration
		short, exact string
	}{
		{0, "0s", "0s"},
		{999 * time.Millisecond, "0s", "0s"},
		{9*s + 999*time.Millisecond, "9s", "9s"},
		{10 * s, "10s", "10s"},
		{14 * s, "10s", "14s"},
		{59 * s, "55s", "59s"},
		{m, "1m00s", "1m00s"},
		{2*m + 29*s, "2m15s", "2m29s"},
		{9*m + 59*s, "9m45s", "9m59s"},
		{10*m + 59*s, "10m", "10m59s"},
		{59*m + 59*s, "59m", "59m59s"},
		{h + 2*m + 7*s, "1h", "1h02m07s"},
		{23*h + 59*m, "23h", "23h59m00s"},
		{3*d + 4*h + 2*m + 59*s, "3d", "3d04h02m"},
		{729 * d, "729d", "729d00h00m"},
		{1000 * d, "2y", "1000d00h00m"},
		{-4 * s, "−4s", "−4s"},
		{-2*m - 17*s, "−2m15s", "−2m17s"},
		{-900 * time.Millisecond, "0s", "0s"},
		{100*365*d - 1, "99y", "36499d23h59m"},
		{100 * 365 * d, "99y+", "99y+"},
		{math.MaxInt64, "99y+", "99y+"},
		{math.MinInt64, "−99y+", "−99y+"},
	} {
		if got := text.Short(c.in); got != c.short {
			t.Errorf("Short(%v) = %q, want %q", c.in, got, c.short)
		}
		if got := text.Exact(c.in); got != c.exact {
			t.Errorf("Exact(%v) = %q, want %q", c.in, got, c.exact)
		}
	}
}

// size reads a Short form back, so that order can be checked on what is shown.
func size(t interface{ Fatalf(string, ...any) }, short string) time.Duration {
	units := map[byte]time.Duration{'s': s, 'm': m, 'h': h, 'd': d, 'y': 365 * d}
	sum, n := time.Duration(0), time.Duration(0)
	for i := range len(short) {
		switch b := short[i]; {
		case b >= '0' && b <= '9':
			n = n*10 + time.Duration(b-'0')
		case units[b] > 0:
			sum, n = sum+n*units[b], 0
		default:
			t.Fatalf("%q has an odd form", short)
		}
	}
	return sum
}

func step(v time.Duration) time.Duration {
	switch {
	case v < 10*s:
		return s
	case v < m:
		return 5 * s
	case v < 10*m:
		return 15 * s
	case v < h:
		return m
	case v < d:
		return h
	case v < 730*d:
		return d
	}
	return 365 * d
}

func TestShortProperties(t *testing.T) {
	t.Parallel()
	spans := rapid.OneOf(
		rapid.Int64Range(0, int64(20*m)), rapid.Int64Range(0, int64(3*d)), rapid.Int64Range(0, int64(100*365*d)-1),
	)
	rapid.Check(t, func(t *rapid.T) {
		a, b := time.Duration(spans.Draw(t, "a")), time.Duration(spans.Draw(t, "b"))
		a, b = min(a, b), max(a, b)
		if size(t, text.Short(a)) > size(t, text.Short(b)) {
			t.Errorf("%v shows %q and the longer %v shows %q", a, text.Short(a), b, text.Short(b))
		}
		floor := a.Truncate(step(a))
		if text.Short(a) != text.Short(floor) || size(t, text.Short(a)) != floor {
			t.Errorf("%v shows %q, its step begins with %q", a, text.Short(a), text.Short(floor))
		}
		for _, v := range []time.Duration{a, -a} {
			if w := text.Width(text.Short(v)); w > text.ShortWidth {
				t.Errorf("%q is %d wide", text.Short(v), w)
			}
		}
	})
}

func TestAges(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		in           model.Age
		short, exact string
	}{
		{model.Age{}, "–", "–"},
		{model.Age{D: 5 * m}, "–", "–"},
		{model.Age{D: 4*m + 20*s, Trust: model.Exact}, "4m15s", "4m20s"},
		{model.Age{D: 44 * m, Trust: model.AtLeast}, "≥ 44m", "≥ 44m00s"},
		{model.Age{D: 3 * h, Trust: model.Estimated}, "~3h", "~3h00m00s"},
		{model.Age{D: 3 * h, Trust: model.Capped}, "3h+", "3h00m00s+"},
	} {
		if got := text.Age(c.in); got != c.short {
			t.Errorf("Age(%+v) = %q, want %q", c.in, got, c.short)
		}
		if got := text.ExactAge(c.in); got != c.exact {
			t.Errorf("ExactAge(%+v) = %q, want %q", c.in, got, c.exact)
		}
	}
}

func TestTook(t *testing.T) {
	t.Parallel()
	for in, want := range map[time.Duration]string{
		0: "1ms", 300 * time.Microsecond: "1ms", 1100 * time.Microsecond: "2ms", 4 * time.Millisecond: "5ms",
		49 * time.Millisecond: "50ms", 501 * time.Millisecond: "1s", 1200 * time.Millisecond: "2s", 50 * s: "50s", 70 * s: "2m", 600 * s: "10m", 601 * s: "15m",
		46 * time.Minute: "1h", 150 * time.Minute: "3h", 9 * d: ">24h",
	} {
		if got := text.Took(in); got != want {
			t.Errorf("Took(%v) = %q, want %q", in, got, want)
		}
	}
}

func TestSpan(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0s", 90 * time.Second: "1m30s", 5 * time.Minute: "5m", time.Hour: "1h", 90 * time.Minute: "1h30m",
		10 * time.Hour: "10h", time.Hour + time.Second: "1h0m1s", 500 * time.Millisecond: "500ms", 10 * time.Second: "10s",
	} {
		if got := text.Span(d); got != want {
			t.Errorf("%v is written %q, want %q", d, got, want)
		}
		if back, err := time.ParseDuration(text.Span(d)); err != nil || back != d {
			t.Errorf("%q is read as %v, %v", text.Span(d), back, err)
		}
	}
}
