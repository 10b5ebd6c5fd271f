// Package chart draws curves through asciigraph, behind a wrapper that takes away
// its traps: it panics on nothing and on infinity, collapses on a flat series,
// loses spikes when it is told a width, and jumps sideways when a label grows.
// A chart is always exactly as large as it was asked to be.
package chart

import (
	"math"
	"strings"

	"github.com/guptarohit/asciigraph"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/themes"
	"github.com/leasetop/leasetop/ui/kit"
)

// LabelWidth is the width of the labels at the axis, in cells.
const LabelWidth = 4

// margin is what stands left of the curve: a label, a blank, the axis.
const margin = LabelWidth + 2

// Columns is how many points a chart of a width shows.
func Columns(width int) int { return max(1, width-margin) }

// Chart draws one or two series. The zero Chart is not ready: see New.
type Chart struct {
	scale   Scale
	ceiling float64 // kept between drawings, so that the axis does not jump
}

// New makes a chart with a scale.
func New(s Scale) *Chart { return &Chart{scale: s} }

// Draw gives height lines of width cells. NaN in a series is a gap; infinity and
// negative values count as gaps and zero. Points beyond Columns are dropped at
// the old end.
func (c *Chart) Draw(st *themes.Styles, width, height int, series ...[]float64) []string {
	if width <= margin || height < 1 {
		return blank(width, height)
	}
	cols := Columns(width)
	data := make([][]float64, 0, len(series))
	most, any := 0.0, false
	for _, s := range series {
		clean := prepare(s, cols)
		for _, v := range clean {
			if !math.IsNaN(v) {
				most, any = max(most, v), true
			}
		}
		data = append(data, clean)
	}
	c.ceiling = c.scale.ceiling(most, c.ceiling)
	if height < 2 || !any {
		return c.empty(st, width, height)
	}
	return c.paint(st, width, height, c.plot(data, height))
}

// prepare makes a series fit to plot: one point more than columns, because a
// curve of n points has n−1 steps.
func prepare(s []float64, cols int) []float64 {
	if len(s) > cols+1 {
		s = s[len(s)-cols-1:]
	}
	out := make([]float64, cols+1)
	lead := len(out) - len(s)
	for i := range out {
		out[i] = math.NaN()
		if i >= lead && !math.IsInf(s[i-lead], 0) {
			out[i] = max(0, s[i-lead])
		}
	}
	return out
}

// The inks that asciigraph is told stand for the series until paint replaces them.
var marks = [...]asciigraph.AnsiColor{asciigraph.Red, asciigraph.Green}

// second is the second series' line: told apart from the first without colour.
var second = asciigraph.CharSet{Horizontal: "╌", VerticalLine: "╎"}

// plot plots each series by itself and lays the first over the second: together
// asciigraph lets whichever comes last hide the other.
func (c *Chart) plot(data [][]float64, height int) [][]cell {
	var out [][]cell
	for i, s := range data[:min(len(data), len(marks))] {
		chars := asciigraph.CharSet{}
		if i > 0 {
			chars = second
		}
		one := taken(asciigraph.PlotMany([][]float64{s},
			asciigraph.Height(height-1), asciigraph.Offset(3),
			asciigraph.LowerBound(0), asciigraph.UpperBound(c.ceiling),
			asciigraph.YAxisValueFormatter(func(v float64) string { return c.label(v, height) }),
			asciigraph.SeriesColors(marks[i]), asciigraph.SeriesChars(chars),
		))
		if i == 0 {
			out = one
		} else {
			out = lay(out, one)
		}
	}
	return out
}

// label is the text at the axis for a value: ceiling, half and zero have one.
func (c *Chart) label(v float64, height int) string {
	const near = 1e-9
	s := ""
	switch {
	case math.Abs(v-c.ceiling) <= near*c.ceiling, math.Abs(v) <= near*c.ceiling,
		height%2 == 1 && math.Abs(v-c.ceiling/2) <= near*c.ceiling:
		s = c.scale.Label(max(0, v))
	}
	return text.PadLeft(s, LabelWidth)
}

// paint inks a plot by meaning.
func (c *Chart) paint(st *themes.Styles, width, height int, plot [][]cell) []string {
	out := blank(width, height)
	for y, row := range plot[:min(len(plot), height)] {
		var l kit.Line
		head := min(len(row), LabelWidth+2)
		// asciigraph begins every label with a blank, which the box around already has.
		l.Put(st.Of(themes.Dim), strings.TrimPrefix(glyphs(row[:head]), " "), LabelWidth+1)
		for row = row[head:]; len(row) > 0 && l.Width() < width; {
			n := 1
			for n < len(row) && row[n].ink == row[0].ink {
				n++
			}
			run := text.Cut(glyphs(row[:n]), width-l.Width())
			l.Text(st.Of(inkOf(row[0].ink, run)), run)
			row = row[n:]
		}
		l.To(width)
		out[y] = l.String()
	}
	return out
}

func glyphs(row []cell) string {
	var b strings.Builder
	for _, c := range row {
		b.WriteRune(c.glyph)
	}
	return b.String()
}

// inkOf leaves blanks without ink.
func inkOf(t themes.Token, run string) themes.Token {
	if strings.TrimSpace(run) == "" {
		return themes.Plain
	}
	return t
}

// next takes the text up to the next escape sequence, and says which ink follows.
func next(s string, tone themes.Token) (run, rest string, ink themes.Token) {
	for strings.HasPrefix(s, "\x1b") {
		end := strings.IndexByte(s, 'm')
		if end < 0 {
			return "", "", tone
		}
		switch s[:end+1] {
		case marks[0].String():
			tone = themes.LineA
		case marks[1].String():
			tone = themes.LineB
		default:
			tone = themes.Border
		}
		s = s[end+1:]
	}
	if i := strings.IndexByte(s, '\x1b'); i >= 0 {
		return s[:i], s[i:], tone
	}
	return s, "", tone
}

// empty is the axis with nothing on it: nothing was watched yet.
func (c *Chart) empty(st *themes.Styles, width, height int) []string {
	out := blank(width, height)
	for i := range out {
		label := ""
		switch i {
		case 0:
			label = c.scale.Label(c.ceiling)
		case height - 1:
			label = c.scale.Label(0)
		}
		var l kit.Line
		l.Put(st.Of(themes.Dim), text.PadLeft(label, LabelWidth)+" ", LabelWidth+1)
		l.Put(st.Of(themes.Border), "┤", 1)
		l.To(width)
		out[i] = l.String()
	}
	return out
}

func blank(width, height int) []string {
	out := make([]string, max(0, height))
	for i := range out {
		out[i] = strings.Repeat(" ", max(0, width))
	}
	return out
}
