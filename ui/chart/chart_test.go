package chart

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"github.com/leasetop/leasetop/themes/spot"
	"github.com/leasetop/leasetop/ui/internal/shot"
)

var nan = math.NaN()

func draw(c *Chart, w, h int, series ...[]float64) string {
	return strings.Join(c.Draw(spot.Styles(), w, h, series...), "\n")
}

func repeat(v float64, n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = v
	}
	return out
}

// TestAlwaysExactlyThatLarge gives the chart everything that asciigraph falls over.
func TestAlwaysExactlyThatLarge(t *testing.T) {
	hostile := map[string][][]float64{
		"nothing":       nil,
		"empty":         {{}},
		"one point":     {{3}},
		"flat":          {repeat(7, 200)},
		"flat zero":     {repeat(0, 200)},
		"only gaps":     {repeat(nan, 50)},
		"gap at start":  {append(repeat(nan, 10), repeat(4, 10)...)},
		"gap at end":    {append(repeat(4, 10), nan)},
		"infinite":      {{1, math.Inf(1), 2, math.Inf(-1)}},
		"negative":      {{-4, -2, 3}},
		"huge":          {{1e18, 2, 3e30}},
		"tiny":          {{1e-30, 2e-30}},
		"unequal":       {repeat(2, 3), repeat(5, 90)},
		"one is a gap":  {repeat(nan, 9), {1, 2}},
		"more than two": {{1, 2}, {2, 1}},
	}
	for name, series := range hostile {
		for _, scale := range []Scale{Seconds(), PerSecond()} {
			c := New(scale)
			for _, w := range []int{0, 1, margin, margin + 1, margin + 2, 20, 47} {
				for h := range 6 {
					lines := c.Draw(spot.Styles(), w, h, series...)
					if len(lines) != h {
						t.Fatalf("%s at %dx%d: %d lines", name, w, h, len(lines))
					}
					for _, l := range lines {
						if got := ansi.StringWidth(l); got != w {
							t.Fatalf("%s at %dx%d: a line of %d cells: %q", name, w, h, got, l)
						}
					}
				}
			}
		}
	}
}

func TestRandomSeries(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	c := New(PerSecond())
	for range 300 {
		series := make([]float64, rnd.IntN(150))
		for i := range series {
			switch rnd.IntN(5) {
			case 0:
				series[i] = nan
			default:
				series[i] = rnd.ExpFloat64() * math.Pow(10, float64(rnd.IntN(9)-3))
			}
		}
		w, h := 8+rnd.IntN(120), 2+rnd.IntN(12)
		for _, l := range c.Draw(spot.Styles(), w, h, series, series) {
			if got := ansi.StringWidth(l); got != w {
				t.Fatalf("a line of %d cells instead of %d", got, w)
			}
		}
	}
}

// TestSpikeAndGapStay holds that one bucket of 40 that peaks is seen, in its own
// column, and that a gap is as wide as it is.
func TestSpikeAndGapStay(t *testing.T) {
	series := repeat(1, 41)
	series[20] = 30
	for i := 30; i < 35; i++ {
		series[i] = nan
	}
	s := shot.Of(draw(New(Seconds()), 46, 5, series), 46, 5)
	if top := s.Line(0); !strings.Contains(top, "╭") {
		t.Errorf("the spike is gone: %q", top)
	}
	bottom := []rune(s.Line(4))
	for x, r := range bottom {
		col := x - margin
		in := col >= 30 && col < 34
		if col > 21 && in != (r == ' ') {
			t.Errorf("column %d is %q", col, r)
		}
	}
}

func TestGolden(t *testing.T) {
	up := make([]float64, 41)
	wave := make([]float64, 41)
	for i := range up {
		up[i] = float64(i*i) / 7
		wave[i] = 60 + 50*math.Sin(float64(i)/4)
	}
	up[12], up[13] = nan, nan
	for name, view := range map[string]string{
		"one":   draw(New(Seconds()), 46, 5, up),
		"two":   draw(New(PerSecond()), 46, 7, up[5:], wave),
		"empty": draw(New(Seconds()), 46, 3, repeat(nan, 30)),
	} {
		shot.Golden(t, name, shot.Of(view, 46, strings.Count(view, "\n")+1))
	}
}

// TestAxisIsCalm holds that the axis grows at once, so that no curve is cut, and
// shrinks only when the curve stays far below it.
func TestAxisIsCalm(t *testing.T) {
	c := New(PerSecond())
	for _, step := range []struct{ most, ceiling float64 }{
		{3, 4}, {4.5, 10}, {4.1, 10}, {9, 10}, {11, 20}, {8.1, 20}, {7.9, 10}, {0, 1}, {0.7, 1}, {250, 400},
	} {
		c.Draw(spot.Styles(), 40, 5, repeat(step.most, 10))
		if c.ceiling != step.ceiling {
			t.Errorf("at %v the axis ends at %v, not at %v", step.most, c.ceiling, step.ceiling)
		}
	}
}

// TestLabelsFit holds that no ceiling and no half of one is wider than its place:
// the curve must not move sideways.
func TestLabelsFit(t *testing.T) {
	for name, s := range map[string]Scale{"seconds": Seconds(), "rates": PerSecond()} {
		for v := 1e-3; v < 1e13; v *= 1.3 {
			c := s.above(v)
			if c < v {
				t.Errorf("%s: the ceiling of %v is %v", name, v, c)
			}
			for _, at := range []float64{c, c / 2, 0} {
				if l := s.Label(at); len(l) > LabelWidth {
					t.Errorf("%s: %v is written %q", name, at, l)
				}
			}
		}
	}
	for _, c := range []struct {
		s    Scale
		v    float64
		want string
	}{
		{Seconds(), 0, "0s"}, {Seconds(), 90, "90s"}, {Seconds(), 120, "2m"}, {Seconds(), 5400, "90m"}, {Seconds(), 7200, "2h"},
		{Seconds(), 172800, "2d"}, {PerSecond(), 0.5, "0.5"}, {PerSecond(), 20, "20"}, {PerSecond(), 2000, "2k"}, {PerSecond(), 4e6, "4M"},
	} {
		if got := c.s.Label(c.v); got != c.want {
			t.Errorf("%v is written %q, not %q", c.v, got, c.want)
		}
	}
}

func BenchmarkDraw(b *testing.B) {
	c, st := New(PerSecond()), spot.Styles()
	s := make([]float64, 90)
	for i := range s {
		s[i] = float64(i % 17)
	}
	b.ReportAllocs()
	for b.Loop() {
		c.Draw(st, 90, 9, s, s)
	}
}

// TestNeitherHidesTheOther holds that two curves that lie on each other are told from
// one, and that the first stays a whole line where the second crosses it.
func TestNeitherHidesTheOther(t *testing.T) {
	same := ansi.Strip(draw(New(PerSecond()), 30, 5, repeat(3, 40), repeat(3, 40)))
	if n := strings.Count(same, string(both)); n < 20 {
		t.Errorf("%d cells say that there are two:\n%s", n, same)
	}
	apart := ansi.Strip(draw(New(PerSecond()), 30, 5, repeat(4, 40), repeat(1, 40)))
	if strings.Contains(apart, string(both)) || !strings.Contains(apart, "─────") || !strings.Contains(apart, "╌╌╌╌╌") {
		t.Errorf("two that lie apart:\n%s", apart)
	}
	alone, rising := repeat(2, 40), repeat(0, 40)
	for i := range rising {
		rising[i] = float64(i) / 10
	}
	crossed := ansi.Strip(draw(New(PerSecond()), 30, 5, alone, rising))
	for line := range strings.SplitSeq(crossed, "\n") {
		if strings.Contains(line, "──") && strings.ContainsAny(line, "╭╮╰╯╎") {
			t.Errorf("the first curve is broken: %q\n%s", line, crossed)
		}
	}
}
