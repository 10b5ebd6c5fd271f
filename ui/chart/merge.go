package chart

import (
	"strings"

	"github.com/leasetop/leasetop/themes"
)

// cell is a glyph of a plot and what it means.
type cell struct {
	glyph rune
	ink   themes.Token
}

// both is drawn where two level lines lie on each other: either alone would hide
// that the other is there.
const both = '═'

// taken takes a plot of asciigraph apart.
func taken(plot string) [][]cell {
	var out [][]cell
	for row := range strings.SplitSeq(plot, "\n") {
		var line []cell
		tone := themes.Border
		for row != "" {
			var run string
			run, row, tone = next(row, tone)
			for _, r := range run {
				line = append(line, cell{r, tone})
			}
		}
		out = append(out, line)
	}
	return out
}

// lay lays one plot over another of the same size. Where both have a line the upper
// one is seen.
func lay(over, under [][]cell) [][]cell {
	for y := range over {
		for x := range over[y] {
			if y >= len(under) || x >= len(under[y]) {
				break
			}
			o, u := &over[y][x], under[y][x]
			switch {
			case o.ink == themes.Border && u.ink != themes.Border:
				*o = u
			case o.glyph == '─' && u.glyph == '╌':
				o.glyph = both
			}
		}
		if y < len(under) && len(under[y]) > len(over[y]) {
			over[y] = append(over[y], under[y][len(over[y]):]...)
		}
	}
	return over
}
