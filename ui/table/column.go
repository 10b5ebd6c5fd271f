package table

import "github.com/leasetop/leasetop/themes"

// Column is one column of a table. All widths are cells.
type Column struct {
	Title string
	Width int  // the least width if Grow, else the width
	Right bool // numbers and ages, so that they stand under each other
	Grow  bool // takes what is left; one column at the most
	// Rank says who gives way on a narrow screen: the highest first, 0 never.
	Rank int
}

// Cell is what a row has in a column. The text holds no escape sequence.
type Cell struct {
	Text string
	Tone themes.Token
	// Runs, when there are any, are drawn instead of Text: a cell in several inks.
	Runs []Run
	// Full, if there is one, is what a filter looks at: more than there is room for.
	Full string
	// Weight is what a list is sorted by, before the text: a cell that has a number
	// gives it here.
	Weight float64
	// Marked, in a row's first cell, shows that the row is marked.
	Marked bool
}

// Run is a part of a cell in one ink.
type Run struct {
	Text string
	Tone themes.Token
}

const (
	gutter = 2 // cells before the first column: the cursor's mark
	gap    = 2 // cells between columns
)

// Layout is which columns fit into a width and how wide each is. Width 0 means
// that a column is left out.
type Layout struct {
	columns []Column
	order   Order
	widths  []int
	width   int
}

// Fit lays columns out in a width.
func Fit(columns []Column, width int) Layout {
	l := Layout{columns: columns, widths: make([]int, len(columns)), width: width}
	total := gutter - gap
	for i, c := range columns {
		l.widths[i] = c.Width
		total += c.Width + gap
	}
	for total > width {
		worst, rank := -1, 0
		for i, c := range columns {
			if l.widths[i] > 0 && c.Rank > rank {
				worst, rank = i, c.Rank
			}
		}
		if worst < 0 {
			break
		}
		total -= l.widths[worst] + gap
		l.widths[worst] = 0
	}
	for i, c := range columns {
		if c.Grow && l.widths[i] > 0 {
			l.widths[i] = max(1, l.widths[i]+width-total)
			break
		}
	}
	return l
}

// By is the layout with the title of the order's column marked.
func (l Layout) By(o Order) Layout {
	l.order = o
	return l
}

// Shown are the columns that there is room for.
func (l Layout) Shown() []Column {
	var out []Column
	for i, c := range l.columns {
		if l.widths[i] > 0 {
			out = append(out, c)
		}
	}
	return out
}
